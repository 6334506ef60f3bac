-- name: findTestAccount :one on write
select id from accounts where test_of = :account_id and kind <> 'pro'

-- name: findTestAccountOfPro :one on write
-- not null: test_account_id
select test_account_id from professionals
where (id = :id? or slug = :slug?) and test_account_id is not null

-- name: findTestAccountOfPackage :one on write
-- not null: test_account_id
select p.test_account_id from packages k
join professionals p on p.id = k.professional_id and p.test_account_id is not null
where k.sku = :sku

-- name: deleteTestRows :one on tx
-- not null: bookings, requests, reviews
select bookings, requests, reviews from delete_test_data(:test_account_id)

-- name: findTestData :one on write
-- not null: bookings, requests, reviews
with pros as (select id, slug, business_name from professionals where test_account_id = :test_account_id)
select
  (select coalesce(json_agg(json_build_object('id', id, 'slug', slug, 'businessName', business_name)
    order by slug desc), '[]') from pros) as pros,
  (select count(*)::integer from bookings where professional_id in (select id from pros)) as bookings,
  (select count(*)::integer from rfqs where professional_id in (select id from pros)) as requests,
  (select count(*)::integer from reviews where professional_id in (select id from pros)) as reviews

-- name: insertTestOffers :exec on tx
-- Lets the account's test pros offer the services at one price, except those that they offer already.
insert into professional_services (professional_id, service_id, price_type, unit, base_price_cents, currency)
select p.id, s.id, s.price_type, s.unit, :price_cents, marketplace_currency()
from professionals p
cross join (select * from services where active order by ordinal limit :services) s
where p.test_account_id = :test_account_id
on conflict do nothing
