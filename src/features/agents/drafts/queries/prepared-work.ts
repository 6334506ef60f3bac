// SQL of stored prepared work. Every statement filters by the pro.
import type { Assessment } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import * as statements from './prepared-work.sql.ts'

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
  await statements.insertPrepared(ctx, {
    id: row.id,
    professionalId: row.professionalId,
    kind: row.kind,
    rfqId: row.rfqId,
    bookingId: row.bookingId,
    jobId: row.jobId,
    day: row.day,
    quoteId: row.quoteId,
    content: JSON.stringify(row.content),
    now: row.now,
  })
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
  const row = await statements.findAssessment<{ content: Assessment }>(ctx, {
    professionalId,
    id,
    rfqId,
    bookingId,
    jobId,
  })
  return row?.content
}

/** The basis of a prepared draft quote. */
export async function findBasis(
  ctx: Ctx,
  { professionalId, quoteId }: { professionalId: string; quoteId: string },
): Promise<object | undefined> {
  const row = await statements.findBasis<{ content: object }>(ctx, { professionalId, quoteId })
  return row?.content
}
