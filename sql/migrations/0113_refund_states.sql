-- A refund has the states of the payment provider: requested (`pending`, or `part` of the payment), submitted, done, failed.
-- `replaced`: another refund or a lost dispute returns this money instead.
alter table payment_refunds
  -- When the provider accepted it.
  add column submitted_at timestamptz,
  add column failed_at timestamptz,
  -- Why the provider could not make it.
  add column failure text,
  -- How an operator returned the money without the provider.
  add column returned_otherwise text;

-- 0.1.0 runs with this: it writes the reasons and states that were allowed before, and each id of the provider once.
alter table payment_refunds
  drop constraint payment_refunds_status_check,
  add constraint payment_refunds_status_check
    check (status in ('pending', 'part', 'submitted', 'done', 'failed', 'replaced')) not valid,
  drop constraint payment_refunds_reason_check,
  -- `provider`: made in the provider's dashboard.
  add constraint payment_refunds_reason_check
    check (reason in ('cancelled', 'rejected', 'paid_too_late', 'wrong_amount', 'operator', 'provider')) not valid,
  add constraint payment_refunds_failure_check check (length(failure) between 1 and 500) not valid,
  add constraint payment_refunds_otherwise_check check (length(returned_otherwise) between 1 and 5000) not valid;
alter table payment_refunds validate constraint payment_refunds_status_check;
alter table payment_refunds validate constraint payment_refunds_reason_check;
alter table payment_refunds validate constraint payment_refunds_failure_check;
alter table payment_refunds validate constraint payment_refunds_otherwise_check;
-- 0.1.0 runs with this: it writes each id of the provider once. Refunds are few, and the index is built at once.
create unique index payment_refunds_provider on payment_refunds (provider_refund_id);
-- 0.1.0 runs with this: no row is in the index, and it is built at once.
create index payment_refunds_failed on payment_refunds (failed_at) where status = 'failed';

insert into state_transitions (aggregate, from_state, to_state) values
  ('refund', '', 'pending'), ('refund', '', 'part'),
  ('refund', '', 'submitted'), ('refund', '', 'done'), ('refund', '', 'failed'),
  ('refund', 'pending', 'submitted'), ('refund', 'pending', 'done'), ('refund', 'pending', 'failed'),
  ('refund', 'pending', 'replaced'),
  ('refund', 'part', 'submitted'), ('refund', 'part', 'done'), ('refund', 'part', 'failed'), ('refund', 'part', 'replaced'),
  ('refund', 'submitted', 'done'), ('refund', 'submitted', 'failed'),
  -- The customer's bank returned it.
  ('refund', 'done', 'failed'),
  ('refund', 'failed', 'done'), ('refund', 'failed', 'replaced'),
  ('refund', 'replaced', 'submitted'), ('refund', 'replaced', 'done'),
  -- All of it went back by a lost dispute.
  ('payment', 'succeeded', 'refunded'),
  -- A refund that was done failed later.
  ('payment', 'refunded', 'refunding'),
  -- A dispute that was lost was won later.
  ('payment', 'refunding', 'succeeded'), ('payment', 'refunded', 'succeeded');
-- 0.1.0 runs with this: it changes `pending` to `done`.
create trigger refund_transition before insert or update of status on payment_refunds
  for each row execute function check_transition('refund');

-- Customers' banks that take a payment back. The state is the provider's: an open dispute is won or lost.
create table payment_disputes (
  id uuid primary key,
  payment_id uuid not null references payments on delete cascade,
  professional_id uuid not null references professionals on delete cascade,
  provider_dispute_id text not null check (length(provider_dispute_id) between 1 and 255),
  amount_cents integer not null check (amount_cents > 0),
  -- The bank's reason, in the provider's words.
  reason text not null check (length(reason) between 1 and 255),
  state text not null check (state in ('open', 'won', 'lost')),
  -- A question of the bank, which takes no money yet. A refund answers it.
  is_inquiry boolean not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- The reading of the provider that this state is from: see payments.readings.
  reading integer not null,
  constraint payment_disputes_provider_key unique (provider_dispute_id),
  constraint payment_disputes_closed check ((state = 'open') = (closed_at is null))
);
create index payment_disputes_payment on payment_disputes (payment_id);
create index payment_disputes_open on payment_disputes (opened_at) where state = 'open';

-- How often a payment was read at its provider. A reading that began before the last applied one changes no dispute.
alter table payments add column readings integer not null default 0;
