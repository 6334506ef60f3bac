-- When the owner of the e-mail address of a review said that they did not write it: it is off their list, and not published.
alter table reviews add column disowned_at timestamptz;

-- A published review becomes rejected when the owner of the address disowns it.
insert into state_transitions (aggregate, from_state, to_state) values ('review', 'approved', 'rejected');

-- 0.1.0 runs with this: it writes the actions that were allowed before.
alter table operator_actions drop constraint operator_actions_action_check,
  add constraint operator_actions_action_check check (action in (
    'review.approved', 'review.rejected', 'payment.refunded', 'pro.verification', 'refund.resent', 'refund.returned',
    'booking.disowned', 'request.disowned', 'review.disowned'))
    not valid;
alter table operator_actions validate constraint operator_actions_action_check;

-- For the operators' list of what customers disowned.
create index operator_actions_disowned on operator_actions (at desc, id desc)
  where action in ('booking.disowned', 'request.disowned', 'review.disowned');
