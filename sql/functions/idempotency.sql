-- Looks up the stored outcome of an idempotent request. Call it first in the transaction: concurrent requests with the
-- same key wait here until the first one's transaction ends; then they see its outcome, or run if it rolled back.
-- outcome: fresh | replay (`result` is the stored outcome) | mismatch (the key was used with a different request).
create or replace function find_idempotent(
  caller_id uuid, operation_name text, idempotency_key text, hash bytea, as_of timestamptz,
  out outcome text, out result json
)
  language plpgsql volatile as $$
declare
  kept idempotency_records;
begin
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(':', 'idempotency', caller_id, operation_name, idempotency_key), 0));
  select * into kept from idempotency_records r
  where r.account_id = caller_id and r.operation = operation_name and r.key = idempotency_key;
  if kept.expires_at <= as_of then
    delete from idempotency_records r
    where r.account_id = caller_id and r.operation = operation_name and r.key = idempotency_key;
    outcome := 'fresh';
  elsif kept.key is null then
    outcome := 'fresh';
  elsif kept.request_hash <> hash then
    outcome := 'mismatch';
  else
    outcome := 'replay';
    result := kept.result;
  end if;
end $$;

-- Stores the outcome of a request for 24 hours, in the transaction of its effect.
create or replace function keep_idempotent(
  caller_id uuid, operation_name text, idempotency_key text, hash bytea, outcome json, as_of timestamptz
) returns void
  language plpgsql volatile as $$
begin
  insert into idempotency_records (account_id, operation, key, request_hash, result, created_at, expires_at)
  values (caller_id, operation_name, idempotency_key, hash, outcome, as_of, as_of + interval '24 hours');
end $$;
