-- How often keys were used, by day in UTC. Counted in memory and added here every few seconds, never per request.
create table key_usage (
  key_id uuid not null references api_keys on delete cascade,
  day date not null,
  requests bigint not null check (requests > 0),
  -- Of these: answered 4xx other than 429, 429, and 5xx.
  refused bigint not null default 0,
  limited bigint not null default 0,
  failed bigint not null default 0,
  primary key (key_id, day),
  constraint key_usage_parts check (refused >= 0 and limited >= 0 and failed >= 0 and refused + limited + failed <= requests)
);
create index key_usage_day on key_usage (day);
