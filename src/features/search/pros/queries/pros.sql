-- name: findLastSlot :one on replicas
select max(slot) as last from pro_search

-- name: selectSlugs :many on replicas
select slug from pro_search where slot between :first and :last order by slot

-- name: findServiceArea :one on read
select business_name, service_radius_miles as radius_miles, in_service_area(p, :latitude, :longitude) as contains_place
from professionals p where id = :professional_id

-- name: selectDepositTakers :many on replicas
select id from professionals where id = any (:ids::uuid[]) and deposit_required
