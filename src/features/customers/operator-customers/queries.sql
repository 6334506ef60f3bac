-- What operators see of a customer. Each list has the latest ones and their total; test pros, and what they got, are left out.

-- name: findEmail :one on read
-- The address of the customer to whom an account, booking, request, review or profile belongs; null if the customer of a profile
-- is erased.
-- nullable: email
select email from customers where account_id = :id
union all select customer_email from bookings where id = :id and not is_test_pro(professional_id)
union all select customer_email from rfqs where id = :id and not is_test_pro(professional_id)
union all select customer_email from reviews where id = :id and not is_test_pro(professional_id)
union all select email from customer_profiles where id = :id

-- name: findPerson :one on read
-- As the latest record has it that the owner of the address has not disowned.
-- nullable: name, phone, since
with records as materialized (
  select customer_name as name, customer_phone as phone, created_at, disowned_at from bookings
  where customer_email = :email::text and not is_test_pro(professional_id)
  union all
  select customer_name, customer_phone, created_at, disowned_at from rfqs
  where customer_email = :email::text and not is_test_pro(professional_id)
  union all
  select customer_name, null, created_at, disowned_at from reviews
  where customer_email = :email::text and not is_test_pro(professional_id)
)
select (select name from records where disowned_at is null order by created_at desc limit 1) as name,
  (select phone from records where disowned_at is null and phone is not null order by created_at desc limit 1) as phone,
  iso_instant(least(
    (select min(created_at) from records), (select created_at from customers where email = :email::text))) as since

-- name: selectBookings :many on read
-- `open`: how many of all wait or are confirmed, so that they take place.
-- not null: total, open, starts_at, service, status
select b.id, b.confirmation_code as code, iso_instant(b.starts_at) as starts_at, p.time_zone, coalesce(b.package_name, b.service_name) as service,
  p.id as professional_id, p.business_name, case when b.disowned_at is null then b.status else 'disowned' end as status,
  (count(*) over ())::int as total,
  (count(*) filter (where b.status in ('pending', 'confirmed') and b.disowned_at is null) over ())::int as open
from bookings b join professionals p on p.id = b.professional_id
where b.customer_email = :email and p.test_account_id is null
order by b.created_at desc, b.id desc limit :limit

-- name: selectRequests :many on read
-- not null: total, created_at, status
-- nullable: service
select r.id, iso_instant(r.created_at) as created_at, s.name as service, p.id as professional_id, p.business_name,
  case when r.disowned_at is null then r.status else 'disowned' end as status, (count(*) over ())::int as total
from rfqs r join professionals p on p.id = r.professional_id left join services s on s.id = r.service_id
where r.customer_email = :email and p.test_account_id is null
order by r.created_at desc, r.id desc limit :limit

-- name: selectReviews :many on read
-- not null: total, created_at, status
select v.id, iso_instant(v.created_at) as created_at, v.rating, p.id as professional_id, p.business_name,
  case when v.disowned_at is null then v.status else 'disowned' end as status, (count(*) over ())::int as total
from reviews v join professionals p on p.id = v.professional_id
where v.customer_email = :email and p.test_account_id is null
order by v.created_at desc, v.id desc limit :limit

-- name: selectMessages :many on read
-- not null: total, created_at
select id, kind, status, iso_instant(created_at) as created_at, (count(*) over ())::int as total
from messages where recipient = :email order by id desc limit :limit

-- name: selectBlocks :many on read
-- Of pros. Why is theirs alone.
-- not null: total, created_at
select p.id as professional_id, p.business_name, iso_instant(k.created_at) as created_at, (count(*) over ())::int as total
from customer_blocks k join professionals p on p.id = k.professional_id
where k.email = :email and p.test_account_id is null
order by k.created_at desc, k.id desc limit :limit

-- name: findProfile :one on read
-- Of a customer, also one who was blocked before an erasure, or by its id.
-- nullable: blocked_at, block_reason
select id, iso_instant(blocked_at) as blocked_at, block_reason from customer_profiles
where email = :email?::text or id = :id?::uuid or (email is null and email_digest = customer_digest(id, :email?::text))
order by email is null limit 1

-- name: returnProfile :many on tx
-- A customer who was erased while blocked, and is back.
update customer_profiles set email = :email, email_digest = null
where email is null and email_digest = customer_digest(id, :email)
  and not exists (select from customer_profiles own where own.email = :email)
returning id

-- name: makeProfile :exec on tx
insert into customer_profiles (id, email, created_at) values (:id, :email, :now) on conflict (email) do nothing

-- name: lockProfile :one on tx
-- not null: is_blocked
select id, blocked_at is not null as is_blocked from customer_profiles where email = :email for update

-- name: saveBlock :exec on tx
update customer_profiles set blocked_at = :at?, block_reason = :reason? where id = :id
