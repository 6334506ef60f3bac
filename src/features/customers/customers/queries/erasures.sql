-- name: upsertErasureRequest :exec on write
insert into erasure_requests (account_id, requested_at, next_attempt_at) values (:account_id, :at, :at)
on conflict (account_id) do update
  set requested_at = excluded.requested_at, next_attempt_at = excluded.next_attempt_at, attempts = 0, open_work = null
  where erasure_requests.next_attempt_at is null

-- name: findErasureRequest :one on write
-- not null: is_due
select requested_at, next_attempt_at is not null as is_due, open_work
from erasure_requests where account_id = :account_id

-- name: claimErasure :one on write
-- Claims the request that is due longest until `leaseEndsAt`: after the death of its worker it is due again then.
update erasure_requests r set next_attempt_at = :lease_ends_at, attempts = attempts + 1
from customers c
where c.account_id = r.account_id and r.account_id = (
  select account_id from erasure_requests where next_attempt_at <= :now
  order by next_attempt_at limit 1 for update skip locked)
returning r.account_id, c.email, r.attempts

-- name: endErasureRequest :exec on write
-- Ends a request that was refused or that failed for good.
update erasure_requests set next_attempt_at = null, open_work = :open_work?
where account_id = :account_id
