-- Whether customers can book a pro's service at once. The reservation, the lists of times and search share these functions.

-- How long a service takes with a pro, in minutes.
create or replace function service_minutes(offer professional_services, service services) returns integer
  language sql immutable parallel safe as $$
  select coalesce(offer.duration_minutes, service.duration_minutes)
$$;

-- Why an appointment of `minutes` for the offered service cannot be booked at once, null if it can:
-- instant_booking_off | service_unpriced (the pro takes a deposit, which is a share of the price) | service_too_long
-- (longer than every interval of the business hours). A package has a price, so `has_price` is true for it.
create or replace function booking_obstacle(
  pro professionals, offer professional_services, minutes integer, has_price boolean default false
) returns text
  language sql immutable parallel safe as $$
  select case
    when not (pro.instant_booking_enabled and offer.instant_book_enabled) then 'instant_booking_off'
    when pro.deposit_required and not has_price and coalesce(offer.base_price_cents, offer.min_price_cents) is null
      then 'service_unpriced'
    when minutes > pro.longest_interval_minutes then 'service_too_long'
  end
$$;

-- Whether at least one service of the pro can be booked at once.
create or replace function has_bookable_service(pro professionals) returns boolean
  language sql stable parallel safe as $$
  select exists (
    select from professional_services o
    join services s on s.id = o.service_id and s.active
    where o.professional_id = pro.id and booking_obstacle(pro, o, service_minutes(o, s)) is null)
$$;
