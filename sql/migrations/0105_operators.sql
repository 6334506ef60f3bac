-- What operators did: who, when, with what, and why.
create table operator_actions (
  id uuid primary key,
  action text not null
    check (action in ('review.approved', 'review.rejected', 'payment.refunded', 'pro.verification')),
  -- The id of a review, payment or pro.
  subject_id uuid not null,
  professional_id uuid not null references professionals on delete cascade,
  -- The operator; null for the command line.
  by_user_id uuid,
  reason text check (length(reason) between 1 and 5000),
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  at timestamptz not null
);
create index operator_actions_professional on operator_actions (professional_id);
create index operator_actions_subject on operator_actions (subject_id, at desc, id desc);

-- The headers of an attempt's request, as they were sent.
alter table webhook_attempts add column request_headers jsonb;
