-- name: lockSlug :one on tx
-- Pros of one name in one city are created one after the other: each looks for a slug that is free.
select pg_advisory_xact_lock(hashtextextended('slug:' || :slug::text, 0)) is null as locked

-- name: insertPro :one on tx
-- Open on weekdays, without services and without a mark. A slug that another pro has gets a number. No row for an account or an external
-- id that another pro has.
with slugs as (
  select case n when 1 then :slug else :slug || '-' || n end as slug from generate_series(1, 1000) n
)
insert into professionals (id, account_id, external_id, slug, business_name, phone, city_id, latitude, longitude, time_zone, service_radius_miles,
  plan, business_hours, created_at, updated_at)
select :id, :account_id, :external_id?, (
    select s.slug from slugs s where not exists (select from professionals p where p.slug = s.slug) order by length(s.slug), s.slug limit 1),
  :business_name, :phone?, c.id, :latitude, :longitude, c.time_zone, :radius, :plan, (
    select jsonb_object_agg(day, case when day in ('saturday', 'sunday') then '[]' else '[{"start":"09:00","end":"17:00"}]' end::jsonb)
    from unnest('{monday,tuesday,wednesday,thursday,friday,saturday,sunday}'::text[]) day),
  :now, :now
from cities c where c.id = :city_id
on conflict do nothing
returning slug, time_zone

-- name: hasExternalId :one on tx
-- not null: has
select exists (select from professionals where external_id = :external_id) as has

-- name: lockProStatus :one on tx
-- The status of a pro, locked until the transaction ends, with what a message about it names.
-- type: status 'active' | 'paused' | 'closed'
select p.status, p.paused_by_operator, p.account_id, p.business_name, p.time_zone, a.email
from professionals p join accounts a on a.id = p.account_id
where p.id = :id and p.test_account_id is null for update of p

-- name: saveProStatus :exec on tx
-- A trigger changes what search finds.
update professionals set status = :status, paused_by_operator = :paused_by_operator, active = (:status = 'active'), updated_at = :now
where id = :id
