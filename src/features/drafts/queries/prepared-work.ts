// SQL of stored prepared work. Every statement filters by the pro, except retention.
import type { Runner } from '../../../platform/postgres/database.ts'
import type { Assessment } from '../schemas.ts'

export type PreparedKind = 'quote_draft' | 'assessment_notes' | 'day_brief' | 'job_spec' | 'customer_message'

interface SubjectColumns {
  rfqId?: string | undefined
  bookingId?: string | undefined
  jobId?: string | undefined
  day?: string | undefined
}

interface PreparedRow extends SubjectColumns {
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

/** The pro's latest notes with this id, or about this lead, booking or job. */
export async function findAssessment(
  db: Runner,
  professionalId: string,
  { id, rfqId, bookingId, jobId }: SubjectColumns & { id?: string | undefined },
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

/** The basis of a prepared draft quote. */
export async function findBasis(db: Runner, professionalId: string, quoteId: string): Promise<object | undefined> {
  const [row] = await db.run<{ content: object }>(
    'findBasis',
    (sql) => sql`
      select content from prepared_work where professional_id = ${professionalId} and quote_id = ${quoteId}`,
  )
  return row?.content
}

/** Deletes work prepared before `before` whose subject is closed, oldest first. Returns the number of rows. */
export async function deletePreparedBefore(
  db: Runner,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const rows = await db.run(
    'deleteOldPrepared',
    (sql) => sql`
      with old as materialized (
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
      delete from prepared_work w using old where w.id = old.id
      returning 1`,
  )
  return rows.length
}
