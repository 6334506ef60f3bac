-- name: reserve_slot :one on write
-- shape: outcome, booking, deposit_required, deposit_percentage, payment, next_available, replayed, is_by_pro
select outcome, booking, deposit_required, deposit_percentage, payment, next_available, replayed,
  acts_for_pro(:account_id?, :professional_id) as is_by_pro
from reserve_slot_for(
  pro_id => :professional_id, wanted_service_id => :service_id,
  on_day => :date?, at_minute => :minute?, at_instant => :instant?,
  duration => :duration_minutes?, by_service => :uses_service_length,
  name => :name, email => :email, phone => :phone?,
  address => :address?, description => :description?,
  source => :source, source_agent_id => :source_agent_id?,
  caller_id => :account_id?, booking_id => :booking_id, code => :confirmation_code,
  event_ids => array[:first_event_id, :second_event_id]::uuid[], traceparent => :traceparent?,
  as_of => :now, base_url => :base_url,
  operation => :operation?, idempotency_key => :key?,
  request_hash => :request_hash?,
  fee_cents => :fee_cents, hold_seconds => :hold_seconds, payment_id => :payment_id,
  provider => :payment_provider?, wanted_package_id => :package_id?,
  max_unpaid => :max_unpaid, free_cancellation_hours => :free_cancellation_hours,
  address_proof => :address_proof, network => :network?)

-- name: findAtCustomer :one on read
select at_customer from services where id = :service_id

-- name: findBookingByCode :one on read
select booking_object(booking_as_of(b, :now)) as booking
from bookings b where b.confirmation_code = :code

-- name: findReceipt :one on write
select booking_receipt(b, p, (select c.name || ', ' || c.state from cities c where c.id = p.city_id)) as receipt,
  b.hold_expires_at
from bookings stored cross join lateral booking_as_of(stored, :now) b
  join professionals p on p.id = b.professional_id
where stored.id = :id

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
