-- A network also has few times that it holds unpaid without a proven address. From now on `booked_at` is when it last booked in
-- either way; the row is kept for a day after it. What it booked for free before this migration is not counted.
alter table network_bookings
  add column free_at timestamptz,
  add column held uuid[] not null default '{}';
