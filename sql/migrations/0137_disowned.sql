-- When the owner of the customer's address said that they did not make this: it is off their list from then on.
alter table bookings add column disowned_at timestamptz;
alter table rfqs add column disowned_at timestamptz;

-- 0.1.0 runs with this: it writes the actions that were allowed before.
alter table operator_actions drop constraint operator_actions_action_check,
  add constraint operator_actions_action_check check (action in (
    'review.approved', 'review.rejected', 'payment.refunded', 'pro.verification', 'refund.resent', 'refund.returned',
    'booking.disowned', 'request.disowned'))
    not valid;
alter table operator_actions validate constraint operator_actions_action_check;
