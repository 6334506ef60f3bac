-- The visit of a job: the customer of an accepted quote chooses when the work is done, and, once it has begun, when it goes on. It is
-- a confirmed booking of what the quote agrees on, with nothing more to pay now. The pro has approved it by sending the quote, so it needs no instant booking.

-- How long the visit takes: as the service does with this pro, within one stretch of the business hours; null for work that
-- is no service of the catalog, and for a pro without business hours.
create or replace function visit_minutes(pro professionals, job jobs) returns integer
  language plpgsql stable as $$
begin
  return (
    select least(coalesce(o.duration_minutes, s.duration_minutes), pro.longest_interval_minutes / 5 * 5)
    from services s
    left join professional_services o on o.professional_id = pro.id and o.service_id = s.id
    where s.id = job.service_id and pro.longest_interval_minutes >= 15);
end $$;

-- Books the visit of the job of an accepted quote or returns why not. One call is one transaction: lock, checks, booking,
-- events. The start is `at_minute` minutes past midnight of `on_day` on the pro's local clock. `event_ids` are two new ids.
-- outcome: booked | has_visit (`visit_id` is the one that is open) | not_possible | date_out_of_range | slot_unavailable.
-- A duplicate confirmation code raises the unique violation of bookings_confirmation_code_key.
create or replace function book_visit(
  pro_id uuid, of_quote_id uuid, on_day date, at_minute integer, booking_id uuid, code text, event_ids uuid[], traceparent text,
  site_account_id uuid, as_of timestamptz, out outcome text, out visit_id uuid
)
  language plpgsql volatile as $$
declare
  quote quotes;
  request rfqs;
  job jobs;
  pro professionals;
  minutes integer;
  starts timestamptz;
  ends timestamptz;
  today date;
  made bookings;
begin
  perform lock_schedule(pro_id);
  select q.* into quote from quotes q where q.professional_id = pro_id and q.id = of_quote_id;
  select p.* into pro from professionals p where p.id = pro_id;
  select j.* into job from jobs j where j.professional_id = pro_id and j.quote_id = of_quote_id for share;
  select r.* into request from rfqs r where r.professional_id = pro_id and r.id = quote.rfq_id;
  visit_id := open_visit(quote);
  minutes := visit_minutes(pro, job);
  today := (as_of at time zone pro.time_zone)::date;
  outcome := case
    when visit_id is not null then 'has_visit'
    when minutes is null or job.status not in ('scheduled', 'in_progress') then 'not_possible'
    when on_day not between today and today + 365 then 'date_out_of_range'
  end;
  if outcome is not null then
    return;
  end if;

  starts := local_instant(on_day, at_minute, pro.time_zone);
  ends := starts + minutes * interval '1 minute';
  outcome := 'slot_unavailable';
  if not slot_fits(pro, on_day, starts, ends, as_of) then
    return;
  end if;
  perform lapse_overlapping_holds(pro, starts, ends, as_of);
  insert into bookings (
    id, professional_id, service_id, account_id, confirmation_code, event_sequence, job_id,
    status, confirmed_at, approved_at, starts_at, duration_minutes, buffer_minutes, ends_at, holds,
    customer_name, customer_email, customer_phone, address, description, source, created_at,
    service_name, price_type, base_price_cents, free_cancellation_hours, proven_at,
    disowned_at)
  select
    booking_id, pro.id, job.service_id, coalesce(pro.test_account_id, site_account_id), code, 2, job.id,
    'confirmed', as_of, as_of, starts, minutes, pro.buffer_minutes, ends,
    tstzrange(starts, ends + pro.buffer_minutes * interval '1 minute'),
    request.customer_name, request.customer_email, request.customer_phone, request.address, request.description, 'web', as_of,
    s.name, 'flat', job.amount_cents, quote.free_cancellation_hours, request.proven_at,
    request.disowned_at
  from services s where s.id = job.service_id
  on conflict on constraint bookings_no_overlap do nothing
  returning * into made;
  if made.id is null then
    return;
  end if;
  perform emit_booking_events(made,
    booking_shown(made, pro, (select c.name || ', ' || c.state from cities c where c.id = pro.city_id), null),
    '{booking.created,booking.confirmed}', event_ids, traceparent, as_of);
  outcome := 'booked';
  visit_id := made.id;
end $$;

-- The open visit of a quote's job; null without one.
create or replace function open_visit(quote quotes) returns uuid
  language plpgsql stable as $$
begin
  return (
    select b.id from jobs j join bookings b on b.professional_id = j.professional_id and b.job_id = j.id
    where j.professional_id = quote.professional_id and j.quote_id = quote.id and b.status in ('pending', 'confirmed'));
end $$;
