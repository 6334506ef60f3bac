-- name: insertSentQuote :exec on tx
with work as (select * from quoted_units(:service_id?, :professional_id, :items::text::jsonb))
insert into quotes (id, rfq_id, professional_id, status, amount_cents, units, units_cents, line_items,
  estimated_days, deposit_required, deposit_percentage, payment_terms, message, valid_until, free_cancellation_hours,
  event_sequence, created_at, sent_at)
values (:id, :rfq_id, :professional_id, 'sent', :amount_cents,
  (select units from work), (select units_cents from work), :items::text::jsonb, :estimated_days?,
  :deposit_required, :deposit_percentage?, :payment_terms?,
  :message?, :valid_until, :free_cancellation_hours, 1, :now, :now)

-- name: lockRequestOfQuote :exec on tx
-- With the requests that its customer sent to others at once, always in one order: to accept one quote closes the others.
with asked as (select r.id, r.asked_together from quotes q join rfqs r on r.id = q.rfq_id where q.id = :id)
select from rfqs r, asked
where r.id = asked.id or r.asked_together = asked.asked_together order by r.id for no key update of r

-- name: lockQuote :one on tx
-- not null: status, deposit_cents, is_blocked
-- type: status quotes.status
select q.id, quote_status(q, :now) as status, q.rfq_id, q.professional_id, r.service_id,
  q.amount_cents, q.units, quote_deposit_cents(q) as deposit_cents, q.valid_until,
  is_blocked_customer(q.professional_id, r.customer_email) as is_blocked
from quotes q join rfqs r on r.id = q.rfq_id where q.id = :id for update of q

-- name: selectOpenQuotes :many on tx
-- The quotes of a request that are sent, viewed or accepted.
-- not null: is_expired
select q.id, q.status, quote_status(q, :now) = 'expired' as is_expired
from quotes q where q.rfq_id = :rfq_id and q.status in ('sent', 'viewed', 'accepted')

-- name: saveQuoteState :one on tx
update quotes set status = :status, decline_reason = :decline_reason?,
  viewed_at = case when :status = 'viewed' then :at::timestamptz else viewed_at end,
  accepted_at = case when :status = 'accepted' then :at::timestamptz end,
  declined_at = case when :status = 'declined' then :at::timestamptz end,
  expired_at = case when :status = 'expired' then :at::timestamptz end,
  superseded_at = case when :status = 'superseded' then :at::timestamptz end,
  -- Superseding emits no event of its own; the newer quote's event implies it.
  event_sequence = event_sequence + (:status <> 'superseded')::integer
where id = :id returning event_sequence

-- name: findQuote :one on read
select quote_object(q, :now) as quote from quotes q
where q.id = :id and (:professional_id?::uuid is null or q.professional_id = :professional_id?)

-- name: selectLastQuote :one on read
select quote_object(q, :now) as quote
from (
  select * from quotes where professional_id = :professional_id
  order by created_at desc, id desc limit :searched_quotes
) q
join rfqs r on r.id = q.rfq_id and r.professional_id = q.professional_id
where r.service_id = :service_id and q.rfq_id <> :except_rfq_id and q.status <> 'draft'
order by q.created_at desc, q.id desc limit 1

-- name: expire_quotes :one on write
-- not null: expired
select expire_quotes(:now, :event_ids::text::uuid[], :traceparent?) as expired
