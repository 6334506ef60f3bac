-- Each way to name something is looked up by an index of its own; null names nothing. What many rows may match is planned as a
-- whole (materialized) and read until `:most` rows are found.

-- name: findBookings :many on read
-- Exact matches first, then the latest visit. Not those of erased customers and of test pros.
-- not null: starts_at, service
with spelt as materialized (
  select id from bookings
  where to_tsvector('simple'::regconfig, customer_name || ' ' || coalesce(address ->> 'street', '') || ' ' || coalesce(address ->> 'city', ''))
    @@ to_tsquery('simple'::regconfig, :spelt?::text)
), begun as materialized (
  select id from bookings
  where to_tsvector('simple'::regconfig, customer_name || ' ' || coalesce(address ->> 'street', '') || ' ' || coalesce(address ->> 'city', ''))
    @@ to_tsquery('simple'::regconfig, :begun?::text)
), called as materialized (
  select id from bookings
  where customer_phone is not null
    and reverse(regexp_replace(customer_phone, '\D', '', 'g')) collate "C" >= :digits?::text
    and reverse(regexp_replace(customer_phone, '\D', '', 'g')) collate "C" < :digits?::text || ':'
), named as (
  select id, 0 as place from bookings where confirmation_code = :code?::text
  union all (select id, 0 from bookings where customer_email = :email?::text limit :most::int)
  union all (select id, 0 from bookings where id between :first_id?::uuid and :last_id?::uuid limit :most::int)
  union all (select id, 1 from called limit :most::int)
  union all (select id, 2 from spelt limit :most::int)
  union all (select id, 3 from begun limit :most::int)
), found as (
  select id, min(place) as place from named group by id
)
select b.id, b.confirmation_code as code, b.status, iso_instant(b.starts_at) as starts_at, p.time_zone, b.customer_name, b.customer_email,
  b.customer_phone, coalesce(b.package_name, b.service_name) as service, p.business_name
from found join bookings b on b.id = found.id join professionals p on p.id = b.professional_id
where b.customer_email not like '%@erased.invalid' and not is_test_pro(b.professional_id)
order by found.place, lower(b.customer_name) = lower(:text::text) desc, b.starts_at desc, b.id limit :limit::int

-- name: findRequests :many on read
-- As {@link findBookings}.
-- not null: created_at
-- nullable: service
with spelt as materialized (
  select id from rfqs
  where to_tsvector('simple'::regconfig, customer_name || ' ' || coalesce(address ->> 'street', '') || ' ' || coalesce(address ->> 'city', ''))
    @@ to_tsquery('simple'::regconfig, :spelt?::text)
), begun as materialized (
  select id from rfqs
  where to_tsvector('simple'::regconfig, customer_name || ' ' || coalesce(address ->> 'street', '') || ' ' || coalesce(address ->> 'city', ''))
    @@ to_tsquery('simple'::regconfig, :begun?::text)
), called as materialized (
  select id from rfqs
  where customer_phone is not null
    and reverse(regexp_replace(customer_phone, '\D', '', 'g')) collate "C" >= :digits?::text
    and reverse(regexp_replace(customer_phone, '\D', '', 'g')) collate "C" < :digits?::text || ':'
), named as (
  (select id, 0 as place from rfqs where customer_email = :email?::text limit :most::int)
  union all (select id, 0 from rfqs where id between :first_id?::uuid and :last_id?::uuid limit :most::int)
  union all (select id, 1 from called limit :most::int)
  union all (select id, 2 from spelt limit :most::int)
  union all (select id, 3 from begun limit :most::int)
), found as (
  select id, min(place) as place from named group by id
)
select r.id, r.status, iso_instant(r.created_at) as created_at, r.customer_name, r.customer_email, r.customer_phone, s.name as service,
  p.id as professional_id, p.business_name
from found join rfqs r on r.id = found.id join professionals p on p.id = r.professional_id left join services s on s.id = r.service_id
where r.customer_email not like '%@erased.invalid' and not is_test_pro(r.professional_id)
order by found.place, lower(r.customer_name) = lower(:text::text) desc, r.created_at desc, r.id limit :limit::int

-- name: findPros :many on read
-- Exact matches first. By an e-mail address also the pro whose user has it, and the test pros of the developer with it. A test pro has the
-- address of its developer: its own gets no mail.
-- not null: place, is_test
with spelt as materialized (
  select id from professionals
  where to_tsvector('simple'::regconfig, business_name) @@ to_tsquery('simple'::regconfig, :spelt?::text)
), begun as materialized (
  select id from professionals
  where to_tsvector('simple'::regconfig, business_name) @@ to_tsquery('simple'::regconfig, :begun?::text)
), called as materialized (
  select id from professionals
  where phone is not null
    and reverse(regexp_replace(phone, '\D', '', 'g')) collate "C" >= :digits?::text
    and reverse(regexp_replace(phone, '\D', '', 'g')) collate "C" < :digits?::text || ':'
), named as (
  select id, 0 as place from professionals where slug = :slug?::text
  union all select p.id, 0 from accounts a join professionals p on p.account_id = a.id where a.email = :email?::text
  union all select p.id, 0 from users u join professionals p on p.account_id = u.account_id where u.email = :email?::text
  union all select p.id, 0 from accounts o join accounts a on a.test_of = o.id join professionals p on p.account_id = a.id where o.email = :email?::text
  union all (select id, 0 from professionals where id between :first_id?::uuid and :last_id?::uuid limit :most::int)
  union all (select id, 1 from called limit :most::int)
  union all (select id, 2 from spelt limit :most::int)
  union all (select id, 3 from begun limit :most::int)
), found as (
  select id, min(place) as place from named group by id
)
select p.id, p.slug, p.business_name, p.phone, coalesce(o.email, a.email) as email, c.name || ', ' || c.state as place, p.active as is_active,
  p.test_account_id is not null as is_test
from found join professionals p on p.id = found.id join accounts a on a.id = p.account_id join cities c on c.id = p.city_id
  left join accounts o on o.id = a.test_of
order by p.test_account_id is not null, found.place, lower(p.business_name) = lower(:text::text) desc, p.business_name, p.id limit :limit::int

-- name: findUsers :many on read
-- not null: is_disabled
-- nullable: business_name
select u.id, u.email, u.role, u.disabled_at is not null as is_disabled, p.business_name
from users u left join professionals p on p.account_id = u.account_id and u.role = 'pro'
where u.id in (
  select id from users where email = :email?::text
  union all select of_account.id from accounts a join users of_account on of_account.account_id = a.id where a.email = :email?::text
  union all (select id from users where id between :first_id?::uuid and :last_id?::uuid limit :limit::int))
order by u.email limit :limit::int

-- name: findKeys :many on read
-- Keys themselves are not stored: their last four characters are.
-- not null: is_revoked, is_expired
-- nullable: user_id
select k.id, k.name, k.mode, k.last_four, iso_instant(k.last_used_at) as last_used_at, k.revoked_at is not null as is_revoked,
  coalesce(k.expires_at <= :now, false) as is_expired, a.email as account, u.id as user_id
from api_keys k join accounts a on a.id = k.account_id
  left join lateral (select id from users where account_id = a.id order by email limit 1) u on true
where not k.is_grant and k.id in (
  (select id from api_keys where last_four = :last_four?::text limit :most::int)
  union all (select id from api_keys where id between :first_id?::uuid and :last_id?::uuid limit :most::int))
order by k.revoked_at is not null, k.created_at desc limit :limit::int

-- name: findPaymentIds :many on read
select id from payments where id between :first_id and :last_id order by id limit :limit::int

-- name: findCustomers :many on read
-- Those who have signed in, or whom operators note or block.
-- not null: id, email
select account_id as id, email from customers where email = :email
union all select id, email from customer_profiles where email = :email

-- name: findMessages :many on read
-- The latest ones to an address, or that with the number.
-- not null: created_at
select id, kind, recipient, status, iso_instant(created_at) as created_at from messages
where id in (
  (select id from messages where recipient = :email?::text order by id desc limit :limit::int)
  union all select id from messages where id = :message_id?::bigint)
order by id desc
