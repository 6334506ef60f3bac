// The operators' audit log: written in the transaction of each action.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { normalEmail } from '../../../platform/schema/email.ts'
import { type PageMeta, type PageQuery, pageOf } from '../../../platform/schema/paging.ts'
import { insertEntry, selectEntries, selectLog, selectPlanEntries } from './queries.ts'
import type { AuditEntry, LoggedAct, OperatorAction, OperatorId } from './schemas.ts'

export type { AuditEntry, LoggedAct, OperatorId }

export interface Action {
  action: Exclude<OperatorAction, PlanAction['action'] | MarketplaceAction['action']>
  /** What it was done to: the id of a review, payment, pro, category or service. Null for a message that belongs to no booking. */
  subjectId: string | null
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

/** What an operator does to the marketplace itself, or for an address of its customers. */
export interface MarketplaceAction {
  action: Extract<
    OperatorAction,
    `marketplace.${string}` | `area.${string}` | `text.${string}` | `district.${string}` | `address.${string}`
  >
  by: OperatorId
  details: Record<string, unknown>
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

/** Writes an entry of what is no row's, such as the marketplace. */
export const recordMarketplaceAction = (ctx: TxCtx, action: MarketplaceAction): Promise<void> =>
  insertEntry(ctx, {
    id: ctx.ids.uuid(),
    at: ctx.clock.now(),
    subjectId: null,
    professionalId: null,
    planId: null,
    reason: null,
    ...action,
  })

const MAX_LISTED = 100

/** What operators did to a review, payment, pro, category or service, newest first. */
export const listActions = (ctx: Ctx, { subjectId }: { subjectId: string }): Promise<AuditEntry[]> =>
  selectEntries(ctx, { subjectId, limit: MAX_LISTED })

/** What operators did to a plan, newest first. */
export const listPlanActions = (ctx: Ctx, { planId }: { planId: string }): Promise<AuditEntry[]> =>
  selectPlanEntries(ctx, { planId, limit: MAX_LISTED })

/** A page of everything that was done, newest first; of one operator or one kind of subject such as `booking` if given. */
export async function listLog(
  ctx: Ctx,
  { by, kind, ...page }: PageQuery & { by?: string; kind?: string },
): Promise<{ acts: LoggedAct[]; meta: PageMeta }> {
  const { limit, offset } = pageOf(page)
  const email = by ? normalEmail(by.trim()) : null
  const found = await selectLog(ctx, { by: email, kind: kind || null, limit: limit + 1, offset })
  const hasMore = found.length > limit
  return { acts: found.slice(0, limit), meta: { total: offset + found.length, limit, offset, hasMore } }
}
