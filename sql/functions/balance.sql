-- What was agreed, paid and returned for a booking, quote or job, and what is due: the one place that adds and subtracts the
-- money of customers. Integer cents of one currency, that of the marketplace's country: what was captured in another one is returned as a whole.

-- The sums of a payment. `refunding`: requested of the provider, or accepted by it. A lost dispute returned its money, and so did a
-- refund that is done. A failed refund returned nothing, and stays with the operator: it is not refundable again. What goes back
-- is taken from the deposit first, then from the fee: `deposit_cents` is what is left of the deposit.
create or replace function payment_sums(
  payment payments, out paid_cents integer, out refunded_cents integer, out refunding_cents integer, out refundable_cents integer,
  out deposit_cents integer, out failed_cents integer
) language plpgsql stable parallel safe as $$
begin
  paid_cents := case when payment.captured_currency = payment.currency then payment.captured_cents else 0 end;
  select coalesce(sum(r.amount_cents) filter (where r.status = 'done'), 0),
    coalesce(sum(r.amount_cents) filter (where r.status in ('pending', 'part', 'submitted')), 0),
    coalesce(sum(r.amount_cents) filter (where r.status = 'failed'), 0)
  into refunded_cents, refunding_cents, failed_cents
  from payment_refunds r
  where paid_cents > 0 and r.professional_id = payment.professional_id and r.payment_id = payment.id;
  -- A bank may dispute the whole payment although a part went back before: it returns what is left.
  refunded_cents := least(paid_cents, refunded_cents + (
    select coalesce(sum(d.amount_cents), 0) from payment_disputes d
    where paid_cents > 0 and d.professional_id = payment.professional_id and d.payment_id = payment.id and d.state = 'lost'));
  refundable_cents := greatest(0, paid_cents - refunded_cents - refunding_cents - failed_cents);
  deposit_cents := greatest(0, least(payment.deposit_cents, paid_cents) - refunded_cents - refunding_cents);
end $$;

-- The sums in the API. The price is null while it is not known to the cent. `due_cents` is to be paid now, `deposit_due_cents`
-- of it a part of the price. Nothing is due once the work is over (`is_open` is false).
create or replace function balance_object(
  payments_made payments[], price_cents integer, fee_cents integer, due_cents integer, deposit_due_cents integer, is_open boolean
) returns json
  language sql stable parallel safe as $$
  select json_build_object(
    'currency', marketplace_currency(),
    'agreed', dollars(price_cents + fee_cents),
    'paid', dollars(t.paid),
    'refunded', dollars(t.refunded),
    'refunding', dollars(t.refunding),
    'netPaid', dollars(t.paid - t.refunded - t.refunding),
    'refundable', dollars(t.refundable),
    'dueNow', dollars(due_cents),
    'dueAtVisit', dollars(case when is_open then price_cents - least(price_cents, deposit_due_cents + t.deposit) else 0 end))
  from (
    select coalesce(sum(s.paid_cents), 0)::integer as paid, coalesce(sum(s.refunded_cents), 0)::integer as refunded,
      coalesce(sum(s.refunding_cents), 0)::integer as refunding, coalesce(sum(s.refundable_cents), 0)::integer as refundable,
      coalesce(sum(s.deposit_cents), 0)::integer as deposit
    from unnest(payments_made) made
    cross join lateral payment_sums(made) s
  ) t
$$;

-- The price of a visit, null while it is not known to the cent: a flat one, or one per hour for the booked time.
create or replace function agreed_price_cents(
  price_type text, base_cents integer, min_cents integer, max_cents integer, duration_minutes integer
) returns integer
  language sql immutable parallel safe as $$
  select case
    when min_cents is not null or max_cents is not null then null
    when price_type = 'flat' then base_cents
    when price_type = 'hourly' then round(base_cents * duration_minutes / 60.0)::integer end
$$;

-- Of a booking in its present state. The visit of a quote has the money of its job.
create or replace function booking_balance(booking bookings) returns json
  language plpgsql stable parallel safe as $$
declare
  is_open constant boolean := booking.status in ('pending', 'confirmed');
  is_held constant boolean := booking.status = 'pending' and booking.hold_expires_at is not null;
begin
  if booking.job_id is not null then
    return (
      select job_money(j, booking.status not in ('cancelled', 'no_show') and j.status in ('scheduled', 'in_progress')) from jobs j
      where j.professional_id = booking.professional_id and j.id = booking.job_id);
  end if;
  return balance_object(
    case when booking.fee_cents + booking.deposit_cents > 0 then array(
      select y from payments y
      where y.professional_id = booking.professional_id and y.booking_id = booking.id) end,
    exact_cents(booking.price_type, booking.base_price_cents, booking.min_price_cents, booking.max_price_cents),
    booking.fee_cents,
    case when is_held then booking.fee_cents + booking.deposit_cents else 0 end,
    case when is_held then booking.deposit_cents else 0 end,
    is_open);
end $$;

-- Of a job, which is paid by the deposit of its quote.
create or replace function job_balance(job jobs) returns json
  language sql stable parallel safe as $$
  select job_money(job, job.status in ('scheduled', 'in_progress'))
$$;

create or replace function job_money(job jobs, is_open boolean) returns json
  language sql stable parallel safe as $$
  select balance_object(deposits_of(job.professional_id, job.quote_id), job.amount_cents, 0, 0, 0, is_open)
$$;

-- Of a quote. Its deposit is due while it can be accepted; from then on it has the money of its job.
create or replace function quote_balance(quote quotes, as_of timestamptz) returns json
  language plpgsql stable parallel safe as $$
declare
  is_open constant boolean := quote_status(quote, as_of) in ('sent', 'viewed');
  due_cents constant integer := case when is_open then quote_deposit_cents(quote) else 0 end;
begin
  return coalesce(
    (select job_balance(j) from jobs j where j.professional_id = quote.professional_id and j.quote_id = quote.id),
    balance_object(deposits_of(quote.professional_id, quote.id), quote.amount_cents, 0, due_cents, due_cents, is_open));
end $$;

create or replace function deposits_of(pro_id uuid, of_quote_id uuid) returns payments[]
  language sql stable parallel safe as $$
  select array(select y from payments y where y.professional_id = pro_id and y.quote_id = of_quote_id)
$$;
