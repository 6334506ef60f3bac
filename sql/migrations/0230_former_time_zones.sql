-- The time zones that a pro had before, each until its last counted day ended (sql/functions/former_time_zones.sql).
-- Counting all days again for a change of the zone took seconds for a pro with 200,000 bookings, inside the request.
create table former_time_zones (
  professional_id uuid not null references professionals on delete cascade,
  until timestamptz not null,
  time_zone text not null,
  primary key (professional_id, until)
);
