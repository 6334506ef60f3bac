// SQL of the work that a customer can review.
import type { FinishedWork } from '../schemas.ts'
import type { Ctx } from '../../../../ctx.ts'
import { boolean, composed, nullable, oneOf, text } from '../../../../platform/postgres/composed.ts'

interface Filter {
  now: Date
  /** Counts reviews by the owner of the address only: theirs takes the place of another. */
  isProven: boolean
  /** One piece of work, reviewed or not; otherwise those without a review. */
  id?: string
  limit: number
}

/** The customer's finished work, the latest first. */
export async function selectFinishedWork(
  ctx: Ctx,
  { customerEmail, now, id, limit, isProven }: { customerEmail: string } & Filter,
): Promise<FinishedWork[]> {
  const rows = await composed<FinishedWork>(
    ctx.write,
    'selectFinishedWork',
    {
      kind: oneOf('booking', 'job'),
      id: text,
      professionalId: text,
      businessName: text,
      serviceName: nullable(text),
      customerName: nullable(text),
      endedAt: text,
      day: text,
      isReviewed: boolean,
    },
    (sql) => sql`
      with work as (
        select 'booking' as kind, b.id, b.professional_id, b.service_name,
          case when b.proven_at is not null then b.customer_name end as customer_name, b.ended_at, exists (
            select from reviews v where v.booking_id = b.id and v.customer_email = ${customerEmail}
              and v.professional_id = b.professional_id and v.status <> 'rejected' and (v.proven_at is not null or v.verified or ${!isProven})) as is_reviewed
        from (select *, coalesce(completed_at, ends_at) as ended_at from bookings) b
        where b.customer_email = ${customerEmail} and b.disowned_at is null
          and (b.status = 'completed' or b.status = 'confirmed' and b.ends_at <= ${now.toISOString()})
        union all
        select 'job', j.id, j.professional_id, s.name,
          case when r.proven_at is not null then r.customer_name end, j.completed_at, exists (
            select from reviews v where v.job_id = j.id and v.customer_email = ${customerEmail}
              and v.professional_id = j.professional_id and v.status <> 'rejected' and (v.proven_at is not null or v.verified or ${!isProven}))
        from rfqs r join quotes q on q.rfq_id = r.id join jobs j on j.quote_id = q.id
          left join services s on s.id = j.service_id
        where r.customer_email = ${customerEmail} and r.disowned_at is null and j.status = 'completed'
          -- A job with a visit is reviewed as that booking.
          and not exists (select from bookings v where v.professional_id = j.professional_id and v.job_id = j.id
            and v.status in ('confirmed', 'completed'))
      )
      select w.kind, w.id, w.professional_id, p.business_name, w.service_name, w.customer_name, w.ended_at,
        to_char(w.ended_at at time zone p.time_zone, 'YYYY-MM-DD') as day, w.is_reviewed
      from work w join professionals p on p.id = w.professional_id and p.status <> 'closed'
          and (p.test_account_id is null ${id === undefined ? sql`` : sql`or p.test_account_id is not null`})
      where ${id === undefined ? sql`not w.is_reviewed` : sql`w.id = ${id}`}
      order by w.ended_at desc, w.id limit ${limit}`,
  )
  return [...rows]
}
