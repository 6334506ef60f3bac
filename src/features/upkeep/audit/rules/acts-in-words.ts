// What the acts of the audit log are called, and who does those that no user does.
import type { OperatorAction } from '../schemas.ts'

/** What was done, as a row of the log says it. */
export const ACTS: Readonly<Record<OperatorAction, string>> = {
  'review.approved': 'Review published',
  'review.rejected': 'Review refused or taken down',
  'review.reported': 'Review reported',
  'review.kept': 'Reported review kept',
  'payment.refunded': 'Payment refunded',
  'refund.resent': 'Refund sent again',
  'refund.returned': 'Refund noted as returned',
  'pro.created': 'Pro created',
  'pro.imported': 'Pro imported',
  'pro.plan_given': 'Plan given to a pro',
  'pro.verification': 'Marks of a pro changed',
  'pro.marks_withdrawn': 'Marks of a pro withdrawn',
  'pro.paused': 'Pro paused',
  'pro.resumed': 'Pro found again',
  'pro.moved': 'Pro moved',
  'pro.owner_changed': 'Owner’s address changed',
  'pro.closed': 'Pro’s account closed',
  'pro.reopened': 'Pro’s account opened again',
  'pro.erased': 'Closed pro erased',
  'mark.expired': 'Mark expired',
  'member.invited': 'Team member’s log-in given',
  'member.changed': 'Team member’s role changed',
  'member.ended': 'Team member’s log-in ended',
  'booking.made': 'Booking made for a customer',
  'booking.moved': 'Booking moved',
  'booking.cancelled': 'Booking cancelled',
  'booking.noted': 'Note on a booking',
  'booking.disowned': 'Booking disowned',
  'request.disowned': 'Request disowned',
  'review.disowned': 'Review disowned',
  'message.resent': 'Message sent again',
  'delivery.resent': 'Webhook sent again',
  'endpoint.resumed': 'Webhook endpoint resumed',
  'letter.sent_again': 'Dead letter sent again',
  'letter.discarded': 'Dead letter discarded',
  'address.lifted': 'Address gets mail again',
  'customer.noted': 'Note on a customer',
  'customer.blocked': 'Customer blocked',
  'customer.unblocked': 'Customer’s block ended',
  'application.sent': 'Application sent',
  'application.asked': 'Applicant asked',
  'application.approved': 'Application approved',
  'application.refused': 'Application refused',
  'application.reopened': 'Application opened again',
  'import.started': 'Import of pros started',
  'category.added': 'Category added',
  'category.changed': 'Category changed',
  'category.merged': 'Category merged',
  'service.added': 'Service added',
  'service.changed': 'Service changed',
  'service.merged': 'Service merged',
  'district.added': 'District added',
  'district.changed': 'District changed',
  'district.removed': 'District removed',
  'area.changed': 'Area changed',
  'marketplace.opened': 'Marketplace opened',
  'marketplace.changed': 'Marketplace changed',
  'text.published': 'Legal text published',
  'credits.given': 'Agent tasks added',
  'plan.added': 'Plan added',
  'plan.changed': 'Plan changed',
  'plan.retired': 'Plan retired',
  'plan.offered': 'Plan offered again',
}

/** Who did what no user did. The command line has no user either. */
export function authorOf(action: OperatorAction): string {
  if (action.endsWith('.disowned')) return 'The customer'
  if (action === 'application.sent') return 'The applicant'
  if (action === 'pro.marks_withdrawn') return 'A change by the pro'
  if (action === 'pro.erased' || action === 'mark.expired') return 'By itself, when it was due'
  return 'Command line'
}
