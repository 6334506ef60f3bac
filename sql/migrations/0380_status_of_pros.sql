-- A paused pro is not found and takes no new bookings; visits that are booked stay. `active` is what searches and bookings read.
alter table professionals
  add column status text not null default 'active',
  add column paused_by_operator boolean not null default false;
update professionals set status = 'paused' where not active and test_account_id is null;
-- 0.2.0 runs with this: its pros are active, or test pros.
alter table professionals
  add constraint professionals_status check (
    status in ('active', 'paused') and active = (status = 'active' and test_account_id is null)
    and (status = 'paused' or not paused_by_operator)) not valid;

insert into state_transitions (aggregate, from_state, to_state) values
  ('pro', 'active', 'paused'), ('pro', 'paused', 'active');

alter table operator_actions drop constraint operator_actions_action_check;
-- 0.2.0 runs with this: the constraint allows all that it writes, and two actions more.
alter table operator_actions add constraint operator_actions_action_check check (action in (
    'review.approved', 'review.rejected', 'payment.refunded', 'pro.created', 'pro.verification', 'pro.marks_withdrawn', 'pro.paused',
    'pro.resumed', 'refund.resent', 'refund.returned', 'booking.disowned', 'request.disowned', 'review.disowned', 'category.added',
    'category.changed', 'category.merged', 'service.added', 'service.changed', 'service.merged', 'pro.plan_given', 'plan.added',
    'plan.changed', 'plan.retired', 'plan.offered', 'booking.moved', 'booking.cancelled', 'booking.noted', 'message.resent',
    'delivery.resent'))
    not valid;
alter table operator_actions validate constraint operator_actions_action_check;
