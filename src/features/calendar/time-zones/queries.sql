-- name: selectOffsets :many on read
select zone_offsets(name, :since, :until) as zone from unnest(:batch::text[]) name order by name

-- name: selectZonesInUse :many on read
select name from time_zones where has_time_zone(name) order by name

-- name: selectLostZones :many on read
select name from time_zones where not has_time_zone(name) order by name

-- name: replace_lost_zones :many on write
-- not null: id
select replace_lost_zones(:now) as id

-- name: selectKnownZones :many on read
-- not null: name
select name from pg_timezone_names where lower(name) = any (:names::text[]) order by name

-- name: notifyZonesChanged :exec on write
-- Has the servers load the zones again.
select pg_notify('time_zones_changed', '')

-- name: add_time_zone :one on tx
-- not null: is_zone
select add_time_zone(:name) as is_zone
