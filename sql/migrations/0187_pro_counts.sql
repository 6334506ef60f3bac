-- How much each pro has of what grows with the years, by state and by day (sql/functions/pro_counts.sql, which fills these tables
-- in the transaction that creates the triggers).
create table pro_counts (
  professional_id uuid not null references professionals on delete cascade,
  kind text not null,
  status text not null,
  total bigint not null,
  primary key (professional_id, kind, status)
) with (fillfactor = 70);

create table pro_days (
  professional_id uuid not null references professionals on delete cascade,
  day date not null,
  kind text not null,
  service_id uuid,
  status text not null,
  total bigint not null,
  cents bigint not null
) with (fillfactor = 70);
create unique index pro_days_key on pro_days (professional_id, day, kind, service_id, status) nulls not distinct;

-- What one row adds to the counters of its pro: to those of a day only with an instant.
create type pro_fact as (
  professional_id uuid,
  kind text,
  status text,
  at timestamptz,
  service_id uuid,
  total integer,
  cents bigint
);

-- What a payment adds to the pro's revenue now, in US cents.
alter table payments add column revenue_cents integer not null default 0;
