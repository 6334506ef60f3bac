-- What a payment adds to the pro's revenue: the fee is the marketplace's. Of a booking, and of a job that was cancelled, the deposit
-- without what went back or is on its way back. A completed job adds its amount itself, so its payment takes away what went back
-- since. A completed visit adds its price without the deposit; what went back of the deposit before was due again at the visit.
create or replace function payment_revenue_cents(payment payments) returns integer
  language plpgsql stable as $$
declare
  job jobs;
  visited_at timestamptz;
begin
  if payment.captured_at is null or payment.captured_currency <> payment.currency then
    return 0;
  end if;
  if payment.booking_id is not null then
    visited_at := (
      select b.completed_at from bookings b
      where b.professional_id = payment.professional_id and b.id = payment.booking_id);
    if visited_at is not null then
      return greatest(0, least(payment.deposit_cents, payment.captured_cents) - returned_since(payment, visited_at));
    end if;
  else
    select j.* into job from jobs j where j.professional_id = payment.professional_id and j.quote_id = payment.quote_id;
    if job.status = 'completed' then
      return -least(job.amount_cents, returned_since(payment, job.completed_at));
    elsif job.status is distinct from 'cancelled' then
      return 0;
    end if;
  end if;
  return (payment_sums(payment)).deposit_cents;
end $$;

-- What went back of a payment from an instant on, or is on its way back since.
create or replace function returned_since(payment payments, since timestamptz) returns integer
  language sql stable as $$
  select coalesce(sum(back.cents), 0)::integer from (
    select r.amount_cents as cents from payment_refunds r
    where r.professional_id = payment.professional_id and r.payment_id = payment.id
      and r.status in ('pending', 'part', 'submitted', 'done') and r.created_at >= since
    union all
    select d.amount_cents from payment_disputes d
    where d.professional_id = payment.professional_id and d.payment_id = payment.id and d.state = 'lost' and d.closed_at >= since
  ) back
$$;

create or replace function keep_payment_revenue() returns trigger
  language plpgsql as $$
begin
  new.revenue_cents := payment_revenue_cents(new);
  return new;
end $$;

-- Locks the payments first, so that the latest change sees all others.
create or replace function settle_revenue(paid_ids uuid[]) returns void
  language plpgsql volatile as $$
begin
  perform from payments y where y.id = any (paid_ids) order by y.id for update;
  update payments y set revenue_cents = payment_revenue_cents(y)
  where y.id = any (paid_ids) and y.revenue_cents <> payment_revenue_cents(y);
end $$;

-- At the end of the transaction, like the event of the payment, which locks it, too.
create or replace function settle_payment_revenue() returns trigger
  language plpgsql as $$
begin
  perform settle_revenue(array[new.payment_id]);
  return null;
end $$;

create or replace function settle_job_revenue() returns trigger
  language plpgsql as $$
begin
  perform settle_revenue(array(
    select y.id from payments y where y.professional_id = new.professional_id and y.quote_id = new.quote_id));
  return null;
end $$;
