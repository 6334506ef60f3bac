-- Another time that a pro proposes for a booking. A booking has at most one, which ends when its state or time changes. A
-- declined one stays until then, so that the pro sees the answer.
create table booking_proposed_times (
  booking_id uuid primary key references bookings on delete cascade,
  starts_at timestamptz not null,
  message text check (length(message) <= 5000),
  created_at timestamptz not null,
  declined_at timestamptz check (declined_at >= created_at)
);

create function end_proposed_time() returns trigger language plpgsql as $$
begin
  delete from booking_proposed_times where booking_id = new.id;
  return null;
end $$;

create trigger booking_ends_proposed_time after update of status, starts_at on bookings
  for each row when (old.status <> new.status or old.starts_at <> new.starts_at) execute function end_proposed_time();

-- A customer block gets an id of its own, so that an e-mail address need not stand in a path.
alter table customer_blocks add column id uuid not null default gen_random_uuid() unique;
alter table customer_blocks alter column id drop default;
