// Prepared work in the database, and what it is made from. Every statement filters by the pro.
import type { Runner } from '../../platform/postgres/database.ts'
import { statementFile } from '../../platform/postgres/statement-files.ts'
import type { LineItem } from '../quotes/schemas.ts'
import type { Assessment, DayBrief, JobMedia } from './schemas.ts'

export type PreparedKind = 'quote_draft' | 'assessment_notes' | 'day_brief' | 'job_spec' | 'customer_message'

interface Subject {
  rfqId?: string | undefined
  bookingId?: string | undefined
  jobId?: string | undefined
  day?: string | undefined
}

interface PreparedRow extends Subject {
  id: string
  professionalId: string
  kind: PreparedKind
  quoteId?: string
  content: object
  now: Date
}

export async function insertPrepared(tx: Runner, row: PreparedRow): Promise<void> {
  await tx.run(
    'insertPrepared',
    (sql) => sql`
      insert into prepared_work (id, professional_id, kind, rfq_id, booking_id, job_id, day, quote_id, content, created_at)
      values (${row.id}, ${row.professionalId}, ${row.kind}, ${row.rfqId ?? null}, ${row.bookingId ?? null},
        ${row.jobId ?? null}, ${row.day ?? null}, ${row.quoteId ?? null}, ${JSON.stringify(row.content)}::text::jsonb,
        ${row.now.toISOString()})`,
  )
}

/** The pro's latest notes: those of this id, or about this lead, booking or job. */
export async function findAssessment(
  db: Runner,
  professionalId: string,
  { id, rfqId, bookingId, jobId }: Subject & { id?: string | undefined },
): Promise<Assessment | undefined> {
  const [row] = await db.run<{ content: Assessment }>(
    'findAssessment',
    (sql) => sql`
      select content from prepared_work
      where professional_id = ${professionalId} and kind = 'assessment_notes'
        and (id = ${id ?? null} or rfq_id = ${rfqId ?? null} or booking_id = ${bookingId ?? null}
          or job_id = ${jobId ?? null})
      order by created_at desc, id desc limit 1`,
  )
  return row?.content
}

/** What explains a draft quote of the pro, if it was prepared. */
export async function findBasis(db: Runner, professionalId: string, quoteId: string): Promise<object | undefined> {
  const [row] = await db.run<{ content: object }>(
    'findBasis',
    (sql) => sql`
      select content from prepared_work where professional_id = ${professionalId} and quote_id = ${quoteId}`,
  )
  return row?.content
}

/** Deletes what was prepared before `before` for something that is over, from the oldest on. How many. */
export async function deletePrepared(db: Runner, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const rows = await db.run(
    'deletePastPrepared',
    (sql) => sql`
      with past as materialized (
        select w.id from prepared_work w
        left join rfqs l on l.id = w.rfq_id
        left join bookings b on b.id = w.booking_id
        left join jobs j on j.id = w.job_id
        left join quotes q on q.id = w.quote_id
        where w.created_at < ${before.toISOString()}
          and l.status is distinct from 'new' and q.status is distinct from 'draft'
          and coalesce(b.status not in ('pending', 'confirmed'), true)
          and coalesce(j.status not in ('scheduled', 'in_progress'), true)
        order by w.created_at limit ${limit} for update of w skip locked)
      delete from prepared_work w using past where w.id = past.id
      returning 1`,
  )
  return rows.length
}

/** A service as the catalog has it. */
export async function findService(
  db: Runner,
  id: string,
): Promise<{ id: string; name: string; unit: string | null } | undefined> {
  const rows = await db.run<{ id: string; name: string; unit: string | null }>(
    'findPricedService',
    (sql) => sql`select id, name, unit from services where id = ${id} and active`,
  )
  return rows[0]
}

/** Work that a customer agreed to: what it was quoted at, and what it cost once it was done. */
export interface PastWork {
  amountCents: number
  quotedCents: number
  /** In the service's unit, where that is known. */
  units: number | null
  isCompleted: boolean
  /** From its start to its end, at least 1. */
  days: number | null
}

/** The pro's accepted quotes and completed jobs of a service since then, the latest 50. */
export async function selectPastWork(
  db: Runner,
  professionalId: string,
  serviceId: string,
  since: Date,
): Promise<PastWork[]> {
  return await db.run<PastWork>(
    'selectPastWork',
    (sql) => sql`
      select case when j.status = 'completed' then j.amount_cents else q.amount_cents end as amount_cents,
        q.amount_cents as quoted_cents, coalesce(j.units, q.units)::float8 as units,
        coalesce(j.status = 'completed', false) as is_completed,
        greatest(ceil(extract(epoch from j.completed_at - j.started_at) / 86400), 1)::integer as days
      from quotes q
      join rfqs r on r.id = q.rfq_id and r.service_id = ${serviceId}
      left join jobs j on j.quote_id = q.id
      where q.professional_id = ${professionalId} and q.status = 'accepted'
        and q.accepted_at >= ${since.toISOString()} and j.status is distinct from 'cancelled'
      order by q.accepted_at desc, q.id desc limit 50`,
  )
}

export interface QuoteHabits {
  businessName: string
  state: string
  depositRequired: boolean
  depositPercentage: number | null
  /** Of the last quote that said any. */
  paymentTerms: string | null
}

/** How the pro usually asks for money. */
export async function findHabits(db: Runner, professionalId: string): Promise<QuoteHabits | undefined> {
  const rows = await db.run<QuoteHabits>(
    'findQuoteHabits',
    (sql) => sql`
      select p.business_name, c.state, p.deposit_required, p.deposit_percentage::float8 as deposit_percentage, (
          select q.payment_terms from quotes q
          where q.professional_id = p.id and q.payment_terms is not null and q.sent_at is not null
          order by q.created_at desc, q.id desc limit 1) as payment_terms
      from professionals p join cities c on c.id = p.city_id where p.id = ${professionalId}`,
  )
  return rows[0]
}

/** What a customer, known by e-mail address, had of the pro: the latest ten, without the subject itself. */
export async function selectCustomerHistory(
  db: Runner,
  professionalId: string,
  { email, exceptId }: { email: string; exceptId: string },
): Promise<Assessment['history']> {
  return await db.run<Assessment['history'][number]>(
    'selectCustomerHistory',
    (sql) => sql`
      with had as (
        select b.id, 'booking' as kind, b.service_id, b.status, b.starts_at as at, null::integer as cents
        from bookings b
        where b.professional_id = ${professionalId} and lower(b.customer_email) = lower(${email})
        union all
        select r.id, 'request', r.service_id, r.status, r.created_at, null from rfqs r
        where r.professional_id = ${professionalId} and lower(r.customer_email) = lower(${email})
        union all
        select j.id, 'job', j.service_id, j.status, coalesce(j.completed_at, j.created_at), j.amount_cents
        from rfqs r join quotes q on q.rfq_id = r.id join jobs j on j.quote_id = q.id
        where r.professional_id = ${professionalId} and lower(r.customer_email) = lower(${email})
      )
      select had.kind, s.name as service, had.status, (had.at at time zone p.time_zone)::date as date,
        dollars(had.cents) as amount
      from had join professionals p on p.id = ${professionalId} left join services s on s.id = had.service_id
      where had.id <> ${exceptId}
      order by had.at desc, had.id desc limit 10`,
  )
}

/** A day as its statement gives it. */
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

const proDay = statementFile<{ body: string }>('pro-day')

/** The pro's day; today, where they are, for null. */
export async function findDay(
  db: Runner,
  professionalId: string,
  date: string | null,
  now: Date,
): Promise<StoredDay | undefined> {
  const [row] = await proDay.run(db, [professionalId, date, now.toISOString()])
  return row && (JSON.parse(row.body) as StoredDay)
}

/** Photos of a request of the pro, and of published reviews of the job that it became. */
export async function selectMedia(
  db: Runner,
  professionalId: string,
  { rfqId, jobId }: { rfqId: string | null; jobId: string | null },
): Promise<JobMedia['media']> {
  return await db.run<JobMedia['media'][number]>(
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
