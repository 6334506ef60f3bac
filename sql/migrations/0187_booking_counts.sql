-- How many bookings each pro has, by state, and by the day on which they were made (sql/functions/booking_counts.sql).
create table pro_booking_counts (
  professional_id uuid not null references professionals on delete cascade,
  status text not null,
  bookings bigint not null,
  primary key (professional_id, status)
) with (fillfactor = 70);

create table pro_booking_days (
  professional_id uuid not null references professionals on delete cascade,
  day date not null,
  service_id uuid not null,
  status text not null,
  bookings bigint not null,
  primary key (professional_id, day, service_id, status)
) with (fillfactor = 70);

-- 0.1.0 runs with this: it does not call the functions.
create function count_new_bookings() returns trigger language plpgsql as $$ begin return null; end $$;
-- 0.1.0 runs with this: it does not call the functions.
create function count_changed_bookings() returns trigger language plpgsql as $$ begin return null; end $$;
-- 0.1.0 runs with this: it does not call the functions.
create function count_deleted_bookings() returns trigger language plpgsql as $$ begin return null; end $$;
-- 0.1.0 runs with this: it does not call the functions.
create function count_days_again() returns trigger language plpgsql as $$ begin return null; end $$;

-- 0.1.0 runs with this: its bookings count, too, and the trigger refuses nothing.
create trigger bookings_counted after insert on bookings
  referencing new table as new_rows for each statement execute function count_new_bookings();
-- 0.1.0 runs with this: the same holds for its changes.
create trigger bookings_recounted after update on bookings
  referencing old table as old_rows new table as new_rows for each statement execute function count_changed_bookings();
-- 0.1.0 runs with this: the same holds for its deletions.
create trigger bookings_uncounted after delete on bookings
  referencing old table as old_rows for each statement execute function count_deleted_bookings();
-- 0.1.0 runs with this: the same holds for its pros.
create trigger time_zone_counted after update of time_zone on professionals
  for each row when (old.time_zone <> new.time_zone) execute function count_days_again();

-- Creating the triggers locked the table against writes until the end of this transaction, so nothing is counted twice.
insert into pro_booking_days (professional_id, day, service_id, status, bookings)
select b.professional_id, (b.created_at at time zone p.time_zone)::date, b.service_id, b.status, count(*)
from bookings b join professionals p on p.id = b.professional_id
group by 1, 2, 3, 4;

insert into pro_booking_counts (professional_id, status, bookings)
select professional_id, status, sum(bookings) from pro_booking_days group by 1, 2;
