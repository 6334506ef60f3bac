// The operators' audit log: written in the transaction of each action.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { type AuditEntry, type OperatorAction, type OperatorId, insertEntry, selectEntries } from './queries.ts'

export type { AuditEntry, OperatorId }

export interface Action {
  action: OperatorAction
  /** What it was done to: the id of a review, payment, pro, category or service. */
  subjectId: string
  /** Null for what is no pro's, such as the catalog. */
  professionalId: string | null
  by: OperatorId
  reason?: string | null
  details?: Record<string, unknown>
}

/** Writes an entry of the audit log. */
export const recordAction = (ctx: TxCtx, { reason = null, details = {}, ...action }: Action): Promise<void> =>
  insertEntry(ctx, { id: ctx.ids.uuid(), at: ctx.clock.now(), reason, details, ...action })

const MAX_LISTED = 100

/** What operators did to a review, payment, pro, category or service, newest first. */
export const listActions = (ctx: Ctx, { subjectId }: { subjectId: string }): Promise<AuditEntry[]> =>
  selectEntries(ctx, { subjectId, limit: MAX_LISTED })
