-- Attempts in partitions by the ids of their deliveries, which stand for weeks (sql/functions/partitions.sql), of which the old
-- ones are dropped. What exists becomes the first partition; its rows go with their deliveries. Workers create the weeks.
-- 0.1.0 runs with this: it names only the table, by functions, and the key is the same.
alter table webhook_attempts rename to webhook_attempts_first;
-- 0.1.0 runs with this: it does not name the constraint.
alter table webhook_attempts_first rename constraint webhook_attempts_pkey to webhook_attempts_first_pkey;

create table webhook_attempts (
  delivery_id bigint not null,
  number integer not null constraint webhook_attempts_number_check check (number > 0),
  at timestamptz not null,
  duration_ms integer not null constraint webhook_attempts_duration_ms_check check (duration_ms >= 0),
  status integer,
  error text,
  response text constraint webhook_attempts_response_check check (octet_length(response) <= 16384),
  request_headers jsonb,
  primary key (delivery_id, number),
  constraint webhook_attempts_delivery_id_fkey foreign key (delivery_id) references webhook_deliveries on delete cascade,
  constraint webhook_attempts_outcome check ((status is null) = (error is not null))
) partition by range (delivery_id);
-- 0.1.0 runs with this: the constraint of the first files says the same.
alter table webhook_attempts attach partition webhook_attempts_first for values from (minvalue) to (10000000000);
alter table webhook_attempts_first drop constraint webhook_attempts_first_ids;
create table webhook_attempts_default partition of webhook_attempts default;
