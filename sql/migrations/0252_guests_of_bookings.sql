-- The address of the person who is visited, where a signed-in customer books for somebody else and names it: that person is told of
-- the visit and of its changes. `account_id` is of who named it.
create table booking_guests (
  booking_id uuid primary key references bookings on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  email text not null check (email = lower(email collate "C") and length(email) between 3 and 320),
  created_at timestamptz not null
);
create index booking_guests_by_account on booking_guests (account_id, created_at);
create index booking_guests_by_email on booking_guests (email);
create index booking_guests_by_age on booking_guests (created_at);
