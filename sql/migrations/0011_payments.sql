-- Bookings that wait for money: the hold, the payment, its refund; and the team that bookings are given to.

-- Who works for a pro. One who leaves stays in the table, because past bookings name them.
create table members (
  id uuid primary key,
  professional_id uuid not null references professionals,
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 320),
  role text not null check (role in ('manager', 'crew', 'office')),
  active boolean not null default true,
  created_at timestamptz not null,
  removed_at timestamptz,
  constraint members_of_professional unique (professional_id, id),
  check (active = (removed_at is null))
);
create unique index members_email_key on members (professional_id, lower(email)) where active;
create index members_professional on members (professional_id, created_at desc, id desc) where active;

alter table bookings
  -- Until when an unpaid booking keeps its time. Past it the booking counts as cancelled, whether or not anyone has
  -- written that down yet: see booking_as_of().
  add column hold_expires_at timestamptz,
  -- The id that the event of that cancellation will have. Given with the hold, so that whoever writes it down (another
  -- customer's reservation, the sweeper) makes the same event, and the outbox takes it once.
  add column lapse_event_id uuid,
  add column assigned_member_id uuid,
  add constraint bookings_hold check (
    (hold_expires_at is null or status = 'pending') and ((hold_expires_at is null) = (lapse_event_id is null))),
  add constraint bookings_assigned_member foreign key (professional_id, assigned_member_id)
    references members (professional_id, id);
create index bookings_hold on bookings (hold_expires_at) where hold_expires_at is not null;
create index bookings_made on bookings (professional_id, created_at desc, id desc);
create index bookings_assigned on bookings (assigned_member_id) where assigned_member_id is not null;

-- What a booking costs before it is confirmed. The provider's own names of it come after the row: a crash in between
-- leaves an unpaid hold, which lapses.
create table payments (
  id uuid primary key,
  booking_id uuid not null references bookings,
  professional_id uuid not null references professionals,
  status text not null
    check (status in ('requires_payment', 'failed', 'succeeded', 'expired', 'refunding', 'refunded')),
  fee_cents integer not null check (fee_cents >= 0),
  deposit_cents integer not null check (deposit_cents >= 0),
  amount_cents integer not null check (amount_cents > 0 and amount_cents = fee_cents + deposit_cents),
  currency text not null default 'USD' check (currency = 'USD'),
  provider text not null check (provider in ('sandbox', 'stripe')),
  intent_id text,
  client_secret text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  -- What the provider took, which is what a refund gives back; it differs from the amount only where it is refused.
  captured_cents integer check (captured_cents > 0),
  captured_currency text check (captured_currency ~ '^[A-Z]{3}$'),
  captured_at timestamptz,
  -- The customer cancelled too late to have it back.
  retained boolean not null default false,
  constraint payments_booking_key unique (booking_id),
  constraint payments_intent_key unique (intent_id),
  constraint payments_client_secret_key unique (client_secret),
  constraint payments_intent check (client_secret is null or intent_id is not null),
  constraint payments_captured check (
    (status in ('succeeded', 'refunding', 'refunded')) = (captured_at is not null)
    and (captured_at is null) = (captured_cents is null) and (captured_at is null) = (captured_currency is null)
    and (status <> 'succeeded' or (captured_cents = amount_cents and captured_currency = currency))
    and (not retained or status = 'succeeded'))
);
create index payments_professional on payments (professional_id, created_at);

-- Money to give back: written with the change that makes it due, sent to the provider afterwards, until it is done.
create table payment_refunds (
  id uuid primary key,
  payment_id uuid not null references payments,
  professional_id uuid not null references professionals,
  reason text not null check (reason in ('cancelled', 'rejected', 'paid_too_late', 'wrong_amount')),
  status text not null check (status in ('pending', 'done')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  provider_refund_id text,
  created_at timestamptz not null,
  done_at timestamptz,
  constraint payment_refunds_payment_key unique (payment_id),
  check ((status = 'done') = (done_at is not null))
);
create index payment_refunds_due on payment_refunds (next_attempt_at) where status = 'pending';

-- Notifications that were taken: a provider sends each one at least once.
create table payment_notifications (
  provider text not null,
  id text not null check (length(id) <= 255),
  received_at timestamptz not null,
  primary key (provider, id)
);

insert into state_transitions (aggregate, from_state, to_state) values
  ('payment', '', 'requires_payment'),
  ('payment', 'requires_payment', 'succeeded'), ('payment', 'requires_payment', 'failed'),
  ('payment', 'requires_payment', 'expired'), ('payment', 'requires_payment', 'refunding'),
  ('payment', 'failed', 'succeeded'), ('payment', 'failed', 'expired'), ('payment', 'failed', 'refunding'),
  ('payment', 'expired', 'refunding'),
  ('payment', 'succeeded', 'refunding'),
  ('payment', 'refunding', 'refunded');
create trigger payment_transition before insert or update of status on payments
  for each row execute function check_transition('payment');
