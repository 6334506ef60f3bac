-- The longest interval of a week's business hours in minutes: no appointment can be longer.
create function longest_interval_minutes(business_hours jsonb) returns integer
  language sql immutable strict parallel safe as $$
  select coalesce(max(
    left(hours ->> 'end', 2)::integer * 60 + right(hours ->> 'end', 2)::integer
    - left(hours ->> 'start', 2)::integer * 60 - right(hours ->> 'start', 2)::integer), 0)
  from jsonb_each(business_hours) day
  cross join lateral jsonb_array_elements(day.value) hours
$$;

alter table professionals add column longest_interval_minutes integer not null
  generated always as (longest_interval_minutes(business_hours)) stored;
