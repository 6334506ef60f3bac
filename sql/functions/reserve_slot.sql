-- Books a time with a pro or returns why not. One call is one transaction: lock, checks, booking, events. The lock makes
-- contenders queue instead of colliding; the constraint bookings_no_overlap guarantees that no double booking exists.
--
-- The start is `visit.at_instant`, or if that is null `visit.at_minute` minutes past midnight of `visit.on_day` on the pro's
-- local clock. A package sets the length. Otherwise it is `visit.duration`, or if that is null the service's
-- (`visit.by_service`) or the pro's default slot. `ids.event_ids` are two new ids.
-- outcome: reserved | pro_not_found | service_not_found | package_not_found | instant_booking_disabled | service_unpriced |
-- service_too_long (unless the caller or the default slot sets the length: then slot_unavailable) |
-- duration_fixed (`duration` differs from the package's) | date_out_of_range | customer_blocked | too_many_unpaid |
-- address_unproven | payments_not_configured | slot_unavailable | idempotency_mismatch. For `reserved`, `booking` is the
-- API's create response; for `slot_unavailable`,
-- `next_available` is the next time that fits, or null.
--
-- The booking stores what was agreed, so that later changes of the offer do not reach it. A customer, known by e-mail
-- address, may have `max_unpaid` future bookings with a pro that are neither paid nor approved by the pro.
-- `address_proof` says how the caller knows the address: proven (the owner of the address books), vouched (by a server key) or
-- typed (by anybody). With a pro who blocks customers, a typed address must be proven first, whichever it is: otherwise the answer
-- would tell strangers who is blocked. So must one that operators have blocked, as one may have to for other reasons, too. On pages and in widgets, which have a `network`, the same holds while any customer of the pro
-- has `max_unpaid` such bookings. So must one that books for free from a `network`, a digest, with an earlier such booking
-- within 24 hours, or from one that holds `max_unpaid` times unpaid: calendars are not filled with invented addresses. Null:
-- the caller is limited otherwise.
--
-- Due before confirmation are `fee_cents` and the pro's deposit. If anything is due, the booking holds its time for
-- `hold_seconds`, and `payment` is its payment, which does not exist at the provider yet. Expired holds are cancelled.
-- Without a `provider` what costs money is refused, except with test pros, whose payments are the sandbox's.
--
-- `at_latitude` and `at_longitude` are where the work is, as far as the address tells; null: not known. A booking outside the pro's
-- service area waits for the pro's approval. `listed_minutes` is the length that the service is listed with, where the
-- default slot made it another one; otherwise null.
--
-- A duplicate confirmation code raises the unique violation of bookings_confirmation_code_key.
--
-- With an `idempotency_key`, the outcome is stored under `operation` in the same transaction and returned as `replayed`
-- for the same request; another request with the key is an idempotency_mismatch. Invalid requests (400) are not stored.
create or replace function reserve_slot(
  visit wanted_visit, customer visit_customer, origin call_origin, request idempotent_request, terms booking_terms,
  ids booking_ids, as_of timestamptz, base_url text, at_latitude double precision, at_longitude double precision,
  out outcome text, out booking json, out deposit_required boolean, out deposit_percentage numeric,
  out payment json, out next_available json, out replayed boolean, out listed_minutes integer
)
  language plpgsql volatile as $$
declare
  pro professionals;
  service services;
  offer professional_services;
  package packages;
  day date;
  today date;
  starts_at timestamptz;
  minutes integer;
  -- Whether the service or package sets the length.
  has_own_length boolean;
  obstacle text;
  ends_at timestamptz;
  events text[];
  made bookings;
  deposit_cents integer;
  hold_until timestamptz;
  answered record;
  place text;
  in_area boolean;
  shown json;
begin
  replayed := false;
  if request.key is not null then
    answered := find_idempotent(origin.account_id, request.operation, request.key, request.hash, as_of);
    if answered.outcome = 'mismatch' then
      outcome := 'idempotency_mismatch';
      return;
    elsif answered.outcome = 'replay' then
      select r.outcome, r.booking, r.deposit_required, r.deposit_percentage, r.payment, r.next_available, true,
        r.listed_minutes
      into outcome, booking, deposit_required, deposit_percentage, payment, next_available, replayed, listed_minutes
      from json_to_record(answered.result) r (
        outcome text, booking json, deposit_required boolean, deposit_percentage numeric, payment json,
        next_available json, listed_minutes integer);
      return;
    end if;
  end if;

  perform lock_schedule(visit.pro_id);

  <<attempt>>
  begin
    select p.* into pro from professionals p
    where p.id = visit.pro_id and is_visible(p.active, p.test_account_id, test_account(origin.account_id));
    select s.* into service from services s where s.id = visit.service_id and s.active;
    select o.* into offer from professional_services o where o.professional_id = pro.id and o.service_id = service.id;
    if visit.package_id is not null then
      select k.* into package from packages k
      where k.id = visit.package_id and k.active and k.professional_id = pro.id and k.service_id = service.id;
    end if;
    minutes := case
      when package.id is not null then package.duration_minutes
      else coalesce(visit.duration,
        case when visit.by_service then service_minutes(offer, service) else pro.default_slot_minutes end)
    end;
    has_own_length := package.id is not null or (visit.by_service and visit.duration is null);
    obstacle := booking_obstacle(pro, offer, minutes, package.id is not null);
    outcome := case
      when pro.id is null then 'pro_not_found'
      when offer.service_id is null then 'service_not_found'
      when package.id is null and visit.package_id is not null then 'package_not_found'
      when visit.duration <> minutes then 'duration_fixed'
      when obstacle <> 'service_too_long' or (obstacle is not null and has_own_length) then obstacle
      when customer.address_proof = 'typed' and exists (select from customer_blocks k where k.professional_id = pro.id)
        then 'address_unproven'
      when customer.address_proof = 'typed' and is_blocked_customer(pro.id, customer.email) then 'address_unproven'
      when customer.address_proof = 'typed' and customer.network is not null
        and has_customer_at_limit(pro, terms.max_unpaid, as_of) then 'address_unproven'
      else reservation_limit(pro, customer.email, terms.max_unpaid, as_of)
    end;
    exit attempt when outcome is not null;

    day := coalesce((visit.at_instant at time zone pro.time_zone)::date, visit.on_day);
    today := (as_of at time zone pro.time_zone)::date;
    if day not between today and today + 365 then
      outcome := 'date_out_of_range';
      exit attempt;
    end if;

    deposit_cents := deposit_for(pro, coalesce(package.price_cents, offer.base_price_cents, offer.min_price_cents));
    if terms.fee_cents + deposit_cents > 0 then
      if terms.provider is null and pro.test_account_id is null then
        outcome := 'payments_not_configured';
        exit attempt;
      end if;
      hold_until := as_of + terms.hold_seconds * interval '1 second';
    end if;

    starts_at := coalesce(visit.at_instant, local_instant(visit.on_day, visit.at_minute, pro.time_zone));
    ends_at := starts_at + minutes * interval '1 minute';
    in_area := in_service_area(pro, at_latitude, at_longitude);
    if in_area is false then
      pro.requires_approval := true;
    end if;
    events := reservation_events(pro, hold_until is not null);

    if slot_fits(pro, day, starts_at, ends_at, as_of) then
      if customer.address_proof = 'typed' and not (
        case when hold_until is null then claim_free_booking(customer.network, as_of)
        else claim_hold(customer.network, ids.booking_id, terms.max_unpaid, as_of) end) then
        outcome := 'address_unproven';
        exit attempt;
      end if;
      -- The constraint still counts expired holds. If any are in the way, they are cancelled, and the time is free.
      loop
        insert into bookings (
          id, professional_id, service_id, package_id, account_id, confirmation_code, event_sequence,
          status, confirmed_at, hold_expires_at, lapse_event_id,
          starts_at, duration_minutes, buffer_minutes, ends_at, holds,
          customer_name, customer_email, customer_phone, address, description, source, source_agent_id, created_at,
          service_name, package_name, package_includes, price_type, price_unit, base_price_cents,
          min_price_cents, max_price_cents, fee_cents, deposit_cents, deposit_percentage, free_cancellation_hours,
          proven_at, in_service_area)
        values (
          ids.booking_id, pro.id, visit.service_id, package.id, origin.account_id, ids.code, cardinality(events),
          case when 'booking.confirmed' = any (events) then 'confirmed' else 'pending' end,
          case when 'booking.confirmed' = any (events) then as_of end,
          hold_until, case when hold_until is not null then ids.event_ids[2] end,
          starts_at, minutes, pro.buffer_minutes, ends_at,
          tstzrange(starts_at, ends_at + pro.buffer_minutes * interval '1 minute'),
          customer.name, customer.email, customer.phone, customer.address, customer.description, origin.source,
          origin.source_agent_id, as_of,
          service.name, package.name, package.includes, case when package.id is null then offer.price_type else 'flat' end,
          case when package.id is null then offer.unit end, coalesce(package.price_cents, offer.base_price_cents),
          case when package.id is null then offer.min_price_cents end,
          case when package.id is null then offer.max_price_cents end,
          terms.fee_cents, deposit_cents, pro.deposit_percentage, terms.free_cancellation_hours,
          case when customer.address_proof = 'proven' then as_of end, in_area)
        on conflict on constraint bookings_no_overlap do nothing
        returning * into made;
        exit when made.id is not null or not lapse_overlapping_holds(pro, starts_at, ends_at, as_of);
      end loop;
    end if;

    if made.id is null then
      update network_bookings n set free_at = null where n.network_digest = customer.network and n.free_at = as_of;
      outcome := 'slot_unavailable';
      next_available := next_open_slot(pro, minutes, day, as_of, base_url, chosen_service => service.id,
        chosen_package => package.id);
      exit attempt;
    end if;

    place := (select c.name || ', ' || c.state from cities c where c.id = pro.city_id);
    if hold_until is not null then
      payment := start_payment(ids.payment_id, made, terms.fee_cents, deposit_cents, terms.provider, as_of);
    end if;
    shown := booking_shown(made, pro, place, proposed => null);
    perform emit_booking_events(made, shown, events, ids.event_ids, origin.traceparent, as_of);
    outcome := 'reserved';
    booking := booking_receipt(made, pro, place);
    deposit_required := deposit_cents > 0;
    deposit_percentage := pro.deposit_percentage;
    if visit.duration is null and not has_own_length then
      listed_minutes := nullif(service_minutes(offer, service), minutes);
    end if;
  end attempt;

  if request.key is not null
    and outcome not in (
      'payments_not_configured', 'date_out_of_range', 'instant_booking_disabled', 'service_unpriced',
      'service_too_long', 'duration_fixed', 'too_many_unpaid', 'address_unproven') then
    perform keep_idempotent(origin.account_id, request.operation, request.key, request.hash,
      json_build_object('outcome', outcome, 'booking', booking, 'deposit_required', deposit_required,
        'deposit_percentage', deposit_percentage, 'payment', payment, 'next_available', next_available,
        'listed_minutes', listed_minutes),
      as_of);
  end if;
end $$;

-- As 0.2.0 calls it.
create or replace function reserve_slot(
  visit wanted_visit, customer visit_customer, origin call_origin, request idempotent_request, terms booking_terms,
  ids booking_ids, as_of timestamptz, base_url text,
  out outcome text, out booking json, out deposit_required boolean, out deposit_percentage numeric,
  out payment json, out next_available json, out replayed boolean
)
  language sql volatile as $$
  select r.outcome, r.booking, r.deposit_required, r.deposit_percentage, r.payment, r.next_available, r.replayed
  from reserve_slot(visit, customer, origin, request, terms, ids, as_of, base_url, null, null) r
$$;
comment on function reserve_slot(
  wanted_visit, visit_customer, call_origin, idempotent_request, booking_terms, booking_ids, timestamptz, text)
  is 'Unused since 0.3.0: reserve_slot with the place of the work.';

-- Why this customer cannot book with the pro now, null if they can: customer_blocked | too_many_unpaid.
create or replace function reservation_limit(
  pro professionals, email text, max_unpaid integer, as_of timestamptz
) returns text
  language plpgsql stable as $$
begin
  return case
    when exists (
      select from customer_blocks k where k.professional_id = pro.id and k.email = reservation_limit.email)
      or is_blocked_customer(pro.id, reservation_limit.email)
      then 'customer_blocked'
    when max_unpaid <= (
      select count(*) from bookings b
      where b.professional_id = pro.id and b.customer_email = reservation_limit.email and is_unpaid(b, as_of))
      then 'too_many_unpaid'
  end;
end $$;

-- Whether a booking to come is neither paid nor approved by the pro.
create or replace function is_unpaid(b bookings, as_of timestamptz) returns boolean
  language sql immutable as $$
  select b.starts_at > as_of and b.status in ('pending', 'confirmed') and b.approved_at is null
    and (b.hold_expires_at is null or b.hold_expires_at > as_of)
    -- A booking with something to pay that is no longer held is paid.
    and (b.hold_expires_at is not null or b.fee_cents + b.deposit_cents = 0)
$$;

-- Whether any customer has as many unpaid bookings with the pro as are possible.
create or replace function has_customer_at_limit(pro professionals, max_unpaid integer, as_of timestamptz) returns boolean
  language sql stable as $$
  select exists (
    select from bookings b
    where b.professional_id = pro.id and b.starts_at > as_of and is_unpaid(b, as_of)
    group by b.customer_email having count(*) >= max_unpaid)
$$;

-- The events of a new booking, in order: created, then confirmed or pending approval, unless a payment is due. A booking
-- is confirmed if and only if booking.confirmed is among them.
create or replace function reservation_events(pro professionals, is_held boolean) returns text[]
  language sql immutable as $$
  select case
    when is_held then '{booking.created}'
    when pro.requires_approval then '{booking.created,booking.pending_approval}'::text[]
    else '{booking.created,booking.confirmed}'
  end
$$;
