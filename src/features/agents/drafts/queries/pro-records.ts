// SQL of the records that prepared work shows: a customer's history, a day, photos. Every statement filters by the pro.
import { statementFile } from '../../../../platform/postgres/statement-files.ts'
import type { LineItem } from '../../../quoting/quotes/schemas.ts'
import type { Assessment, DayBrief, JobMedia } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'

/** The customer's latest ten requests, bookings and jobs with the pro, by e-mail address, without the subject itself. */
export async function selectCustomerHistory(
  ctx: Ctx,
  { professionalId, email, exceptId }: { professionalId: string; email: string; exceptId: string },
): Promise<Assessment['history']> {
  return await ctx.read.run<Assessment['history'][number]>(
    'selectCustomerHistory',
    (sql) => sql`
      with history as (
        select b.id, 'booking' as kind, b.service_id, b.status, b.starts_at as at, null::integer as cents
        from bookings b
        where b.professional_id = ${professionalId} and b.customer_email = ${email}
        union all
        select r.id, 'request', r.service_id, r.status, r.created_at, null from rfqs r
        where r.professional_id = ${professionalId} and r.customer_email = ${email}
        union all
        select j.id, 'job', j.service_id, j.status, coalesce(j.completed_at, j.created_at), j.amount_cents
        from rfqs r join quotes q on q.rfq_id = r.id join jobs j on j.quote_id = q.id
        where r.professional_id = ${professionalId} and r.customer_email = ${email}
      )
      select history.kind, s.name as service, history.status, (history.at at time zone p.time_zone)::date as date,
        dollars(history.cents) as amount
      from history join professionals p on p.id = ${professionalId} left join services s on s.id = history.service_id
      where history.id <> ${exceptId}
      order by history.at desc, history.id desc limit 10`,
  )
}

/** A day as the statement file returns it. */
export type StoredDay = Omit<DayBrief, 'stops' | 'jobs' | 'bookedMinutes' | 'warnings'> & {
  stops: (Omit<DayBrief['stops'][number], 'address' | 'bring'> & {
    address: Record<string, string | null> | null
    package: string | null
    includes: string[]
    minutesBefore: number | null
  })[]
  jobs: (Omit<DayBrief['jobs'][number], 'address' | 'bring'> & {
    address: Record<string, string | null> | null
    lineItems: LineItem[]
  })[]
}

const proDay = statementFile<{ body: string }>('pro-day', 'fresh')

/** The pro's day; today in their time zone when `date` is null. */
export async function findDay(
  ctx: TxCtx,
  { professionalId, date, now }: { professionalId: string; date: string | null; now: Date },
): Promise<StoredDay | undefined> {
  const [row] = await proDay.run(ctx.tx, [professionalId, date, now.toISOString()])
  return row && (JSON.parse(row.body) as StoredDay)
}

/** Photos of a request, and of published reviews of its job. */
export async function selectMedia(
  ctx: Ctx,
  { professionalId, rfqId, jobId }: { professionalId: string; rfqId: string | null; jobId: string | null },
): Promise<JobMedia['media']> {
  return await ctx.read.run<JobMedia['media'][number]>(
    'selectMedia',
    (sql) => sql`
      select photo as url, null as caption, 'request' as "from", iso_instant(r.created_at) as at
      from rfqs r cross join jsonb_array_elements_text(r.photos) photo
      where r.id = ${rfqId} and r.professional_id = ${professionalId}
      union all
      select photo ->> 'url', photo ->> 'caption', 'review', iso_instant(v.created_at)
      from reviews v cross join jsonb_array_elements(v.photos) photo
      where v.job_id = ${jobId} and v.professional_id = ${professionalId} and v.status = 'approved'`,
  )
}
