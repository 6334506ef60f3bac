-- name: findMarketplace :one on read
-- The version in use.
-- not null: min_deposit_percentage, max_deposit_percentage
select version, name, tagline, email, phone, address, accent, country, area, is_open, radius_miles, fee_cents,
  min_deposit_percentage::float8 as min_deposit_percentage, max_deposit_percentage::float8 as max_deposit_percentage,
  free_cancellation_hours, hold_minutes, pros_may_join, review_policy, operators_need_factor,
  (select jsonb_build_object('id', p.id, 'width', p.width, 'height', p.height) from brand_pictures p where p.id = v.logo) as logo,
  (select jsonb_build_object('id', p.id, 'width', p.width, 'height', p.height) from brand_pictures p where p.id = v.icon) as icon
from marketplace_versions v order by version desc limit 1

-- name: insertMarketplace :one on tx
-- Nothing when another operator has saved this version meanwhile.
insert into marketplace_versions (version, name, tagline, email, phone, address, accent, country, area, logo, icon, is_open, radius_miles, fee_cents,
  min_deposit_percentage, max_deposit_percentage, free_cancellation_hours, hold_minutes, pros_may_join,
  review_policy, operators_need_factor, by_user_id, at)
values (:version, :name, :tagline?, :email?, :phone?, :address?, :accent?, :country, :area::text::jsonb, :logo?, :icon?, :is_open, :radius_miles, :fee_cents,
  :min_deposit_percentage::float8, :max_deposit_percentage::float8, :free_cancellation_hours, :hold_minutes,
  :pros_may_join, :review_policy, :operators_need_factor, :by_user_id?, :now)
on conflict (version) do nothing
returning version

-- name: listMarketplaceVersions :many on read
-- The latest, the newest first, with the address of the operator while there is one.
-- nullable: by
select v.version, v.name, v.is_open, v.at, u.email as by from marketplace_versions v left join users u on u.id = v.by_user_id
order by v.version desc limit :limit

-- name: listDefaultsVersions :many on read
-- The versions that changed the defaults, and the first one; the newest first, with the address of the operator while there is one.
-- nullable: by
-- not null: min_deposit_percentage, max_deposit_percentage
select v.version, v.at, u.email as by, v.radius_miles, v.fee_cents,
  v.min_deposit_percentage::float8 as min_deposit_percentage, v.max_deposit_percentage::float8 as max_deposit_percentage,
  v.free_cancellation_hours, v.hold_minutes, v.pros_may_join, v.review_policy, v.operators_need_factor
from marketplace_versions v
left join marketplace_versions b on b.version = v.version - 1
left join users u on u.id = v.by_user_id
where (v.radius_miles, v.fee_cents, v.min_deposit_percentage, v.max_deposit_percentage, v.free_cancellation_hours,
    v.hold_minutes, v.pros_may_join, v.review_policy, v.operators_need_factor)
  is distinct from (b.radius_miles, b.fee_cents, b.min_deposit_percentage, b.max_deposit_percentage,
    b.free_cancellation_hours, b.hold_minutes, b.pros_may_join, b.review_policy, b.operators_need_factor)
order by v.version desc limit :limit

-- name: countDepositsOutside :one on read
-- The pros who ask for a deposit outside the limits, which hold for what pros set from then on.
-- not null: pros
select count(*)::int as pros from professionals
where active and test_account_id is null and deposit_percentage not between :min_percentage::float8 and :max_percentage::float8

-- name: findLaunchFacts :one on read
-- What a marketplace needs before it opens, and whether PostgreSQL keeps what a backup needs. Null where nothing was ever archived.
-- not null: services, cities, pros, operators, is_archiving, is_failing
select (select count(*) from services where active)::int as services,
  (select count(*) from cities)::int as cities,
  (select count(*) from professionals p
    where p.active and not is_test_pro(p.id)
      and exists (select from professional_services o where o.professional_id = p.id))::int as pros,
  (select count(*) from users where role = 'operator' and disabled_at is null and last_login_at is not null)::int as operators,
  current_setting('archive_mode') <> 'off' as is_archiving,
  extract(epoch from clock_timestamp() - a.last_archived_time)::int as archived_seconds,
  coalesce(a.last_failed_time > coalesce(a.last_archived_time, '-infinity'), false) as is_failing
from pg_stat_archiver a

-- name: listFirstPros :many on read
-- The first that joined, with the number of their services, and of those that customers book online.
-- not null: services, bookable
select p.id, p.slug, p.business_name, o.services, case when p.instant_booking_enabled then o.bookable else 0 end as bookable
from professionals p cross join lateral (
  select count(*)::int as services, (count(*) filter (where s.instant_book_enabled))::int as bookable
  from professional_services s where s.professional_id = p.id) o
where p.active and not is_test_pro(p.id)
order by p.id
limit :limit

-- name: findTestBooking :one on read
-- The latest booking under the address of an operator, and whether it is still to come.
-- not null: is_coming
select stored.id, stored.starts_at, p.time_zone, s.name as service, p.business_name, u.email,
  (b.status in ('pending', 'confirmed') and b.ends_at > :now)::boolean as is_coming
from users u join bookings stored on stored.customer_email = u.email
  cross join lateral booking_as_of(stored, :now) b
  join services s on s.id = b.service_id
  join professionals p on p.id = b.professional_id
where u.role = 'operator' and not is_test_pro(p.id)
order by stored.created_at desc
limit 1

-- name: isPlaceKnown :many on tx
select from states where country = :country limit 1

-- name: hasPros :many on tx
select from professionals limit 1

-- name: lockPros :exec on tx
-- Pros that are being created become visible before it, and new ones wait.
select lock_pros()
