-- name: lockImports :one on tx
-- Parts of imports come one after the other: two that run at once do not create a pro twice.
select pg_advisory_xact_lock(hashtextextended('imports of pros', 0)) is null as locked

-- name: lockSlugs :many on tx
-- As lockSlug of pros, in one order.
select pg_advisory_xact_lock(hashtextextended('slug:' || slug, 0)) is null as locked
from (select unnest(:slugs::text[]) as slug order by 1) s

-- name: lockImported :many on tx
-- The pros with these ids of their own, locked until the transaction ends, with what their last import said.
-- not null: external_id, given, is_missing, has_login
select p.id, p.external_id, p.account_id, p.status, p.latitude, p.longitude, p.service_radius_miles as radius,
  coalesce(i.given, '{}') as given, coalesce(i.is_missing, false) as is_missing, exists (select from users u where u.account_id = p.account_id and u.pro_role = 'owner') as has_login
from professionals p left join imported_pros i on i.professional_id = p.id
where p.external_id = any (:external_ids::text[]) and p.test_account_id is null
order by p.id for no key update of p

-- name: selectAddresses :many on tx
-- To whom these addresses belong: an account, which may be a pro's, or a log-in of another account.
-- nullable: account_id, kind, professional_id
select e.email, a.id as account_id, a.kind, p.id as professional_id,
  exists (select from users u where u.email = e.email and u.account_id is distinct from a.id) as is_login
from unnest(:emails::text[]) e (email)
left join accounts a on a.email = e.email
left join professionals p on p.account_id = a.id
where a.id is not null or exists (select from users u where u.email = e.email)

-- name: insertAccounts :exec on tx
insert into accounts (id, kind, email, name, created_at)
select n.id, 'pro', n.email, n.email, :now
from jsonb_to_recordset(:pros::text::jsonb) as n (id uuid, email text)

-- name: insertImportedPros :exec on tx
-- Paused until their services are there: search then takes each of them in once. Of pros with one name in one city, each gets a slug
-- that is free.
insert into professionals (id, account_id, external_id, slug, business_name, phone, website, description, city_id, latitude, longitude,
  time_zone, service_radius_miles, plan, years_of_experience, accepts_emergency, business_hours, active, status, created_at, updated_at)
select n.id, n."accountId", n."externalId", (
    select s.slug
    from (select n.slug || case g.n when 1 then '' else '-' || g.n end as slug from (select generate_series(1, 20000) as n) g) s
    where not exists (select from professionals p where p.slug = s.slug) offset n.rank limit 1),
  n."businessName", n.phone, n.website, n.description, c.id, n.latitude, n.longitude, c.time_zone, n.radius, n.plan, n.years,
  n.emergency, n.hours, false, 'paused', :now, :now
from jsonb_to_recordset(:pros::text::jsonb) as n (id uuid, "accountId" uuid, "externalId" text, slug text, rank integer,
  "businessName" text, phone text, website text, description text, "cityId" integer, latitude float8, longitude float8, radius integer,
  plan text, years integer, emergency boolean, hours jsonb)
join cities c on c.id = n."cityId"

-- name: activatePros :exec on tx
update professionals set status = 'active', active = true where id = any (:ids::uuid[])

-- name: updateImportedPros :exec on tx
-- Each row names the columns that change.
update professionals p set
  business_name = case when n.fields ? 'businessName' then n.fields ->> 'businessName' else p.business_name end,
  phone = case when n.fields ? 'phone' then n.fields ->> 'phone' else p.phone end,
  website = case when n.fields ? 'website' then n.fields ->> 'website' else p.website end,
  description = case when n.fields ? 'description' then n.fields ->> 'description' else p.description end,
  years_of_experience = case when n.fields ? 'yearsOfExperience' then (n.fields ->> 'yearsOfExperience')::integer
    else p.years_of_experience end,
  accepts_emergency = coalesce((n.fields ->> 'acceptsEmergency')::boolean, p.accepts_emergency),
  service_radius_miles = coalesce((n.fields ->> 'radius')::integer, p.service_radius_miles),
  city_id = coalesce(c.id, p.city_id),
  time_zone = coalesce(c.time_zone, p.time_zone),
  latitude = coalesce((n.fields -> 'place' ->> 'latitude')::float8, p.latitude),
  longitude = coalesce((n.fields -> 'place' ->> 'longitude')::float8, p.longitude),
  updated_at = :now
from jsonb_to_recordset(:pros::text::jsonb) as n (id uuid, fields jsonb)
left join cities c on c.id = (n.fields -> 'place' ->> 'cityId')::integer
where p.id = n.id

-- name: updateAddresses :exec on tx
-- Of accounts without a log-in.
update accounts a set email = n.email, name = n.email
from jsonb_to_recordset(:accounts::text::jsonb) as n (id uuid, email text) where a.id = n.id

-- name: deleteImportedOffers :exec on tx
delete from professional_services o
using jsonb_to_recordset(:offers::text::jsonb) as n ("professionalId" uuid, "serviceId" uuid)
where o.professional_id = n."professionalId" and o.service_id = n."serviceId"

-- name: saveImportedOffers :exec on tx
insert into professional_services (professional_id, service_id, price_type, unit, base_price_cents, min_price_cents, max_price_cents,
  duration_minutes, currency)
select n."professionalId", s.id, n."priceType", n.unit, n.base, n.min, n.max, n."durationMinutes", marketplace_currency()
from jsonb_to_recordset(:offers::text::jsonb) as n ("professionalId" uuid, "serviceId" uuid, "priceType" text, unit text, base integer,
  min integer, max integer, "durationMinutes" integer)
join services s on s.id = n."serviceId" and s.active
on conflict (professional_id, service_id) do update set price_type = excluded.price_type, unit = excluded.unit,
  base_price_cents = excluded.base_price_cents, min_price_cents = excluded.min_price_cents,
  max_price_cents = excluded.max_price_cents, duration_minutes = excluded.duration_minutes

-- name: saveGiven :exec on tx
-- What the lines said. A column that a file has not keeps what the last file with it said.
insert into imported_pros as i (professional_id, given, imported_at)
select n.id, n.given, :now from jsonb_to_recordset(:pros::text::jsonb) as n (id uuid, given jsonb)
on conflict (professional_id) do update set
  given = i.given || excluded.given, is_missing = false, imported_at = excluded.imported_at

-- name: insertImportEntries :exec on tx
insert into operator_actions (id, action, subject_id, professional_id, by_user_id, details, at)
select n.id, n.action, n."professionalId", n."professionalId", :by?, n.details, :now
from jsonb_to_recordset(:entries::text::jsonb) as n (id uuid, action text, "professionalId" uuid, details jsonb)

-- name: selectImportedAfter :many on read
-- Imported pros in the order of their ids. Each is looked up by its id.
-- not null: external_id
select p.id, p.external_id, p.status
from (select professional_id from imported_pros where professional_id > :after order by professional_id limit :limit) i
cross join lateral (select * from professionals p where p.id = i.professional_id and p.external_id is not null offset 0) p
order by p.id

-- name: saveMissing :exec on tx
-- Who is missing gets no link.
with gone as (delete from pro_invitations where professional_id = :id)
update imported_pros set is_missing = true where professional_id = :id

-- name: insertInvitations :one on tx
-- Behind those that wait: one each `gap_ms`. Pros with a log-in and those who wait already get no other.
-- not null: invited
with wanted as (
  select p.id, row_number() over (order by w.place) - 1 as place
  from unnest(:ids::uuid[]) with ordinality as w (id, place) join professionals p on p.id = w.id
  where not exists (select from users u where u.account_id = p.account_id)
    and not exists (select from pro_invitations i where i.professional_id = p.id)
), planned as (
  insert into pro_invitations (professional_id, by_user_id, send_at)
  select w.id, :by?, greatest(:now::timestamptz, (select max(send_at) from pro_invitations) + :gap_ms * interval '1 ms')
    + w.place * :gap_ms * interval '1 ms'
  from wanted w returning professional_id
)
select count(*)::integer as invited from planned

-- name: claimInvitation :one on tx
-- The first invitation that is due, until the transaction ends.
-- nullable: by
select i.professional_id, i.by_user_id as by, a.email, exists (select from users u where u.account_id = a.id and u.pro_role = 'owner') as has_login
from pro_invitations i join professionals p on p.id = i.professional_id join accounts a on a.id = p.account_id
where i.send_at <= :now order by i.send_at limit 1 for update of i skip locked

-- name: deleteInvitation :exec on tx
delete from pro_invitations where professional_id = :professional_id

-- name: refuseInvitation :exec on tx
update pro_invitations set send_at = null, outcome = :outcome where professional_id = :professional_id
