-- name: findPricing :one on read
-- The statistics of a service in one place. `state` '' and `cityId` 0 mean everywhere.
select average_cents, median_cents, min_cents, max_cents, professional_listings, accepted_quotes,
  completed_projects, last_updated
from pricing_aggregates
where service_id = :service_id and state = :state and city_id = :city_id

-- name: refresh_changed_prices :one on write
-- not null: changes
select refresh_changed_prices(:now, :limit) as changes

-- name: setRepeatableRead :exec
set transaction isolation level repeatable read

-- name: correct_prices :one
select correct_prices(:now, :day) as drift

-- name: findLastPricingPass :one on read
-- The latest daily pass and the drift it found.
select day, drift from pricing_passes order by day desc limit 1

-- name: measurePricingLag :one on read
-- not null: waiting, oldest_seconds
select count(*)::int as waiting,
  coalesce(greatest(0, extract(epoch from :now::timestamptz - min(changed_at))), 0)::float8
    as oldest_seconds
from pricing_changes
