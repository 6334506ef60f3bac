-- name: selectRefundsOf :many on tx
-- A payment's refunds, oldest first. The caller has locked the payment.
-- not null: amount_cents
select id, reason, status, amount_cents, note, provider_refund_id, returned_otherwise from payment_refunds where payment_id = :payment_id order by created_at, id

-- name: insertRefund :exec on tx
insert into payment_refunds (id, payment_id, professional_id, reason, status, amount_cents, note, next_attempt_at,
  created_at)
values (:id, :payment_id, :professional_id, :reason, :status,
  :part_cents?, :note?, :now, :now)

-- name: insertMadeRefund :exec on tx
insert into payment_refunds (id, payment_id, professional_id, reason, status, amount_cents, provider_refund_id, failure,
  next_attempt_at, created_at, submitted_at, done_at, failed_at)
values (:id, :payment_id, :professional_id, 'provider', :state, :amount_cents, :provider_refund_id?,
  :failure?, :now, :now, :now, :done_at?, :failed_at?)

-- name: saveRefund :exec on tx
update payment_refunds set status = :state, provider_refund_id = coalesce(provider_refund_id, :provider_refund_id?),
  failure = :failure?, submitted_at = coalesce(submitted_at, :submitted_at?),
  done_at = :done_at?, failed_at = :failed_at?
where id = :id

-- name: saveReturned :exec on tx
-- Marks a failed refund as returned without the provider.
update payment_refunds set status = 'done', done_at = :now, failed_at = null,
  returned_otherwise = :note
where id = :id

-- name: replaceRefund :exec on tx
-- Ends a refund whose money is returned in another way.
update payment_refunds set status = 'replaced' where id = :id

-- name: insertRest :exec on tx
insert into payment_refunds (id, payment_id, professional_id, reason, status, amount_cents, note, failure,
  next_attempt_at, created_at, failed_at)
select :id, payment_id, professional_id, reason, :status::text, :amount_cents::integer, note,
  case when :is_failed then failure end, :now, :now,
  case when :is_failed then failed_at end
from payment_refunds where id = :of

-- name: selectSums :one on write
-- not null: refundable_cents, failed_cents
select refundable_cents, failed_cents from payments p cross join lateral payment_sums(p)
where p.professional_id = :professional_id and p.id = :id

-- name: findRefundedPayment :one on tx
select payment_id from payment_refunds where id = :refund_id

-- name: isRefundDue :many on tx
select from payment_refunds r where r.id = :id and r.status in ('pending', 'part')
  and not exists (
    select from payment_disputes o where o.payment_id = r.payment_id and o.state = 'open' and not o.is_inquiry)

-- name: plan_refund_message :exec on tx
select plan_refund_message(:id, :now, :is_failed)
