-- The counters of each pro's bookings, kept in the transaction of each change: counting 200,000 rows takes a quarter of a second.

-- Adds to the counters: `sign` is 1 for a booking as it is now, and -1 for one as it was.
create or replace function add_booking_counts(
  pro_ids uuid[], service_ids uuid[], states text[], made timestamptz[], signs integer[]
) returns void
  language plpgsql volatile as $$
begin
  with change as materialized (
    select c.pro_id, (c.at at time zone p.time_zone)::date as day, c.service_id, c.state, sum(c.sign) as bookings
    from unnest(pro_ids, service_ids, states, made, signs) c (pro_id, service_id, state, at, sign)
    join professionals p on p.id = c.pro_id
    group by c.pro_id, 2, c.service_id, c.state having sum(c.sign) <> 0
  ), days as (
    insert into pro_booking_days as d (professional_id, day, service_id, status, bookings)
    select pro_id, day, service_id, state, bookings from change order by pro_id, day, service_id, state
    on conflict (professional_id, day, service_id, status) do update set bookings = d.bookings + excluded.bookings
  )
  insert into pro_booking_counts as c (professional_id, status, bookings)
  select pro_id, state, sum(bookings) from change group by pro_id, state having sum(bookings) <> 0 order by pro_id, state
  on conflict (professional_id, status) do update set bookings = c.bookings + excluded.bookings;
end $$;

create or replace function count_new_bookings() returns trigger
  language plpgsql as $$
begin
  perform add_booking_counts(array_agg(professional_id), array_agg(service_id), array_agg(status), array_agg(created_at), array_agg(1))
  from new_rows having count(*) > 0;
  return null;
end $$;

create or replace function count_deleted_bookings() returns trigger
  language plpgsql as $$
begin
  perform add_booking_counts(array_agg(professional_id), array_agg(service_id), array_agg(status), array_agg(created_at), array_agg(-1))
  from old_rows having count(*) > 0;
  return null;
end $$;

create or replace function count_changed_bookings() returns trigger
  language plpgsql as $$
begin
  perform add_booking_counts(
    array_agg(c.professional_id), array_agg(c.service_id), array_agg(c.status), array_agg(c.created_at), array_agg(c.sign))
  from (
    select professional_id, service_id, status, created_at, 1 as sign from new_rows
    union all
    select professional_id, service_id, status, created_at, -1 from old_rows
  ) c
  -- Most changes are of something else.
  having (select array_agg((n.professional_id, n.service_id, n.status, n.created_at) order by n.id) from new_rows n)
    is distinct from (select array_agg((o.professional_id, o.service_id, o.status, o.created_at) order by o.id) from old_rows o);
  return null;
end $$;

-- Counts all bookings of these pros again; null: of all pros. After rows were loaded past the triggers.
create or replace function rebuild_booking_counts(pro_ids uuid[]) returns void
  language plpgsql volatile as $$
begin
  delete from pro_booking_days d where pro_ids is null or d.professional_id = any (pro_ids);
  delete from pro_booking_counts c where pro_ids is null or c.professional_id = any (pro_ids);
  insert into pro_booking_days (professional_id, day, service_id, status, bookings)
  select b.professional_id, (b.created_at at time zone p.time_zone)::date, b.service_id, b.status, count(*)
  from bookings b join professionals p on p.id = b.professional_id
  where pro_ids is null or b.professional_id = any (pro_ids)
  group by 1, 2, 3, 4;
  insert into pro_booking_counts (professional_id, status, bookings)
  select d.professional_id, d.status, sum(d.bookings) from pro_booking_days d
  where pro_ids is null or d.professional_id = any (pro_ids)
  group by 1, 2;
end $$;

-- A day begins elsewhere in another time zone. Bookings wait, and are then counted by the new one.
create or replace function count_days_again() returns trigger
  language plpgsql as $$
begin
  perform lock_schedule(new.id);
  perform rebuild_booking_counts(array[new.id]);
  return null;
end $$;

-- A pro's bookings in a state, as it is at an instant: a hold that was not paid in time counts as cancelled before it is swept.
create or replace function count_bookings(pro_id uuid, states text[], as_of timestamptz) returns bigint
  language plpgsql stable as $$
declare
  kept constant bigint := (
    select coalesce(sum(c.bookings), 0) from pro_booking_counts c where c.professional_id = pro_id and c.status = any (states));
  lapsed constant bigint := (
    select count(*) from bookings b where b.professional_id = pro_id and b.hold_expires_at <= as_of);
begin
  return kept + lapsed * (('cancelled' = any (states))::integer - ('pending' = any (states))::integer);
end $$;
