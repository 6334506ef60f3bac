// SQL of test pros.
import type { Runner, Transaction } from '../../platform/postgres/database.ts'

export async function findTestAccount(db: Runner, accountId: string): Promise<string | undefined> {
  const rows = await db.run<{ id: string }>(
    'findTestAccount',
    (sql) => sql`select id from accounts where test_of = ${accountId} and kind <> 'pro'`,
  )
  return rows[0]?.id
}

export interface NewTestPro {
  id: string
  accountId: string
  testAccountId: string
  slug: string
  businessName: string
  description: string
  requiresApproval: boolean
  depositPercentage: number | null
  now: Date
}

/** Inserts the pro in the largest city, open every day, unless the slug exists. */
export async function insertTestPro(tx: Transaction, pro: NewTestPro): Promise<void> {
  const { depositPercentage, now } = pro
  await tx.run(
    'insertTestPro',
    (sql) => sql`
      insert into professionals (id, account_id, test_account_id, slug, business_name, description, active, verified, city_id,
        latitude, longitude, time_zone, instant_booking_enabled, requires_approval, deposit_required, deposit_percentage,
        lead_time_hours, business_hours, created_at, updated_at)
      select ${pro.id}, ${pro.accountId}, ${pro.testAccountId}, ${pro.slug}, ${pro.businessName}, ${pro.description}, false,
        true, c.id, c.latitude, c.longitude, c.time_zone, true, ${pro.requiresApproval}, ${depositPercentage !== null},
        ${depositPercentage}, 1, (
          select jsonb_object_agg(day, '[{"start":"08:00","end":"18:00"}]'::jsonb)
          from unnest('{monday,tuesday,wednesday,thursday,friday,saturday,sunday}'::text[]) day),
        ${now.toISOString()}, ${now.toISOString()}
      from cities c order by c.population desc, c.id limit 1
      on conflict do nothing`,
  )
}

/** Lets the account's test pros offer the services at one price, except those that they offer already. */
export async function insertTestOffers(
  tx: Transaction,
  testAccountId: string,
  { services, priceCents }: { services: number; priceCents: number },
): Promise<void> {
  await tx.run(
    'insertTestOffers',
    (sql) => sql`
      insert into professional_services (professional_id, service_id, price_type, unit, base_price_cents)
      select p.id, s.id, s.price_type, s.unit, ${priceCents}
      from professionals p
      cross join (select * from services where active order by ordinal limit ${services}) s
      where p.test_account_id = ${testAccountId}
      on conflict do nothing`,
  )
}
