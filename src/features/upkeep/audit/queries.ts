// The operators' audit log in the database.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

/**
 * What an operator did, the owner of an e-mail address who disowned something, a pro who paused or withdrew a mark by a
 * change, or an applicant who sent an application. A CHECK
 * repeats the list in the database.
 */
export type OperatorAction =
  | 'review.approved'
  | 'review.rejected'
  | 'payment.refunded'
  | 'pro.created'
  | 'pro.imported'
  | 'pro.plan_given'
  | 'pro.verification'
  | 'pro.marks_withdrawn'
  | 'pro.paused'
  | 'pro.resumed'
  | 'pro.closed'
  | 'pro.reopened'
  | 'pro.erased'
  | 'refund.resent'
  | 'refund.returned'
  | 'booking.disowned'
  | 'request.disowned'
  | 'review.disowned'
  | 'category.added'
  | 'category.changed'
  | 'category.merged'
  | 'service.added'
  | 'service.changed'
  | 'service.merged'
  | 'booking.moved'
  | 'booking.cancelled'
  | 'booking.noted'
  | 'message.resent'
  | 'delivery.resent'
  | 'application.sent'
  | 'application.asked'
  | 'application.approved'
  | 'application.refused'
  | 'application.reopened'
  | 'plan.added'
  | 'plan.changed'
  | 'plan.retired'
  | 'plan.offered'
  | 'review.reported'
  | 'review.kept'
  | 'customer.noted'
  | 'customer.blocked'
  | 'customer.unblocked'
  | 'booking.made'
  | 'mark.given'
  | 'mark.withdrawn'
  | 'mark.expired'
  | 'pro.moved'
  | 'pro.owner_changed'
  | 'member.invited'
  | 'member.changed'
  | 'member.ended'
  | 'key.created'
  | 'key.revoked'
  | 'endpoint.resumed'
  | 'letter.sent_again'
  | 'letter.discarded'
  | 'address.lifted'
  | 'import.started'
  | 'area.changed'
  | 'district.added'
  | 'district.changed'
  | 'district.removed'
  | 'marketplace.changed'
  | 'marketplace.opened'
  | 'text.published'
  | 'credits.given'

/** The operator's user id; null for the command line. */
export type OperatorId = string | null

export interface AuditEntry {
  readonly action: OperatorAction
  readonly reason: string | null
  readonly details: Readonly<Record<string, unknown>>
  readonly at: string
  /** The e-mail address of the operator, or of a pro who paused; null for the command line, or where an action is no user's. */
  readonly by: string | null
}

export interface NewEntry {
  id: string
  action: OperatorAction
  /** Null for what is done to a plan. */
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
