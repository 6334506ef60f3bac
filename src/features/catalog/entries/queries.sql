-- name: lockCatalog :one on tx
-- Operators change the catalog one after the other: each change is checked against all of it.
select pg_advisory_xact_lock(hashtextextended('catalog', 0)) is null as locked

-- name: selectCategoryEntries :many
select k.id, k.ordinal, k.position, k.name, k.slug, k.active, k.merged_into, k.replaced_at,
  to_jsonb(k.synonyms) as synonyms, (
    select coalesce(jsonb_agg(f.slug order by f.slug), '[]') from former_slugs f where f.category_id = k.id) as former_slugs
from categories k order by k.position nulls last, k.ordinal

-- name: selectServiceEntries :many
select s.id, s.ordinal, s.position, s.category_id, s.name, s.slug, s.active, s.merged_into, s.replaced_at, s.description, s.price_type,
  s.unit, s.duration_minutes, s.at_customer, s.questions, to_jsonb(s.synonyms) as synonyms, (
    select coalesce(jsonb_agg(f.slug order by f.slug), '[]') from former_slugs f where f.service_id = s.id) as former_slugs
from services s join categories k on k.id = s.category_id
order by k.position nulls last, k.ordinal, s.position nulls last, s.ordinal

-- name: saveCategory :exec on tx
insert into categories (id, ordinal, position, name, slug, synonyms, active, merged_into, replaced_at)
values (:id, :ordinal, :position?, :name, :slug, array(select jsonb_array_elements_text(:synonyms::text::jsonb)), :active,
  :merged_into?, :replaced_at?)
on conflict (id) do update set position = excluded.position, name = excluded.name, slug = excluded.slug,
  synonyms = excluded.synonyms, active = excluded.active, merged_into = excluded.merged_into,
  replaced_at = excluded.replaced_at

-- name: saveService :exec on tx
insert into services (id, ordinal, position, category_id, name, slug, synonyms, active, merged_into, replaced_at,
  description, price_type, unit, duration_minutes, at_customer, questions)
values (:id, :ordinal, :position?, :category_id, :name, :slug, array(select jsonb_array_elements_text(:synonyms::text::jsonb)),
  :active, :merged_into?, :replaced_at?, :description?, :price_type, :unit?, :duration_minutes, :at_customer, :questions)
on conflict (id) do update set position = excluded.position, category_id = excluded.category_id, name = excluded.name,
  slug = excluded.slug, synonyms = excluded.synonyms, active = excluded.active, merged_into = excluded.merged_into,
  replaced_at = excluded.replaced_at,
  description = excluded.description, price_type = excluded.price_type, unit = excluded.unit, duration_minutes = excluded.duration_minutes,
  at_customer = excluded.at_customer, questions = excluded.questions

-- name: deleteFormerSlug :exec on tx
-- A slug that is in use again is no former one.
delete from former_slugs where slug = :slug

-- name: insertFormerSlug :exec on tx
insert into former_slugs (slug, category_id, service_id, replaced_at) values (:slug, :category_id?, :service_id?, :now)
on conflict do nothing

-- name: moveFormerSlugs :exec on tx
-- What led to an entry leads to the one that it is merged into.
update former_slugs set category_id = case when category_id = :id then :into_id else category_id end,
  service_id = case when service_id = :id then :into_id else service_id end
where :id in (category_id, service_id)

-- name: lockService :exec on tx
-- Pros who begin to offer the service meanwhile wait, and then find what it is merged into.
select from services where id = :id for no key update

-- name: copyOffers :one on tx
-- not null: has_more
select copy_offers(:from_id, :into_id, :limit) as has_more

-- name: isRefreshing :one on tx
-- not null: is_refreshing
-- Whether searches lack changes of services of the category.
select exists (select from search_refreshes r join services s on s.id = r.service_id where s.category_id = :category_id) as is_refreshing

-- name: findSearchRefreshes :one
-- not null: has_refreshes
select exists (select from search_refreshes) as has_refreshes

-- name: continueSearchRefresh :one on write
-- not null: has_refreshed
select continue_search_refresh(:limit) as has_refreshed
