-- What 0.1.0 calls.
create or replace function maintain_months(parent text, as_of date, before date) returns bigint
  language sql volatile as $$ select maintain_partitions(parent, 'month', as_of::timestamptz, before) $$;
comment on function maintain_months is 'Unused since 0.2.0: maintain_partitions.';
