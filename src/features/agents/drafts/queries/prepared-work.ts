// SQL of stored prepared work. Every statement filters by the pro.
import type { Assessment } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'

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

export async function insertPrepared(ctx: TxCtx, row: PreparedRow): Promise<void> {
  await ctx.tx.run(
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
  ctx: Ctx,
  {
    professionalId,
    id,
    rfqId,
    bookingId,
    jobId,
  }: { professionalId: string } & (SubjectColumns & { id?: string | undefined }),
): Promise<Assessment | undefined> {
  const [row] = await ctx.read.run<{ content: Assessment }>(
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
export async function findBasis(
  ctx: Ctx,
  { professionalId, quoteId }: { professionalId: string; quoteId: string },
): Promise<object | undefined> {
  const [row] = await ctx.read.run<{ content: object }>(
    'findBasis',
    (sql) => sql`
      select content from prepared_work where professional_id = ${professionalId} and quote_id = ${quoteId}`,
  )
  return row?.content
}
