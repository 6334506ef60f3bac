-- name: selectDisputesOf :many on tx
-- A payment's disputes, oldest first.
select id, provider_dispute_id, amount_cents, state from payment_disputes
where payment_id = :payment_id order by opened_at, id

-- name: saveDispute :exec on tx
insert into payment_disputes as d (id, payment_id, professional_id, provider_dispute_id, amount_cents, reason, state,
  is_inquiry, opened_at, closed_at, reading)
values (:id, :payment_id, :professional_id, :provider_id, :amount_cents, :reason, :state,
  :is_inquiry, :opened_at, :closed_at?, :reading)
on conflict on constraint payment_disputes_provider_key do update
set amount_cents = excluded.amount_cents, reason = excluded.reason, state = excluded.state,
  is_inquiry = excluded.is_inquiry, reading = excluded.reading,
  closed_at = case when d.state = excluded.state then d.closed_at else excluded.closed_at end
where d.reading < excluded.reading
