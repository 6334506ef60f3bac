-- name: lockCatalog :one on tx
-- Operators change the catalog one after the other: each change is checked against all of it.
select pg_advisory_xact_lock(hashtextextended('catalog', 0)) is null as locked

-- name: selectCategoryEntries :many
select k.id, k.ordinal, k.position, k.name, k.slug, k.active, to_jsonb(k.synonyms) as synonyms, (
    select coalesce(jsonb_agg(f.slug order by f.slug), '[]') from former_slugs f where f.category_id = k.id) as former_slugs
from categories k order by k.position nulls last, k.ordinal

-- name: selectServiceEntries :many
select s.id, s.ordinal, s.position, s.category_id, s.name, s.slug, s.active, s.description, s.price_type, s.unit,
  s.duration_minutes, s.at_customer, to_jsonb(s.synonyms) as synonyms, (
    select coalesce(jsonb_agg(f.slug order by f.slug), '[]') from former_slugs f where f.service_id = s.id) as former_slugs
from services s join categories k on k.id = s.category_id
order by k.position nulls last, k.ordinal, s.position nulls last, s.ordinal

-- name: saveCategory :exec on tx
insert into categories (id, ordinal, position, name, slug, synonyms, active)
values (:id, :ordinal, :position?, :name, :slug, array(select jsonb_array_elements_text(:synonyms::text::jsonb)), :active)
on conflict (id) do update set position = excluded.position, name = excluded.name, slug = excluded.slug,
  synonyms = excluded.synonyms, active = excluded.active

-- name: saveService :exec on tx
insert into services (id, ordinal, position, category_id, name, slug, synonyms, active, description, price_type, unit,
  duration_minutes, at_customer)
values (:id, :ordinal, :position?, :category_id, :name, :slug, array(select jsonb_array_elements_text(:synonyms::text::jsonb)),
  :active, :description?, :price_type, :unit?, :duration_minutes, :at_customer)
on conflict (id) do update set position = excluded.position, category_id = excluded.category_id, name = excluded.name,
  slug = excluded.slug, synonyms = excluded.synonyms, active = excluded.active, description = excluded.description,
  price_type = excluded.price_type, unit = excluded.unit, duration_minutes = excluded.duration_minutes,
  at_customer = excluded.at_customer

-- name: deleteFormerSlug :exec on tx
-- A slug that is in use again is no former one.
delete from former_slugs where slug = :slug

-- name: insertFormerSlug :exec on tx
insert into former_slugs (slug, category_id, service_id, replaced_at) values (:slug, :category_id?, :service_id?, :now)
on conflict do nothing
