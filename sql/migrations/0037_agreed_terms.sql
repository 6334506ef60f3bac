-- What was agreed stays with the booking: later changes of the service, the offer or the package do not reach it.
alter table bookings
  add column service_name text,
  add column price_type text,
  add column price_unit text,
  add column base_price_cents integer,
  add column min_price_cents integer,
  add column max_price_cents integer,
  add column package_name text,
  add column package_includes text[],
  add column fee_cents integer not null default 0,
  add column deposit_cents integer not null default 0,
  add column deposit_percentage numeric(5,2),
  add column free_cancellation_hours integer not null default 24,
  -- Null for bookings that were cancelled before this migration by a customer or a pro: which of them is not known.
  add column cancelled_by text,
  add column approved_at timestamptz;

-- Earlier bookings get the terms of today, which is the best that is known.
update bookings b set
  service_name = s.name,
  price_type = case when k.id is null then coalesce(o.price_type, s.price_type) else 'flat' end,
  price_unit = case when k.id is null then case when o.service_id is null then s.unit else o.unit end end,
  base_price_cents = coalesce(k.price_cents, o.base_price_cents),
  min_price_cents = case when k.id is null then o.min_price_cents end,
  max_price_cents = case when k.id is null then o.max_price_cents end,
  package_name = k.name,
  package_includes = k.includes,
  fee_cents = coalesce(y.fee_cents, 0),
  deposit_cents = coalesce(y.deposit_cents, 0),
  deposit_percentage = case when y.deposit_cents > 0 then p.deposit_percentage end,
  cancelled_by = case
    when b.cancellation_reason in ('payment_expired', 'payment_unavailable', 'not_answered', 'paid_too_late', 'wrong_amount')
      then 'hearth'
    -- Until now a pro could reject a pending booking, but not cancel a confirmed one.
    when b.status = 'cancelled' and b.confirmed_at is not null then 'customer' end
from bookings c
join professionals p on p.id = c.professional_id
join services s on s.id = c.service_id
left join professional_services o on o.professional_id = c.professional_id and o.service_id = c.service_id
left join packages k on k.id = c.package_id
left join payments y on y.booking_id = c.id
where c.id = b.id;

alter table bookings
  alter column service_name set not null,
  alter column price_type set not null,
  add constraint bookings_price check (
    price_type in ('flat', 'hourly', 'per_unit') and (price_type = 'flat') = (price_unit is null)
    and base_price_cents >= 0 and min_price_cents >= 0 and max_price_cents >= min_price_cents),
  add constraint bookings_package check (
    (package_id is null) = (package_name is null) and (package_id is null) = (package_includes is null)),
  add constraint bookings_payment check (fee_cents >= 0 and deposit_cents >= 0),
  add constraint bookings_free_cancellation check (free_cancellation_hours between 0 and 720),
  add constraint bookings_cancelled_by check (
    cancelled_by in ('customer', 'pro', 'hearth') and (cancelled_by is null or status = 'cancelled')),
  add constraint bookings_approved check (approved_at is null or confirmed_at is not null);

-- Customers who cannot book with a pro again, by e-mail address in lower case.
create table customer_blocks (
  professional_id uuid not null references professionals on delete cascade,
  email text not null check (email = lower(email) and length(email) between 3 and 320),
  reason text check (length(reason) <= 5000),
  created_at timestamptz not null,
  primary key (professional_id, email)
);

-- Whether the work is done where the customer is, so that an address is needed.
alter table services add column at_customer boolean not null default true;
