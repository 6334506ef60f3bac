-- A pro who closes the account: found and booked no more, and erased later. Until then an operator can reopen the account.
create table pro_closings (
  professional_id uuid primary key references professionals (id) on delete cascade,
  closed_at timestamptz not null,
  -- From then on, what bookkeeping and customers do not need is erased.
  erase_at timestamptz not null check (erase_at > closed_at),
  -- When `sweep-expired` looks at it next; null once all is erased.
  next_at timestamptz,
  erased_at timestamptz check (erased_at >= erase_at),
  constraint pro_closings_end check ((next_at is null) = (erased_at is not null))
);
create index pro_closings_due on pro_closings (next_at) where next_at is not null;

alter table professionals drop constraint professionals_status;
-- 0.2.0 runs with this: the constraint allows all that it writes, and one status more.
alter table professionals
  add constraint professionals_status check (
    status in ('active', 'paused', 'closed') and active = (status = 'active' and test_account_id is null)
    and (status = 'paused' or not paused_by_operator)) not valid;

insert into state_transitions (aggregate, from_state, to_state) values
  ('pro', 'active', 'closed'), ('pro', 'paused', 'closed'), ('pro', 'closed', 'paused');

alter table operator_actions drop constraint operator_actions_action_check;
-- 0.2.0 runs with this: the constraint allows all that it writes, and more.
alter table operator_actions add constraint operator_actions_action_check check (action in (
    'review.approved', 'review.rejected', 'payment.refunded', 'pro.created', 'pro.verification', 'pro.marks_withdrawn', 'pro.paused',
    'pro.resumed', 'refund.resent', 'refund.returned', 'booking.disowned', 'request.disowned', 'review.disowned', 'category.added',
    'category.changed', 'category.merged', 'service.added', 'service.changed', 'service.merged', 'pro.plan_given', 'plan.added',
    'plan.changed', 'plan.retired', 'plan.offered', 'booking.moved', 'booking.cancelled', 'booking.noted', 'message.resent',
    'delivery.resent', 'application.sent', 'application.asked', 'application.approved', 'application.refused',
    'application.reopened', 'pro.imported', 'pro.closed', 'pro.reopened', 'pro.erased'))
    not valid;
