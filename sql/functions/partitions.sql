-- Creates the partitions of the two weeks or months (`unit`) after `as_of`, and drops those that end by `before`. Returns the
-- rows that were dropped, except those of webhook_attempts, which go with their events. A time that lacks a partition
-- has its rows in the default one. Gives up when it would wait for a lock longer than other statements may wait for it: the
-- next call tries again.
create or replace function maintain_partitions(parent text, unit text, as_of timestamptz, before date) returns bigint
  language plpgsql volatile set lock_timeout = '500ms' as $$
declare
  step constant interval := ('1 ' || unit)::interval;
  name_format constant text := case unit when 'month' then '_YYYY_MM' else '_YYYY_MM_DD' end;
  key constant text := substring(pg_get_partkeydef(parent::regclass), '\((.+)\)');
  is_by_delivery constant boolean := key = 'delivery_id';
  first_day date;
  next_day date;
  part text;
  has_rows boolean;
  rows_in_part bigint;
  dropped bigint := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('maintain_partitions ' || parent, 0)) then
    return 0;
  end if;
  if is_by_delivery then
    -- An hour early, so that nothing that is planned after a week has one of its ids.
    first_day := date_trunc(unit, (as_of + interval '1 hour') at time zone 'UTC');
    if to_regclass(quote_ident(parent || to_char(first_day, name_format))) is not null then
      perform begin_delivery_ids(first_day);
    end if;
  end if;
  for ahead in 1..2 loop
    first_day := date_trunc(unit, as_of at time zone 'UTC') + ahead * step;
    next_day := first_day + step;
    part := parent || to_char(first_day, name_format);
    if to_regclass(quote_ident(part)) is null then
      -- Its rows cannot move out of the default partition, so that time goes on without a partition.
      execute format('select exists (select from %I where %I >= %L and %I < %L)', parent || '_default',
        key, partition_bound(is_by_delivery, first_day), key, partition_bound(is_by_delivery, next_day)) into has_rows;
      if not has_rows then
        execute format('create table %I partition of %I for values from (%L) to (%L)', part, parent,
          partition_bound(is_by_delivery, first_day), partition_bound(is_by_delivery, next_day));
      end if;
    end if;
  end loop;
  for part, first_day, next_day in
    select c.relname, d.first_day, d.first_day + step
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral to_date(substring(c.relname, '\d{4}(?:_\d\d){1,2}$'), 'YYYY_MM_DD') d (first_day)
    where i.inhparent = parent::regclass and d.first_day + step <= before
  loop
    if is_by_delivery then
      continue when has_deliveries_in_use(first_day, next_day, before);
    else
      execute format('select count(*) from %I', part) into rows_in_part;
      dropped := dropped + rows_in_part;
    end if;
    execute format('drop table %I', part);
  end loop;
  return dropped;
end $$;

create or replace function partition_bound(is_by_delivery boolean, day date) returns text
  language sql immutable as $$
  select case when is_by_delivery then first_delivery_id(day)::text else day::text end
$$;

-- The ids of deliveries grow with time: those of a week begin at a number that its first day determines. So the
-- attempts, whose key begins with the id, have partitions by week. Earlier ids are below all of these.
create or replace function first_delivery_id(day date) returns bigint
  language sql immutable as $$ select (day - date '1970-01-01') * 10000000000 $$;

-- Lets the next id be one of the week that begins on `day`, unless they are already. Call it under a lock: ids that went
-- back would be given twice.
create or replace function begin_delivery_ids(day date) returns void
  language sql volatile as $$
  select setval('webhook_deliveries_id_seq', first_delivery_id(day)) from webhook_deliveries_id_seq
  where last_value < first_delivery_id(day)
$$;

-- Whether a delivery with an id of these days is pending, or was planned after `before` because the ids were not moved on
-- in time.
create or replace function has_deliveries_in_use(from_day date, to_day date, before date) returns boolean
  language sql stable as $$
  select exists (
      select from webhook_deliveries d
      where d.state = 'pending' and d.id >= first_delivery_id(from_day) and d.id < first_delivery_id(to_day))
    or coalesce((
      select d.created_at >= before::timestamp at time zone 'UTC' from webhook_deliveries d
      where d.id < first_delivery_id(to_day) order by d.id desc limit 1), false)
$$;
