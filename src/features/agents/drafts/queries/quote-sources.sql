-- name: findService :one on read
select id, name, unit from services where id = :id and active

-- name: selectPastWork :many on read
-- The pro's latest 50 accepted quotes for a service.
-- not null: amount_cents, is_completed
select case when j.status = 'completed' then j.amount_cents else q.amount_cents end as amount_cents,
  q.amount_cents as quoted_cents, q.units::float8 as units,
  coalesce(q.units_cents, q.amount_cents)::float8 / q.units::float8
    * case when j.status = 'completed' then j.amount_cents::float8 / q.amount_cents else 1 end as unit_cents,
  coalesce(j.status = 'completed', false) as is_completed,
  greatest(ceil(extract(epoch from j.completed_at - j.started_at) / 86400), 1)::integer as days
from quotes q
join rfqs r on r.id = q.rfq_id and r.service_id = :service_id
left join jobs j on j.quote_id = q.id
where q.professional_id = :professional_id and q.status = 'accepted'
  and q.accepted_at >= :since and j.status is distinct from 'cancelled'
order by q.accepted_at desc, q.id desc limit 50

-- name: findUsualTerms :one on read
-- The pro's usual deposit and payment terms.
select p.business_name, c.state, p.deposit_required, p.deposit_percentage::float8 as deposit_percentage, (
    select q.payment_terms from quotes q
    where q.professional_id = p.id and q.payment_terms is not null and q.sent_at is not null
    order by q.created_at desc, q.id desc limit 1) as payment_terms
from professionals p join cities c on c.id = p.city_id where p.id = :professional_id
