-- name: insertDraft :exec on tx
with work as (select * from quoted_units(:service_id?, :professional_id, :items::text::jsonb))
insert into quotes (id, rfq_id, professional_id, status, amount_cents, units, units_cents, line_items,
  estimated_days, deposit_required, deposit_percentage, payment_terms, message, valid_for_days,
  free_cancellation_hours, created_at)
values (:id, :rfq_id, :professional_id, 'draft', :amount_cents,
  (select units from work), (select units_cents from work), :items::text::jsonb, :estimated_days?,
  :deposit_required, :deposit_percentage?, :payment_terms?,
  :message?, :valid_for_days?, :free_cancellation_hours, :now)

-- name: updateDraft :exec on tx
update quotes set amount_cents = :amount_cents, line_items = :items::text::jsonb,
  (units, units_cents) = (
    select units, units_cents
    from quoted_units(:service_id?, :professional_id, :items::text::jsonb)),
  estimated_days = :estimated_days?, deposit_required = :deposit_required,
  deposit_percentage = :deposit_percentage?, payment_terms = :payment_terms?,
  message = :message?, valid_for_days = :valid_for_days?
where id = :id and status = 'draft'

-- name: markSent :exec on tx
-- Turns a locked draft into a sent quote.
update quotes set status = 'sent', sent_at = :now, valid_until = :valid_until,
  valid_for_days = null, free_cancellation_hours = :free_cancellation_hours, event_sequence = 1
where id = :id

-- name: deleteDraftRow :exec on tx
-- Deletes a locked draft.
delete from quotes where id = :id and status = 'draft'

-- name: findRfqOfQuote :one on tx
select rfq_id from quotes where id = :id and professional_id = :professional_id

-- name: countDrafts :one on tx
-- not null: drafts
select count(*) as drafts from quotes where rfq_id = :rfq_id and status = 'draft'
