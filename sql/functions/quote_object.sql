-- The state of a quote at a time. A quote past its end is expired, even before expire_quotes() updates the row.
create or replace function quote_status(quote quotes, as_of timestamptz) returns text
  language sql stable parallel safe as $$
  select case when (quote).status in ('sent', 'viewed') and (quote).valid_until <= as_of then 'expired'
    else (quote).status end
$$;

-- The deposit that is paid on acceptance; 0 for none.
create or replace function quote_deposit_cents(quote quotes) returns integer
  language sql immutable parallel safe as $$
  select coalesce(payable_share((quote).amount_cents, (quote).deposit_percentage), 0)
$$;

-- The latest payment of a quote's deposit; null before the customer started one.
create or replace function quote_payment(quote quotes, as_of timestamptz) returns json
  language plpgsql stable parallel safe as $$
begin
  if quote.deposit_percentage is null then
    return null;
  end if;
  return (
    select payment_object(y, quote_status(quote, as_of) not in ('sent', 'viewed')) from payments y
    where y.professional_id = quote.professional_id and y.quote_id = quote.id order by y.created_at desc, y.id desc limit 1
  );
end $$;

-- A quote in API responses and events.
create or replace function quote_object(quote quotes, as_of timestamptz) returns json
  language plpgsql stable parallel safe as $$
begin
  return (
    select json_build_object(
      'id', quote.id,
      'rfqId', quote.rfq_id,
      'jobId', j.id,
      'status', quote_status(quote, as_of),
      'amount', dollars(quote.amount_cents),
      'currency', marketplace_currency(),
      'price', price_object('flat', quote.amount_cents, null, null, null, marketplace_currency(), 0),
      'units', quote.units,
      'lineItems', quote.line_items,
      'estimatedDays', quote.estimated_days,
      'depositRequired', quote.deposit_required,
      'depositPercentage', trim_scale(quote.deposit_percentage),
      'depositAmount', case when quote_deposit_cents(quote) > 0 then dollars(quote_deposit_cents(quote)) end,
      'payment', quote_payment(quote, as_of),
      'balance', quote_balance(quote, as_of),
      'freeCancellationHours', quote.free_cancellation_hours,
      'paymentTerms', quote.payment_terms,
      'message', quote.message,
      'validForDays', quote.valid_for_days,
      'validUntil', iso_instant(quote.valid_until),
      'timeZone', p.time_zone,
      'validUntilLocal', local_time(quote.valid_until, p.time_zone),
      'service', case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end,
      'professional', json_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name,
        'phone', p.phone),
      'customer', json_build_object('name', r.customer_name, 'email', r.customer_email),
      'request', json_build_object('description', r.description, 'createdAt', iso_instant(r.created_at)),
      'createdAt', iso_instant(quote.created_at),
      'sentAt', iso_instant(quote.sent_at),
      'viewedAt', iso_instant(quote.viewed_at),
      'acceptedAt', iso_instant(quote.accepted_at),
      'declinedAt', iso_instant(quote.declined_at),
      'declineReason', quote.decline_reason)
    from rfqs r
    join professionals p on p.id = r.professional_id
    left join services s on s.id = r.service_id
    left join jobs j on j.professional_id = quote.professional_id and j.quote_id = quote.id
    where r.professional_id = quote.professional_id and r.id = quote.rfq_id
  );
end $$;

-- How many of the service's units the lines of a quote add up to, and what these lines amount to in cents, for price
-- statistics per unit. A flat price is one unit at the whole amount (null cents). A line is per unit if its unit price is
-- between a fifth and five times the pro's list price or else the market price: a floor quoted as "1 × $2,000" says nothing
-- about a square foot, and materials and discounts are other lines. Without such a price, lines of one unit price count.
-- Null excludes the quote from the statistics.
create or replace function quoted_units(
  wanted_service_id uuid, pro_id uuid, line_items jsonb, out units numeric, out units_cents integer
) language plpgsql stable as $$
declare
  service services;
  usual numeric;
begin
  select * into service from services where id = wanted_service_id;
  if service.unit is null then
    units := case when service.id is not null then 1 end;
    return;
  end if;
  select coalesce(
    (select coalesce(o.base_price_cents, (o.min_price_cents + o.max_price_cents) / 2.0)
     from professional_services o
     where o.professional_id = pro_id and o.service_id = service.id and o.unit = service.unit),
    (select a.median_cents from pricing_aggregates a
     where a.service_id = service.id and a.state = '' and a.city_id = 0)) / 100.0
  into usual;
  select sum(l.quantity), round(100 * sum(l.quantity * l.price))
  into units, units_cents
  from (
    select (item ->> 'quantity')::numeric as quantity, (item ->> 'unitPrice')::numeric as price
    from jsonb_array_elements(line_items) item
  ) l
  where l.price > 0 and (usual is null or l.price between usual / 5 and usual * 5)
  having (usual is not null or count(distinct l.price) = 1) and round(100 * sum(l.quantity * l.price)) > 0;
end $$;

-- Refuses to accept a quote whose deposit is not paid.
create or replace function check_quote_deposit() returns trigger
  language plpgsql as $$
begin
  if quote_deposit_cents(new) > 0 and not exists (
    select from payments y
    where y.professional_id = new.professional_id and y.quote_id = new.id and y.status = 'succeeded') then
    raise exception 'The deposit of quote % is not paid.', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace trigger quote_deposit before update of status on quotes
  for each row when (new.status = 'accepted' and old.status <> 'accepted') execute function check_quote_deposit();

-- The quotes that the pro of a request has sent, newest first.
create or replace function sent_quotes(request_id uuid, as_of timestamptz) returns json
  language sql stable parallel safe as $$
  select coalesce(json_agg(quote_object(q, as_of) order by q.sent_at desc, q.id desc), '[]')
  from quotes q where q.rfq_id = request_id and q.status <> 'draft'
$$;
