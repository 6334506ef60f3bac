-- name: selectRefunds :many on write
-- not null: amount_cents
select id, amount_cents, reason, note, status, failure, returned_otherwise, attempts, created_at, done_at, provider_refund_id
from payment_refunds where payment_id = :id order by created_at desc, id desc

-- name: selectDisputes :many on write
select provider_dispute_id, amount_cents, reason, state, is_inquiry, opened_at
from payment_disputes where payment_id = :id order by opened_at desc, id desc
