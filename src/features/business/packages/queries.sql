-- name: selectPackages :one on read
-- not null: total
with matching as (
  select k.id, k.price_cents from packages k
  join professionals p on p.id = k.professional_id and is_visible(p.active, p.test_account_id, :test_account_id?) join cities c on c.id = p.city_id
  where k.active
    and (:professional_id?::uuid is null or k.professional_id = :professional_id?)
    and (:kind?::text is null or k.kind = :kind?)
    and (:service_id?::uuid is null or k.service_id = :service_id?)
    and (:city_ids?::integer[] is null or p.city_id = any (:city_ids?))
    and (:state?::text is null or c.state = :state?)
    and (:bedrooms?::integer is null or k.bedrooms is null or k.bedrooms = :bedrooms?)
    and (:max_price_cents?::integer is null or k.price_cents <= :max_price_cents?)
    and (not :is_bookable::boolean or exists (
      select from professional_services o join services s on s.id = o.service_id and s.active
      where o.professional_id = p.id and o.service_id = k.service_id
        and booking_obstacle(p, o, k.duration_minutes, true) is null))
), page as (
  select id, price_cents from matching order by price_cents, id limit :limit offset :offset
)
select (select count(*) from matching)::integer as total,
  coalesce((
    select json_agg(package_object(k) order by page.price_cents, page.id)
    from page join packages k on k.id = page.id), '[]') as packages

-- name: selectPackagesByIdOrSku :many on read
select package_object(k) as package
from packages k join professionals p on p.id = k.professional_id and is_visible(p.active, p.test_account_id, :test_account_id?)
where k.active and (k.id = any (:ids::uuid[]) or k.sku = any (:names))

-- name: countPackages :one on read
-- not null: count
select count(*)::integer as count from packages k join professionals p on p.id = k.professional_id and p.active
where k.active

-- name: selectSkus :many on read
select k.sku from packages k join professionals p on p.id = k.professional_id and p.active
where k.active order by k.id limit :limit offset :offset

-- name: upsertPackage :exec on tx
insert into packages (id, professional_id, service_id, sku, kind, name, description, price_cents, includes,
  cadence, duration_minutes, bedrooms, bathrooms, currency, created_at, updated_at)
values (:id, :professional_id, :service_id, :sku, :kind, :name,
  :description?, :price_cents, :includes, :cadence,
  :duration_minutes, :bedrooms?, :bathrooms?, marketplace_currency(), :now, :now)
on conflict on constraint packages_offer_key do update set
  kind = excluded.kind, name = excluded.name, description = excluded.description,
  price_cents = excluded.price_cents, includes = excluded.includes, cadence = excluded.cadence,
  duration_minutes = excluded.duration_minutes, bedrooms = excluded.bedrooms, bathrooms = excluded.bathrooms,
  active = true, updated_at = excluded.updated_at

-- name: deactivatePackage :exec on tx
-- Deactivates the offer's package. Its row keeps the sku for a later reactivation.
update packages set active = false, updated_at = :now
where professional_id = :professional_id and service_id = :service_id and active
