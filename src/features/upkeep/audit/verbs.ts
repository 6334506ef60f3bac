// The operators' audit log: written in the transaction of each action.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import {
  type AuditEntry,
  type OperatorAction,
  type OperatorId,
  insertEntry,
  selectEntries,
  selectPlanEntries,
} from './queries.ts'

export type { AuditEntry, OperatorId }

export interface Action {
  action: Exclude<OperatorAction, PlanAction['action']>
  /** What it was done to: the id of a review, payment, pro, category or service. */
  subjectId: string
  /** Null for what is no pro's, such as the catalog. */
  professionalId: string | null
  by: OperatorId
  reason?: string | null
  details?: Record<string, unknown>
}

/** What an operator does to a plan. */
export interface PlanAction {
  action: Extract<OperatorAction, `plan.${string}`>
  planId: string
  by: OperatorId
  details?: Record<string, unknown>
}

/** Writes an entry of the audit log. */
export const recordAction = (ctx: TxCtx, { reason = null, details = {}, ...action }: Action): Promise<void> =>
  insertEntry(ctx, { id: ctx.ids.uuid(), at: ctx.clock.now(), planId: null, reason, details, ...action })

/** Writes an entry of a plan. */
export const recordPlanAction = (ctx: TxCtx, { details = {}, ...action }: PlanAction): Promise<void> =>
  insertEntry(ctx, {
    id: ctx.ids.uuid(),
    at: ctx.clock.now(),
    subjectId: null,
    professionalId: null,
    reason: null,
    details,
    ...action,
  })

const MAX_LISTED = 100

/** What operators did to a review, payment, pro, category or service, newest first. */
export const listActions = (ctx: Ctx, { subjectId }: { subjectId: string }): Promise<AuditEntry[]> =>
  selectEntries(ctx, { subjectId, limit: MAX_LISTED })

/** What operators did to a plan, newest first. */
export const listPlanActions = (ctx: Ctx, { planId }: { planId: string }): Promise<AuditEntry[]> =>
  selectPlanEntries(ctx, { planId, limit: MAX_LISTED })
