-- The keys of operators’ programs are made and ended on a page, and applicants withdraw.
alter table operator_actions drop constraint operator_actions_action_check;
-- 0.2.0 runs with this: the constraint allows all that it writes, and more.
alter table operator_actions add constraint operator_actions_action_check check (action in (
    'review.approved', 'review.rejected', 'payment.refunded', 'pro.created', 'pro.verification', 'pro.marks_withdrawn', 'pro.paused',
    'pro.resumed', 'refund.resent', 'refund.returned', 'booking.disowned', 'request.disowned', 'review.disowned', 'category.added',
    'category.changed', 'category.merged', 'service.added', 'service.changed', 'service.merged', 'pro.plan_given', 'plan.added',
    'plan.changed', 'plan.retired', 'plan.offered', 'booking.moved', 'booking.cancelled', 'booking.noted', 'message.resent',
    'delivery.resent', 'application.sent', 'application.asked', 'application.approved', 'application.refused', 'application.reopened',
    'pro.imported', 'pro.closed', 'pro.reopened', 'pro.erased', 'review.reported', 'review.kept', 'customer.noted',
    'customer.blocked', 'customer.unblocked', 'booking.made', 'mark.expired', 'pro.moved',
    'pro.owner_changed', 'member.invited', 'member.changed', 'member.ended', 'endpoint.resumed',
    'letter.sent_again', 'letter.discarded', 'address.lifted', 'import.started', 'district.added', 'district.changed',
    'district.removed', 'area.changed', 'marketplace.opened', 'marketplace.changed', 'text.published', 'credits.given',
    'key.created', 'key.revoked', 'application.withdrawn'))
    not valid;
-- Reads the rows that were there before, while writers go on.
alter table operator_actions validate constraint operator_actions_action_check;
