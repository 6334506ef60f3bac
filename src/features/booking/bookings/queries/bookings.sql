-- name: reserve_slot :one on write
-- shape: outcome, booking, deposit_required, deposit_percentage, payment, next_available, replayed, listed_minutes, is_by_pro
select outcome, booking, deposit_required, deposit_percentage, payment, next_available, replayed, listed_minutes,
  acts_for_pro(:account_id?, :professional_id) as is_by_pro
from reserve_slot(
  visit => row(
    :professional_id, :service_id, :package_id?, :date?, :minute?, :instant?, :duration_minutes?, :uses_service_length),
  customer => row(:name, :email, :phone?, :address?, :description?, :address_proof, :network?),
  origin => row(:account_id?, :source, :source_agent_id?, :traceparent?),
  request => row(:operation?, :key?, :request_hash?),
  terms => row(:fee_cents, :hold_seconds, :free_cancellation_hours, :max_unpaid, :payment_provider?),
  ids => row(:booking_id, :confirmation_code, :payment_id, array[:first_event_id, :second_event_id]::uuid[]),
  as_of => :now, base_url => :base_url, at_latitude => :latitude?, at_longitude => :longitude?)

-- name: findAtCustomer :one on read
select at_customer from services where id = :service_id

-- name: findApproval :one on read
-- Whether the pro approves each booking.
select requires_approval from professionals where id = :professional_id

-- name: findBookingByCode :one on read
-- `is_own`: the account created it, or it is the signed-in customer's.
-- not null: is_own
select booking_object(booking_as_of(b, :now)) as booking,
  coalesce(b.account_id = :account_id?, false) or coalesce(b.customer_email = :customer_email?, false) and b.disowned_at is null
    and not is_test_pro(b.professional_id) as is_own
from bookings b where b.confirmation_code = :code

-- name: findReceipt :one on write
select booking_receipt(b, p, (select c.name || ', ' || c.state from cities c where c.id = p.city_id)) as receipt,
  b.hold_expires_at
from bookings stored cross join lateral booking_as_of(stored, :now) b
  join professionals p on p.id = b.professional_id
where stored.id = :id

-- name: findSameBooking :one on write
-- The booking that a caller made of the same time, pro, offer and customer, if it still holds its time.
select b.id from bookings b
where b.professional_id = :professional_id and b.starts_at = :starts_at::timestamptz and b.account_id = :account_id
  and b.service_id = :service_id and b.package_id is not distinct from :package_id?::uuid
  and b.customer_email = :email and b.status in ('pending', 'confirmed')
  and (b.hold_expires_at is null or b.hold_expires_at > :now)
limit 1

-- name: findBookingContact :one on write
select customer_name as name, customer_email as email, customer_phone as phone, address
from bookings where id = :id and proven_at is not null

-- name: listCustomerBookings :one on write
-- not null: coming, earlier
with own as materialized (
  select booking_as_of(b, :at) as booking from bookings b
  where b.customer_email = :customer_email and b.disowned_at is null and not is_test_pro(b.professional_id)),
split as materialized (
  select booking, (booking).status in ('pending', 'confirmed') and (booking).ends_at > :at as is_coming from own),
page as (
  select booking, row_number() over () as place from (
    select booking from split
    where :kind?::text is null or is_coming = (:kind? = 'coming')
    order by is_coming desc, case when is_coming then (booking).starts_at end, (booking).starts_at desc, (booking).id
    limit :limit offset :offset) listed)
select (select count(*)::int from split where is_coming) as coming,
  (select count(*)::int from split where not is_coming) as earlier,
  (select coalesce(json_agg(booking_object(booking) order by place), '[]') from page) as bookings

-- name: findProBooking :one on read
select pro_booking_object(booking_as_of(b, :now)) as booking from bookings b
where b.id = :id and b.professional_id = :professional_id
  and (:only_member_id?::uuid is null or b.assigned_member_id = :only_member_id?::uuid)

-- name: countGuests :one on tx
-- The guests whom the account named since then.
-- not null: count
select count(*)::integer as count from booking_guests where account_id = :account_id and created_at > :since

-- name: insertGuest :exec on tx
insert into booking_guests (booking_id, account_id, email, created_at) values (:booking_id, :account_id, :email, :now)

-- name: countMadeByPro :one on tx
-- The bookings that the pro made for customers since then.
-- not null: count
select count(*)::integer as count from bookings
where professional_id = :professional_id and created_at > :since and made_by = 'pro'

-- name: setMadeBy :exec on tx
update bookings set made_by = :maker where id = :id
