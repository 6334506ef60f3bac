-- name: claimPart :one on write
-- not null: started_at
insert into payment_reconciliations as r (provider, step, started_at, next_at)
select 'stripe', 'intents', :at, :until where restored_copy() is null
on conflict (provider) do update set next_at = excluded.next_at
where r.next_at <= :at
returning step, after_id, iso_instant(started_at) as started_at, iso_instant(completed_at) as completed_at

-- name: savePart :exec on write
-- Saves where the comparison goes on, and when.
update payment_reconciliations set step = :step, after_id = :after_id?, started_at = :started_at,
  completed_at = :completed_at?, next_at = :next_at
where provider = 'stripe'

-- name: selectOurs :many on write
-- not null: intent_id
select intent_id from (
  select p.intent_id from payment_refunds r join payments p on p.id = r.payment_id
  where p.provider = 'stripe' and (r.status = 'submitted' or r.done_at >= :since)
  union
  select p.intent_id from payment_disputes d join payments p on p.id = d.payment_id where d.state = 'open'
  union
  select intent_id from payment_differences
) ours
where intent_id > :after_id order by intent_id limit :limit

-- name: sumLeft :one on write
-- not null: cents
select coalesce(sum(p.captured_cents
  - (select coalesce(sum(r.amount_cents), 0) from payment_refunds r
     where r.payment_id = p.id and r.status in ('submitted', 'done') and r.returned_otherwise is null)
  - (select coalesce(sum(d.amount_cents), 0) from payment_disputes d where d.payment_id = p.id and d.state = 'lost')),
  0)::integer as cents
from payments p where p.intent_id = :intent_id and p.captured_at is not null

-- name: selectPaymentHealth :one on read
-- not null: failed_refunds, open_disputes, differences
select (select count(*)::int from payment_refunds where status = 'failed') as failed_refunds,
  (select count(*)::int from payment_disputes where state = 'open') as open_disputes,
  (select count(*)::int from payment_differences) as differences,
  (select extract(epoch from :now::timestamptz - coalesce(completed_at, started_at))::float8
   from payment_reconciliations) as compared_seconds

-- name: selectDifferences :many on read
select intent_id, payment_id, provider_cents, our_cents from payment_differences order by found_at, intent_id
limit :limit
