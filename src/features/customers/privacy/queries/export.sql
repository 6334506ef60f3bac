-- name: findAccountOfExport :one on write
-- not null: created_at
select iso_instant(c.created_at) as created_at, (
  select coalesce(json_agg(json_build_object('createdAt', iso_instant(s.created_at),
    'expiresAt', iso_instant(s.expires_at)) order by s.created_at), '[]')
  from customer_sessions s where s.account_id = c.account_id) as sessions, (
  select coalesce(json_agg(json_build_object('name', k.name, 'scopes', k.scopes,
    'createdAt', iso_instant(k.created_at), 'lastUsedAt', iso_instant(k.last_used_at),
    'endedAt', iso_instant(k.revoked_at)) order by k.created_at), '[]')
  from api_keys k where k.account_id = c.account_id and k.is_grant) as connected_apps
from customers c where c.email = :email

-- name: findRefusalsOfExport :one on write
select
  (select coalesce(json_agg(json_build_object('professional', p.business_name, 'reason', k.reason,
      'createdAt', iso_instant(k.created_at)) order by k.created_at), '[]')
    from customer_blocks k join professionals p on p.id = k.professional_id where k.email = :email) as blocks,
  (select coalesce(json_agg(json_build_object('reason', s.reason, 'since', iso_instant(s.created_at))), '[]')
    from message_suppressions s where s.email = :email) as suppressed_messages,
  (select json_build_object('blockedSince', iso_instant(c.blocked_at), 'blockReason', c.block_reason, 'notes', (
      select coalesce(json_agg(json_build_object('at', iso_instant(a.at), 'about', a.action, 'text', a.reason) order by a.at, a.id), '[]')
      from operator_actions a where a.subject_id = c.id and a.reason is not null))
    from customer_profiles c where c.email = :email) as operators

-- name: selectBookingsOfExport :many on write
select booking_object(booking_as_of(b, :now))::jsonb || jsonb_build_object(
  'customerPhone', b.customer_phone, 'source', b.source, 'sourceAgentId', b.source_agent_id) as shown
from bookings b where b.id = any(:bookings::text::uuid[]) order by b.id

-- name: selectRequestsOfExport :many on write
select lead_object(r, :now) || jsonb_build_object('quotes', (
  select coalesce(jsonb_agg(quote_object(q, :now) order by q.created_at, q.id), '[]')
  from quotes q where q.rfq_id = r.id and q.status <> 'draft')) as shown
from rfqs r where r.id = any(:rfqs::text::uuid[]) order by r.id

-- name: selectJobsOfExport :many on write
select job_object(j) as shown from jobs j where j.id = any(:jobs::text::uuid[]) order by j.id

-- name: selectReviewsOfExport :many on write
select review_object(v, null)::jsonb || jsonb_build_object(
  'professional', p.business_name, 'customerName', v.customer_name, 'customerEmail', v.customer_email,
  'status', v.status, 'rejectionReason', v.rejection_reason, 'bookingId', v.booking_id, 'source', v.source) as shown
from reviews v join professionals p on p.id = v.professional_id
where v.id = any(:reviews::text::uuid[]) order by v.id

-- name: selectFilesOfExport :many on write
select file_object(f) as file from files f
where f.status = 'ready' and (f.rfq_id = any(:rfqs::text::uuid[]) or f.job_id = any(:jobs::text::uuid[])
  or f.review_id = any(:reviews::text::uuid[]))
order by f.id

-- name: selectPaymentsOfExport :many on write
select payment_object(y, false)::jsonb || jsonb_build_object(
  'bookingId', y.booking_id, 'quoteId', y.quote_id, 'provider', y.provider, 'providerReference', y.intent_id,
  'createdAt', iso_instant(y.created_at)) as shown
from payments y where y.id = any(:payments::text::uuid[]) order by y.id

-- name: selectPreparedWorkOfExport :many on write
select json_build_object('professional', p.business_name, 'kind', w.kind, 'content', w.content,
  'createdAt', iso_instant(w.created_at)) as shown
from prepared_work w join professionals p on p.id = w.professional_id
where w.kind in ('assessment_notes', 'job_spec', 'customer_message') and (w.booking_id = any(:bookings::text::uuid[])
  or w.rfq_id = any(:rfqs::text::uuid[]) or w.job_id = any(:jobs::text::uuid[]))
order by w.created_at, w.id

-- name: selectEventsOfExport :many on write
-- not null: id
with event as (
  select id, type, created_at, data -> 'object' as object from outbox_events
  where aggregate_id = any(:record_ids::text::uuid[]) and id > :after
  union all
  select v.id, v.type, v.created_at, v.body::jsonb #> '{data,object}' from webhook_events v
  where v.aggregate_id = any(:record_ids::text::uuid[]) and v.id > :after
    and not exists (select from outbox_events o where o.id = v.id)
  order by id limit :limit
)
select e.id, json_build_object('id', public_event_id(e.id), 'type', e.type, 'at', iso_instant(e.created_at),
  'data', e.object, 'sent', (
    select coalesce(json_agg(json_build_object('to', split_part(n.url, '/', 3), 'state', d.state,
      'attempts', d.attempts) order by d.id), '[]')
    from webhook_deliveries d join webhook_endpoints n on n.id = d.endpoint_id where d.event_id = e.id)) as shown
from event e order by e.id

-- name: selectApplicationsOfExport :many on write
select to_jsonb(a) - 'city_id' - 'expires_at' as shown from pro_applications a where a.email = :email
