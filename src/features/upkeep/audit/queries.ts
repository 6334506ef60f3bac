// The operators' audit log in the database.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import type { AuditEntry, LoggedAct, OperatorAction, OperatorId } from './schemas.ts'
import * as statements from './queries.sql.ts'

export interface NewEntry {
  id: string
  action: OperatorAction
  /** Null for what is done to a plan or to the marketplace, and for a message that belongs to no booking. */
  subjectId: string | null
  /** Null for what is no pro's, such as the catalog and a plan. */
  professionalId: string | null
  planId: string | null
  by: OperatorId
  reason: string | null
  details: Record<string, unknown>
  at: Date
}

export async function insertEntry(ctx: TxCtx, entry: NewEntry): Promise<void> {
  await statements.insertEntry(ctx, {
    id: entry.id,
    action: entry.action,
    subjectId: entry.subjectId,
    professionalId: entry.professionalId,
    planId: entry.planId,
    by: entry.by,
    reason: entry.reason,
    details: JSON.stringify(entry.details),
    at: entry.at,
  })
}

/** Newest first. */
export async function selectEntries(
  ctx: Ctx,
  { subjectId, limit }: { subjectId: string; limit: number },
): Promise<AuditEntry[]> {
  return await statements.selectEntries<Pick<AuditEntry, 'details'>>(ctx, { subjectId, limit })
}

/** Newest first. */
export async function selectPlanEntries(
  ctx: Ctx,
  { planId, limit }: { planId: string; limit: number },
): Promise<AuditEntry[]> {
  return await statements.selectPlanEntries<Pick<AuditEntry, 'details'>>(ctx, { planId, limit })
}

/** A page of all entries, newest first, of one operator or one kind of subject such as `booking` if given. */
export async function selectLog(
  ctx: Ctx,
  query: { by: string | null; kind: string | null; limit: number; offset: number },
): Promise<LoggedAct[]> {
  return await statements.selectLog<Pick<LoggedAct, 'details' | 'pro'>>(ctx, query)
}
