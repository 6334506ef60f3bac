-- E-mail to people: one row per occasion and recipient, written in the transaction of the change or of the relay.
create table messages (
  -- Essential messages to one recipient are sent in this order.
  id bigint generated always as identity primary key,
  -- What it is about, such as `event:<id>` or `reminder:<booking>:<start>`: planning the same twice changes nothing.
  key text not null check (length(key) between 1 and 400),
  kind text not null,
  recipient text not null check (recipient = lower(recipient collate "C") and length(recipient) between 3 and 320),
  -- What the template needs, as of the event, without links: the sender adds them.
  data jsonb,
  -- The same, encrypted, of kinds that carry a secret. Deleted when the message is sent or given up.
  data_encrypted text,
  professional_id uuid references professionals on delete cascade,
  booking_id uuid references bookings on delete cascade,
  -- The customer whom it tells about or is sent to: an erasure deletes the row.
  customer_email text check (customer_email = lower(customer_email collate "C")),
  status text not null default 'pending'
    check (status in ('pending', 'sent', 'failed', 'suppressed', 'dropped')),
  -- Claims by a worker, and how many of them ended in an answer to try later: the retry schedule counts the latter.
  attempts integer not null default 0 check (attempts >= 0),
  refusals integer not null default 0 check (refusals between 0 and attempts),
  send_at timestamptz not null,
  -- While an attempt is in progress this is in the future: after the death of its worker, the message is due again then.
  next_attempt_at timestamptz,
  -- The server's answer, or why there was none, to the last attempt; why the message was not sent.
  outcome text check (length(outcome) <= 1000),
  traceparent text,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint messages_once unique (key, recipient),
  constraint messages_data check (data is null or data_encrypted is null),
  constraint messages_state check (
    (status = 'pending') = (next_attempt_at is not null) and (status = 'pending') = (finished_at is null)
    and (status <> 'pending' or data is not null or data_encrypted is not null))
);
create index messages_due on messages (next_attempt_at) where status = 'pending';
-- Earlier messages to the same recipient.
create index messages_waiting on messages (recipient, id) where status = 'pending';
-- How many a recipient got within an hour, and the list of the console.
create index messages_recipient on messages (recipient, finished_at);
create index messages_booking on messages (booking_id, id) where booking_id is not null;
create index messages_customer on messages (customer_email) where customer_email is not null;
create index messages_age on messages (created_at);

-- Addresses that get no messages: `bounced` none at all, `unsubscribed` none but essential ones.
create table message_suppressions (
  email text not null check (email = lower(email collate "C")),
  reason text not null check (reason in ('bounced', 'unsubscribed')),
  -- What the mail server said.
  detail text check (length(detail) <= 1000),
  created_at timestamptz not null,
  primary key (email, reason)
);

-- Messages as they were sent, while no mail server is configured (RFC 5322).
create table mailbox (
  id bigint generated always as identity primary key,
  -- Null for a test by `hearth mail test`.
  message_id bigint unique references messages on delete cascade,
  sender text not null,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  source bytea not null,
  received_at timestamptz not null
);
create index mailbox_age on mailbox (received_at);

-- How long before a visit its customer is reminded; null: not at all.
alter table professionals add column reminder_hours integer default 24;
-- 0.1.0 runs with this: it does not know the column.
alter table professionals add constraint professionals_reminder_hours
  check (reminder_hours between 1 and 168) not valid;
alter table professionals validate constraint professionals_reminder_hours;

-- The reminders of bookings that were confirmed before: plan_messages plans those of later ones.
insert into messages (key, kind, recipient, data, professional_id, booking_id, customer_email, send_at, next_attempt_at,
  created_at)
select 'reminder:' || b.id || ':' || s.starts, 'booking-reminder', b.customer_email, jsonb_build_object('startsAt', s.starts),
  b.professional_id, b.id, b.customer_email, b.starts_at - interval '24 hours', b.starts_at - interval '24 hours', now()
from bookings b
cross join lateral (select to_char(b.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as starts) s
where b.status = 'confirmed' and b.starts_at > now() + interval '24 hours' and b.customer_email not like '%@erased.invalid';
