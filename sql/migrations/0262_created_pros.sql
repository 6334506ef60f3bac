-- Operators create pros.
alter table operator_actions drop constraint operator_actions_action_check;
-- 0.2.0 runs with this: the constraint allows all that it writes, and one action more.
alter table operator_actions add constraint operator_actions_action_check check (action in (
    'review.approved', 'review.rejected', 'payment.refunded', 'pro.created', 'pro.verification', 'pro.marks_withdrawn', 'refund.resent',
    'refund.returned', 'booking.disowned', 'request.disowned', 'review.disowned'))
    not valid;
alter table operator_actions validate constraint operator_actions_action_check;
