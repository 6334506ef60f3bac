-- Whether a creating request was answered before. Call it first in the transaction: of several with the same key, the
-- others wait here until the first one's transaction ends, then see what it kept, or go on in its place.
-- outcome: fresh | replay (`result` is what was kept) | mismatch (the key came with another request before).
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

-- Keeps the outcome of a request for 24 hours, in the transaction that made it.
create or replace function keep_idempotent(
  caller_id uuid, operation_name text, idempotency_key text, hash bytea, outcome json, as_of timestamptz
) returns void
  language plpgsql volatile as $$
begin
  insert into idempotency_records (account_id, operation, key, request_hash, result, created_at, expires_at)
  values (caller_id, operation_name, idempotency_key, hash, outcome, as_of, as_of + interval '24 hours');
end $$;
