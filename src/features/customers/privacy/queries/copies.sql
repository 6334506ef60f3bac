-- name: findRecordsOfBookings :one on write
-- not null: payments
select array(select id from payments where booking_id = any(:ids::text::uuid[])) as payments

-- name: findRecordsOfRequests :one on write
-- not null: quotes, jobs, payments
with q as materialized (select id from quotes where rfq_id = any(:ids::text::uuid[]))
select array(select id from q) as quotes, array(select j.id from jobs j join q on j.quote_id = q.id) as jobs,
  array(select p.id from payments p join q on p.quote_id = q.id) as payments

-- name: clearResponses :one on tx
-- not null: count
with cleared as (
  update webhook_attempts t set response = null
  from webhook_events v join webhook_deliveries d on d.event_id = v.id
  where v.aggregate_id = any(:record_ids::text::uuid[]) and t.delivery_id = d.id and t.response is not null
  returning 1
)
select count(*)::int as count from cleared
