-- Creates the partitions of the two months after `as_of`, and drops those of months that end by `before`. Returns the rows
-- that were dropped. Months up to `as_of` that lack a partition stay in the default one. Gives up when it would wait for a
-- lock longer than other statements may wait for it: the next call tries again.
create or replace function maintain_months(parent text, as_of date, before date) returns bigint
  language plpgsql volatile set lock_timeout = '500ms' as $$
declare
  month date;
  part text;
  rows_in_part bigint;
  dropped bigint := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('maintain_months ' || parent, 0)) then
    return 0;
  end if;
  for ahead in 1..2 loop
    month := date_trunc('month', as_of) + make_interval(months => ahead);
    part := parent || to_char(month, '_YYYY_MM');
    if to_regclass(quote_ident(part)) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)',
        part, parent, month, month + interval '1 month');
    end if;
  end loop;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ '_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= before
  loop
    execute format('select count(*) from %I', part) into rows_in_part;
    execute format('drop table %I', part);
    dropped := dropped + rows_in_part;
  end loop;
  return dropped;
end $$;
