-- name: findLeaver :one on write
-- The account of a pro with those of its test mode, their users and all addresses.
-- not null: accounts, users, emails
-- shape: accounts, users, emails
with owned as (
  select a.id, a.email from professionals p join accounts a on a.id = p.account_id or a.test_of = p.account_id where p.id = :professional_id
)
select array(select id::text from owned order by id) as accounts,
  array(select u.id::text from users u where u.account_id in (select id from owned) order by u.id) as users,
  array(
    select email from owned union select u.email from users u where u.account_id in (select id from owned)
    order by 1) as emails

-- name: insertClosing :exec on tx
insert into pro_closings (professional_id, closed_at, erase_at, next_at) values (:professional_id, :now, :erase_at, :now)

-- name: deleteClosing :one on tx
-- Undefined once the pro was erased.
delete from pro_closings where professional_id = :professional_id and erased_at is null returning closed_at

-- name: findClosing :one on write
-- nullable: erased_at
select closed_at, erase_at, erased_at from pro_closings where professional_id = :professional_id

-- name: revokeKeysOf :exec on tx
with revoked as (
  update api_keys set revoked_at = :now where account_id = any (:accounts::text[]::uuid[]) and revoked_at is null returning id, hash, is_grant)
select pg_notify('keys_changed', case when is_grant then id::text else encode(hash, 'hex') end) from revoked

-- name: countOpenWork :one on write
-- not null: visits, begun_visits, jobs, requests, keys, apps, endpoints, calendars
select v.visits, v.begun_visits, (
    select count(*)::int from jobs j where j.professional_id = p.id and j.status in ('scheduled', 'in_progress') and not exists (
      select from bookings b where b.professional_id = p.id and b.job_id = j.id and b.status in ('pending', 'confirmed'))) as jobs,
  (select count(*)::int from rfqs r where r.professional_id = p.id and r.status in ('new', 'responded')
    and not exists (select from quotes q where q.rfq_id = r.id and q.status = 'accepted')) as requests,
  (select count(*)::int from api_keys k where k.account_id = p.account_id and not k.is_grant and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > :now)) as keys,
  (select count(*)::int from api_keys k where k.account_id = p.account_id and k.is_grant and k.revoked_at is null and k.expires_at > :now) as apps,
  (select count(*)::int from webhook_endpoints e where e.account_id = p.account_id) as endpoints,
  (select count(*)::int from imported_calendars c where c.professional_id = p.id)
    + (select count(*)::int from calendar_feeds f where f.professional_id = p.id) as calendars
from professionals p, lateral (
  select count(*) filter (where b.starts_at > :now)::int as visits, count(*) filter (where b.starts_at <= :now)::int as begun_visits
  from bookings b where b.professional_id = p.id and b.status in ('pending', 'confirmed')) v
where p.id = :professional_id

-- name: sumOpenPayments :many on write
-- What is paid for open visits and jobs.
-- not null: cents
select y.currency, sum(y.amount_cents)::float8 as cents from payments y
left join bookings b on b.id = y.booking_id
left join jobs j on j.quote_id = y.quote_id
where y.professional_id = :professional_id and y.status = 'succeeded'
  and (b.status in ('pending', 'confirmed') or j.status in ('scheduled', 'in_progress'))
group by y.currency order by y.currency

-- name: selectOpenVisits :many on write
select id from bookings where professional_id = :professional_id and status in ('pending', 'confirmed')
order by starts_at, id limit :limit::int

-- name: selectOpenJobs :many on write
-- nullable: customer_email, service
select j.id, r.customer_email, s.name as service
from jobs j left join quotes q on q.id = j.quote_id left join rfqs r on r.id = q.rfq_id left join services s on s.id = j.service_id
where j.professional_id = :professional_id and j.status in ('scheduled', 'in_progress') order by j.id limit :limit::int

-- name: selectOpenRequests :many on write
-- With what a message to the customer says.
-- nullable: service
select r.id, r.customer_email, s.name as service from rfqs r left join services s on s.id = r.service_id
where r.professional_id = :professional_id and r.status in ('new', 'responded') order by r.id limit :limit::int

-- name: lockOpenRequest :one on tx
-- type: status rfqs.status
-- not null: is_accepted
select r.status, exists (select from quotes q where q.rfq_id = r.id and q.status = 'accepted') as is_accepted
from rfqs r where r.id = :id for no key update of r

-- name: claimClosing :one on write
-- Takes the closing that is due longest, until `leaseEndsAt`.
-- not null: is_erasure
update pro_closings c set next_at = :lease_ends_at
from professionals p
where p.id = c.professional_id and c.professional_id = (
  select d.professional_id from pro_closings d where d.next_at <= :now order by d.next_at limit 1 for update skip locked)
returning c.professional_id, p.business_name, c.closed_at, c.erase_at, c.erase_at <= :now as is_erasure

-- name: hasMoneyToSettle :one on write
-- Whether refunds are unfinished or disputes open.
-- not null: has
select exists (select from payment_refunds r where r.status in ('pending', 'part', 'submitted') and r.professional_id = :professional_id)
  or exists (select from payment_refunds r where r.status = 'failed' and r.professional_id = :professional_id)
  or exists (select from payment_disputes d where d.professional_id = :professional_id and d.state = 'open') as has

-- name: planNextLook :exec on write
update pro_closings set next_at = :next_at where professional_id = :professional_id and erased_at is null

-- name: endClosing :exec on tx
update pro_closings set next_at = null, erased_at = :now where professional_id = :professional_id

-- name: lockClosing :one on tx
-- not null: is_open
select erased_at is null as is_open from pro_closings where professional_id = :professional_id for update

-- name: selectTestAccounts :many on tx
select id from accounts where test_of = (select p.account_id from professionals p where p.id = :professional_id) and kind <> 'pro'
