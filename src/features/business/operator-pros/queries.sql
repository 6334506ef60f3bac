-- name: selectPros :many on read
-- The pros from one id to another that match, in the order in which they came. Only those of the page are read whole.
-- not null: created_at, has_login, plan_id
-- type: status 'active' | 'paused' | 'closed'
-- nullable: legal_name, license_number, license_state, insurance_carrier, asked_at, closed_at, erase_at, erased_at
-- shape: services
with page as (
  select p.id from professionals p
  where p.id >= :first_id and p.id <= :last_id and p.test_account_id is null
    and (:status?::text is null or p.status = :status?)
    and (:q::text = '' or p.id::text = lower(:q) or strpos(p.slug, lower(:q)) > 0 or strpos(lower(p.business_name), lower(:q)) > 0
      or p.account_id = (select a.id from accounts a where a.email = lower(:q)))
  order by p.id limit :limit
)
select p.id, p.external_id, p.slug, p.business_name, p.status, p.paused_by_operator, a.email,
  exists (select from users u where u.account_id = p.account_id and u.pro_role = 'owner') as has_login, p.phone, p.website, c.name as city, c.state,
  p.latitude, p.longitude, p.time_zone, p.service_radius_miles, current.id as plan_id, p.verified, p.background_check, p.insurance, p.credentials,
  e.legal_name, e.license_number, e.license_state, e.insurance_carrier, iso_instant(v.asked_at) as asked_at,
  coalesce((
    select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
    from professional_services o join services s on s.id = o.service_id where o.professional_id = p.id), '[]') as services,
  iso_instant(k.closed_at) as closed_at, iso_instant(k.erase_at) as erase_at, iso_instant(k.erased_at) as erased_at,
  iso_instant(p.created_at) as created_at
from page join professionals p on p.id = page.id
join accounts a on a.id = p.account_id join cities c on c.id = p.city_id
cross join lateral current_plan(p, :now::timestamptz) current
left join pro_business_entities e on e.professional_id = p.id
left join verification_requests v on v.professional_id = p.id and v.refused_at is null
left join pro_closings k on k.professional_id = p.id
order by p.id

-- name: findByExternalId :one on read
select id from professionals where external_id = :external_id and test_account_id is null
