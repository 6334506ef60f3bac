-- name: selectCustomerHistory :many on read
-- The customer's latest ten requests, bookings and jobs with the pro, by e-mail address, without the subject itself.
-- not null: kind, status, date
-- nullable: service
-- type: kind 'booking' | 'job' | 'request'
with history as (
  select b.id, 'booking' as kind, b.service_id, b.status, b.starts_at as at, null::integer as cents
  from bookings b
  where b.professional_id = :professional_id and b.customer_email = :email
  union all
  select r.id, 'request', r.service_id, r.status, r.created_at, null from rfqs r
  where r.professional_id = :professional_id and r.customer_email = :email
  union all
  select j.id, 'job', j.service_id, j.status, coalesce(j.completed_at, j.created_at), j.amount_cents
  from rfqs r join quotes q on q.rfq_id = r.id join jobs j on j.quote_id = q.id
  where r.professional_id = :professional_id and r.customer_email = :email
)
select history.kind, s.name as service, history.status, (history.at at time zone p.time_zone)::date as date,
  dollars(history.cents) as amount
from history join professionals p on p.id = :professional_id left join services s on s.id = history.service_id
where history.id <> :except_id
order by history.at desc, history.id desc limit 10

-- name: selectMedia :many on read
-- Photos of a request, and of published reviews of its job.
-- not null: url, from, at
-- type: from 'request' | 'review'
select photo as url, null as caption, 'request' as "from", iso_instant(r.created_at) as at
from rfqs r cross join jsonb_array_elements_text(r.photos) photo
where r.id = :rfq_id? and r.professional_id = :professional_id
union all
select photo ->> 'url', photo ->> 'caption', 'review', iso_instant(v.created_at)
from reviews v cross join jsonb_array_elements(v.photos) photo
where v.job_id = :job_id? and v.professional_id = :professional_id and v.status = 'approved'
