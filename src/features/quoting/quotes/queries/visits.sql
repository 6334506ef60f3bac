-- name: findVisit :one on write
-- The visit of a quote's job; undefined before the quote is accepted.
-- not null: is_open, has_begun, can_cancel
-- nullable: booking_id
select j.status as job_status, p.id as professional_id,
  visit_minutes(p, j) as minutes, b.id as booking_id,
  coalesce(b.status in ('pending', 'confirmed'), false) as is_open, coalesce(b.starts_at <= :now, false) as has_begun, j.cancelled_by,
  j.status = 'scheduled' and coalesce(b.status = 'cancelled', true) as can_cancel
from quotes q
  join professionals p on p.id = q.professional_id
  join jobs j on j.professional_id = q.professional_id and j.quote_id = q.id
  left join lateral (
    select v.id, v.status, v.starts_at from bookings v where v.professional_id = j.professional_id and v.job_id = j.id
    order by v.status in ('pending', 'confirmed') desc, v.status <> 'cancelled' desc, v.created_at desc limit 1
  ) b on true
where q.id = :quote_id

-- name: book_visit :one on write
-- not null: outcome
-- type: outcome 'booked' | 'date_out_of_range' | 'has_visit' | 'not_possible' | 'slot_unavailable'
select outcome, visit_id from book_visit(
  pro_id => :professional_id, of_quote_id => :quote_id, on_day => :date, at_minute => :minute,
  booking_id => :booking_id, code => :confirmation_code,
  event_ids => array[:first_event_id, :second_event_id]::uuid[], traceparent => :traceparent?,
  site_account_id => :account_id, as_of => :now)
