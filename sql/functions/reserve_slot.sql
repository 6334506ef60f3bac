-- Books a time with a pro or returns why not. One call is one transaction: lock, checks, booking, events. The lock makes
-- contenders queue instead of colliding; the constraint bookings_no_overlap guarantees that no double booking exists.
--
-- The start is `at_instant`, or if that is null `at_minute` minutes past midnight of `on_day` on the pro's local clock.
-- `duration` defaults to the package's, then to the pro's default slot. `event_ids` are two new ids.
-- outcome: reserved | pro_not_found | service_not_found | package_not_found | instant_booking_off | service_unpriced |
-- date_out_of_range | slot_unavailable | idempotency_mismatch. For `reserved`, `booking` is the API's create response; for
-- `slot_unavailable`, `next_available` is the next time that fits, or null.
--
-- Due before confirmation are `fee_cents` and the pro's deposit. If anything is due, the booking holds its time for
-- `hold_seconds`, and `payment` is its payment, which does not exist at the provider yet. Expired holds are cancelled.
--
-- A duplicate confirmation code raises the unique violation of bookings_confirmation_code_key.
--
-- With an `idempotency_key`, the outcome is stored under `operation` in the same transaction and returned as `replayed`
-- for the same request; another request with the key is an idempotency_mismatch. Invalid requests (400) are not stored.
drop function if exists reserve_slot;
create function reserve_slot(
  pro_id uuid, wanted_service_id uuid, on_day date, at_minute integer, at_instant timestamptz, duration integer,
  name text, email text, phone text, address jsonb, description text, source text, source_agent_id text,
  caller_id uuid, booking_id uuid, code text, event_ids uuid[], traceparent text, as_of timestamptz, base_url text,
  operation text, idempotency_key text, request_hash bytea,
  fee_cents integer, hold_seconds integer, payment_id uuid, provider text, wanted_package_id uuid default null,
  out outcome text, out booking json, out deposit_required boolean, out deposit_percentage numeric,
  out payment json, out next_available json, out replayed boolean
)
  language plpgsql volatile as $$
declare
  pro professionals;
  package packages;
  day date;
  today date;
  starts_at timestamptz;
  minutes integer;
  ends_at timestamptz;
  events text[];
  made bookings;
  deposit_cents integer;
  hold_until timestamptz;
  answered record;
begin
  replayed := false;
  if idempotency_key is not null then
    select * into answered from find_idempotent(caller_id, operation, idempotency_key, request_hash, as_of);
    if answered.outcome = 'mismatch' then
      outcome := 'idempotency_mismatch';
      return;
    elsif answered.outcome = 'replay' then
      select r.outcome, r.booking, r.deposit_required, r.deposit_percentage, r.payment, r.next_available, true
      into outcome, booking, deposit_required, deposit_percentage, payment, next_available, replayed
      from json_to_record(answered.result) r (
        outcome text, booking json, deposit_required boolean, deposit_percentage numeric, payment json,
        next_available json);
      return;
    end if;
  end if;

  perform lock_schedule(pro_id);

  <<attempt>>
  begin
    select p.* into pro from professionals p where p.id = pro_id and p.active;
    outcome := reservation_refusal(pro, wanted_service_id);
    exit attempt when outcome is not null;

    if wanted_package_id is not null then
      select k.* into package from packages k
      where k.id = wanted_package_id and k.active and k.professional_id = pro.id and k.service_id = wanted_service_id;
      if package.id is null then
        outcome := 'package_not_found';
        exit attempt;
      end if;
    end if;

    day := coalesce((at_instant at time zone pro.time_zone)::date, on_day);
    today := (as_of at time zone pro.time_zone)::date;
    if day not between today and today + 365 then
      outcome := 'date_out_of_range';
      exit attempt;
    end if;

    deposit_cents := case
      when not pro.deposit_required then 0
      when package.id is not null then round(package.price_cents * pro.deposit_percentage / 100)::integer
      else deposit_due(pro, wanted_service_id) end;
    if deposit_cents is null then
      outcome := 'service_unpriced';
      exit attempt;
    end if;
    if fee_cents + deposit_cents > 0 then
      hold_until := as_of + hold_seconds * interval '1 second';
    end if;

    starts_at := coalesce(at_instant, local_instant(on_day, at_minute, pro.time_zone));
    minutes := coalesce(duration, package.duration_minutes, pro.default_slot_minutes);
    ends_at := starts_at + minutes * interval '1 minute';
    events := reservation_events(pro, hold_until is not null);

    if slot_fits(pro, day, starts_at, ends_at, as_of) then
      perform lapse_overlapping_holds(pro, starts_at, ends_at, as_of);
      insert into bookings (
        id, professional_id, service_id, package_id, account_id, confirmation_code, event_sequence,
        status, confirmed_at, hold_expires_at, lapse_event_id,
        starts_at, duration_minutes, buffer_minutes, ends_at, holds,
        customer_name, customer_email, customer_phone, address, description, source, source_agent_id, created_at)
      values (
        booking_id, pro.id, wanted_service_id, package.id, caller_id, code, cardinality(events),
        case when 'booking.confirmed' = any (events) then 'confirmed' else 'pending' end,
        case when 'booking.confirmed' = any (events) then as_of end,
        hold_until, case when hold_until is not null then event_ids[2] end,
        starts_at, minutes, pro.buffer_minutes, ends_at,
        tstzrange(starts_at, ends_at + pro.buffer_minutes * interval '1 minute'),
        name, email, phone, address, description, source, source_agent_id, as_of)
      on conflict on constraint bookings_no_overlap do nothing
      returning * into made;
    end if;

    if made.id is null then
      outcome := 'slot_unavailable';
      next_available := next_open_slot(pro, minutes, day, as_of, base_url);
      exit attempt;
    end if;

    if hold_until is not null then
      payment := start_payment(payment_id, made, fee_cents, deposit_cents, provider, as_of);
    end if;
    perform emit_booking_events(made, events, event_ids, traceparent, as_of);
    outcome := 'reserved';
    booking := booking_receipt(made);
    deposit_required := pro.deposit_required;
    deposit_percentage := pro.deposit_percentage;
  end attempt;

  if idempotency_key is not null
    and outcome not in ('date_out_of_range', 'instant_booking_off', 'service_unpriced') then
    perform keep_idempotent(caller_id, operation, idempotency_key, request_hash,
      json_build_object('outcome', outcome, 'booking', booking, 'deposit_required', deposit_required,
        'deposit_percentage', deposit_percentage, 'payment', payment, 'next_available', next_available),
      as_of);
  end if;
end $$;

-- Why the pro takes no instant booking of a service; null if they do. `pro` is null for an unknown or inactive pro.
create or replace function reservation_refusal(pro professionals, wanted_service_id uuid) returns text
  language plpgsql stable as $$
declare
  instant boolean;
begin
  if pro.id is null then
    return 'pro_not_found';
  end if;
  select pro.instant_booking_enabled and o.instant_book_enabled into instant
  from professional_services o
  join services s on s.id = o.service_id and s.active
  where o.professional_id = pro.id and o.service_id = wanted_service_id;
  return case when instant is null then 'service_not_found' when not instant then 'instant_booking_off' end;
end $$;

-- The events of a new booking, in order: created, then confirmed or pending approval, unless a payment is due. A booking
-- is confirmed if and only if booking.confirmed is among them.
drop function if exists reservation_events(professionals);
create or replace function reservation_events(pro professionals, is_held boolean) returns text[]
  language sql immutable as $$
  select case
    when is_held then '{booking.created}'
    when pro.requires_approval then '{booking.created,booking.pending_approval}'::text[]
    else '{booking.created,booking.confirmed}'
  end
$$;

-- The pro's deposit for a service in cents: their percentage of its base price, or of its minimum price, rounded half up.
-- Null if the service has no price.
create or replace function deposit_due(pro professionals, wanted_service_id uuid) returns integer
  language sql stable as $$
  select round(coalesce(o.base_price_cents, o.min_price_cents) * pro.deposit_percentage / 100)::integer
  from professional_services o
  where o.professional_id = pro.id and o.service_id = wanted_service_id
$$;
