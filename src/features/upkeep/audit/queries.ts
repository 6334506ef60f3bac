// The operators' audit log in the database.
import type { Ctx, TxCtx } from '../../../ctx.ts'

/** What an operator did, or the owner of an e-mail address who disowned something. A CHECK repeats the list in the database. */
export type OperatorAction =
  | 'review.approved'
  | 'review.rejected'
  | 'payment.refunded'
  | 'pro.verification'
  | 'refund.resent'
  | 'refund.returned'
  | 'booking.disowned'
  | 'request.disowned'
  | 'review.disowned'

/** The operator's user id; null for the command line. */
export type OperatorId = string | null

export interface AuditEntry {
  readonly action: OperatorAction
  readonly reason: string | null
  readonly details: Readonly<Record<string, unknown>>
  readonly at: string
  /** The operator's e-mail address; null for the command line. */
  readonly by: string | null
}

export interface NewEntry {
  id: string
  action: OperatorAction
  subjectId: string
  professionalId: string
  by: OperatorId
  reason: string | null
  details: Record<string, unknown>
  at: Date
}

export async function insertEntry(ctx: TxCtx, entry: NewEntry): Promise<void> {
  await ctx.tx.run(
    'insertEntry',
    (sql) => sql`
      insert into operator_actions (id, action, subject_id, professional_id, by_user_id, reason, details, at)
      values (${entry.id}, ${entry.action}, ${entry.subjectId}, ${entry.professionalId}, ${entry.by}, ${entry.reason},
        ${JSON.stringify(entry.details)}::text::jsonb, ${entry.at.toISOString()})`,
  )
}

/** Newest first. */
export async function selectEntries(
  ctx: Ctx,
  { subjectId, limit }: { subjectId: string; limit: number },
): Promise<AuditEntry[]> {
  return await ctx.write.run<AuditEntry>(
    'selectEntries',
    (sql) => sql`
      select a.action, a.reason, a.details, a.at, u.email as by
      from operator_actions a left join users u on u.id = a.by_user_id
      where a.subject_id = ${subjectId} order by a.at desc, a.id desc limit ${limit}`,
  )
}
