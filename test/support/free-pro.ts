// A seeded pro who can be booked at once.
import type { TestApp } from './app.ts'

/** A pro with a service of at most two hours that needs neither a deposit nor an approval. */
export async function findFreePro({
  sql,
}: Pick<TestApp, 'sql'>): Promise<{ id: string; slug: string; service: string }> {
  const [found] = await sql<{ id: string; slug: string; service: string }[]>`
    select p.id, p.slug, o.service_id as service from professionals p
      join professional_services o on o.professional_id = p.id and o.instant_book_enabled
      join services s on s.id = o.service_id
    where p.active and p.instant_booking_enabled and not p.requires_approval and not p.deposit_required
      and coalesce(o.duration_minutes, s.duration_minutes) <= 120
    order by p.id, o.service_id limit 1`
  if (!found) throw new Error('The seed has no such pro.')
  return found
}
