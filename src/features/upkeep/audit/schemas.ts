// The acts of the audit log and its entries.

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
  | 'application.withdrawn'
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
  | 'mark.expired'
  | 'pro.moved'
  | 'pro.owner_changed'
  | 'member.invited'
  | 'member.changed'
  | 'member.ended'
  | 'endpoint.resumed'
  | 'letter.sent_again'
  | 'letter.discarded'
  | 'address.lifted'
  | 'import.started'
  | 'district.added'
  | 'district.changed'
  | 'district.removed'
  | 'area.changed'
  | 'marketplace.opened'
  | 'marketplace.changed'
  | 'text.published'
  | 'credits.given'
  | 'key.created'
  | 'key.revoked'

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

export interface LoggedAct extends AuditEntry {
  readonly subjectId: string | null
  readonly planId: string | null
  /** Null for what is no pro's. */
  readonly pro: { readonly id: string; readonly businessName: string } | null
}
