-- name: selectOffers :many on read
select json_build_object(
  'serviceId', s.id, 'name', s.name, 'slug', s.slug, 'description', o.description, 'priceType', o.price_type,
  'unit', o.unit, 'basePrice', dollars(o.base_price_cents), 'minPrice', dollars(o.min_price_cents),
  'maxPrice', dollars(o.max_price_cents), 'durationMinutes', coalesce(o.duration_minutes, s.duration_minutes),
  'instantBookEnabled', o.instant_book_enabled, 'package', package_object(k)) as offer
from professional_services o join services s on s.id = o.service_id and s.active
left join packages k on k.professional_id = o.professional_id and k.service_id = o.service_id and k.active
where o.professional_id = :professional_id and (:service_id?::uuid is null or s.id = :service_id?)
order by s.ordinal

-- name: lockOffer :many on tx
select from professional_services
where professional_id = :professional_id and service_id = :service_id for update

-- name: updateOffer :exec on tx
update professional_services set description = :description?, price_type = :price_type,
  unit = :unit?,
  base_price_cents = :base_price_cents?, min_price_cents = :min_price_cents?,
  max_price_cents = :max_price_cents?, duration_minutes = :duration_minutes,
  instant_book_enabled = :instant_book_enabled
where professional_id = :professional_id and service_id = :service_id

-- name: selectFurtherServices :many on read
-- The services of the catalog that the pro does not offer, in catalog order, without those that are being merged.
select s.id, s.name, c.name as category from services s join categories c on c.id = s.category_id
where s.active and s.merged_into is null and not exists (
  select from professional_services o where o.professional_id = :professional_id and o.service_id = s.id)
order by c.position nulls last, c.ordinal, s.position nulls last, s.ordinal

-- name: insertOffer :many on tx
insert into professional_services (professional_id, service_id, price_type, unit, duration_minutes, currency)
select :professional_id, id, price_type, unit, duration_minutes, marketplace_currency() from services
where id = :service_id and active and merged_into is null for share
on conflict do nothing returning service_id

-- name: deleteOffer :many on tx
delete from professional_services
where professional_id = :professional_id and service_id = :service_id returning service_id
