-- Whether customers can book a pro's service at once. The reservation, the lists of times and search share these functions.

-- How long a service takes with a pro, in minutes.
create or replace function service_minutes(offer professional_services, service services) returns integer
  language sql immutable parallel safe as $$
  select coalesce(offer.duration_minutes, service.duration_minutes)
$$;

-- Why an appointment of `minutes` for the offered service cannot be booked at once, null if it can:
-- instant_booking_disabled | service_unpriced (the pro takes a deposit, which is a share of the price) | service_too_long
-- (longer than every interval of the business hours). A package has a price, so `has_price` is true for it.
create or replace function booking_obstacle(
  pro professionals, offer professional_services, minutes integer, has_price boolean default false
) returns text
  language sql immutable parallel safe as $$
  select case
    when not (pro.instant_booking_enabled and offer.instant_book_enabled) then 'instant_booking_disabled'
    when pro.deposit_required and not has_price and coalesce(offer.base_price_cents, offer.min_price_cents) is null
      then 'service_unpriced'
    when minutes > pro.longest_interval_minutes then 'service_too_long'
  end
$$;

-- Whether at least one service of the pro can be booked at once. In PL/pgSQL, which keeps its plan: as an SQL function it was
-- planned again in every list of open times and doubled its time.
create or replace function has_bookable_service(pro professionals) returns boolean
  language plpgsql stable parallel safe as $$
begin
  return exists (
    select from professional_services o
    join services s on s.id = o.service_id and s.active
    where o.professional_id = pro.id and booking_obstacle(pro, o, service_minutes(o, s)) is null);
end $$;

-- A share of a price that is paid in advance, in cents: 0 below the provider's minimum of 50 cents
-- (src/features/booking/bookings/rules/deposits.ts), null if the price is not known.
create or replace function payable_share(price_cents integer, percentage numeric) returns integer
  language sql immutable parallel safe as $$
  select case when share < 50 then 0 else share end from (select round(price_cents * percentage / 100)::integer as share) s
$$;

-- The deposit that the pro takes for a price, in cents: 0 if they take none, null if the price is not known.
create or replace function deposit_for(pro professionals, price_cents integer) returns integer
  language sql immutable parallel safe as $$
  select case when pro.deposit_required then payable_share(price_cents, pro.deposit_percentage) else 0 end
$$;

-- The price of an offer. The fee of a booking depends on how it is made: what offers one adds it.
create or replace function offer_price(offer professional_services) returns json
  language sql immutable parallel safe as $$
  select price_object(offer.price_type, offer.base_price_cents, offer.min_price_cents, offer.max_price_cents, offer.unit,
    offer.currency, 0)
$$;

-- What a customer chooses to book: a service of the pro or, if `chosen_package` is given, that package of it. One row, or
-- none if the pro does not offer it. `terms` is the choice as the API shows it, with price, deposit and length.
create or replace function chosen_offer(pro professionals, chosen_service uuid, chosen_package uuid)
  returns table (service_id uuid, package_id uuid, minutes integer, obstacle text, terms json)
  language sql stable parallel safe as $$
  select s.id, k.id, length.minutes, booking_obstacle(pro, o, length.minutes, k.id is not null),
    json_build_object('id', s.id, 'name', s.name,
      'package', case when k.id is not null then json_build_object(
        'id', k.id, 'name', k.name, 'includes', to_json(k.includes)) end,
      'durationMinutes', length.minutes,
      'price', case
        when k.id is not null then price_object('flat', k.price_cents, null, null, null, k.currency, 0)
        else offer_price(o) end,
      'deposit', dollars(deposit_for(pro, coalesce(k.price_cents, o.base_price_cents, o.min_price_cents))))
  from services s
  join professional_services o on o.professional_id = pro.id and o.service_id = s.id
  left join packages k on k.id = chosen_package and k.active and k.professional_id = pro.id and k.service_id = s.id
  cross join lateral (select coalesce(k.duration_minutes, service_minutes(o, s)) as minutes) length
  where s.active and (chosen_package is null or k.id is not null)
    and s.id = coalesce(chosen_service, (
      select n.service_id from packages n where n.professional_id = pro.id and n.id = chosen_package))
$$;
