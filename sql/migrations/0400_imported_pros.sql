-- Operators import pros from files. The id that the file gives a pro finds it again.
alter table professionals add column external_id text;
-- 0.2.0 runs with this: its pros have no such id.
alter table professionals
  add constraint professionals_external_id check (length(external_id) between 1 and 200) not valid;

-- What a pro's line of the last import said: a later import changes only what its line says otherwise.
create table imported_pros (
  professional_id uuid primary key references professionals on delete cascade,
  -- By the name of the field, as the file wrote it.
  given jsonb not null check (jsonb_typeof(given) = 'object'),
  -- The last import had no such line, and paused the pro.
  is_missing boolean not null default false,
  imported_at timestamptz not null
);

-- Imported pros who are to be sent a link to their page, each at its time. The row goes when the link is sent.
create table pro_invitations (
  professional_id uuid primary key references professionals on delete cascade,
  by_user_id uuid references users on delete set null,
  -- Null for one that cannot be sent.
  send_at timestamptz,
  outcome text check (length(outcome) <= 1000),
  check ((send_at is null) = (outcome is not null))
);
create index pro_invitations_due on pro_invitations (send_at) where send_at is not null;
create index pro_invitations_by_user on pro_invitations (by_user_id) where by_user_id is not null;

alter table operator_actions drop constraint operator_actions_action_check;
-- 0.2.0 runs with this: the constraint allows all that it writes, and more.
alter table operator_actions add constraint operator_actions_action_check check (action in (
    'review.approved', 'review.rejected', 'payment.refunded', 'pro.created', 'pro.verification', 'pro.marks_withdrawn', 'pro.paused',
    'pro.resumed', 'refund.resent', 'refund.returned', 'booking.disowned', 'request.disowned', 'review.disowned', 'category.added',
    'category.changed', 'category.merged', 'service.added', 'service.changed', 'service.merged', 'pro.plan_given', 'plan.added',
    'plan.changed', 'plan.retired', 'plan.offered', 'booking.moved', 'booking.cancelled', 'booking.noted', 'message.resent',
    'delivery.resent', 'application.sent', 'application.asked', 'application.approved', 'application.refused',
    'application.reopened', 'pro.imported'))
    not valid;
alter table operator_actions validate constraint operator_actions_action_check;
