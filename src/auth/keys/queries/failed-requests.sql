-- name: addFailedRequests :exec on write
-- Adds requests, and deletes the oldest ones of their keys beyond :kept. Rows that another process deletes right now are skipped.
with failed as (
  select f.* from rows from (jsonb_to_recordset(:requests::text::jsonb) as ("keyId" uuid, "failedAt" timestamptz, method text,
    path text, status integer, code text, detail text, errors jsonb, "requestId" text)) with ordinality f
  join api_keys k on k.id = f."keyId"
), added as (
  insert into failed_requests (key_id, failed_at, method, path, status, code, detail, errors, request_id)
  select "keyId", "failedAt", method, path, status, code, detail, errors, "requestId" from failed order by ordinality
), displaced as (
  select r.id from failed_requests r where r.id in (
    select o.id from (select distinct "keyId" from failed) f cross join lateral (
      select r.id from failed_requests r where r.key_id = f."keyId" order by r.id desc offset :kept::integer) o)
  order by r.id for update skip locked
)
delete from failed_requests r using displaced d where r.id = d.id

-- name: selectFailedRequests :many on read
-- The last failed requests with the account's keys, newest first.
-- not null: code, detail, errors
select f.key_id, k.name, k.last_four, k.is_grant, f.failed_at, f.method, f.path, f.status, f.code, f.detail, f.errors, f.request_id
from failed_requests f join api_keys k on k.id = f.key_id
where k.account_id in (
    select :account_id::uuid union all select p.account_id from professionals p where p.test_account_id = :account_id)
  and f.failed_at >= :from
order by f.id desc limit :limit::integer
