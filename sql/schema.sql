-- The schema as the migrations make it. Written by `npm run schema`; `npm run check` compares it. Do not edit.

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS postgis WITH SCHEMA public;

CREATE TYPE public.booking_ids AS (
	booking_id uuid,
	code text,
	payment_id uuid,
	event_ids uuid[]
);

CREATE TYPE public.booking_terms AS (
	fee_cents integer,
	hold_seconds integer,
	free_cancellation_hours integer,
	max_unpaid integer,
	provider text
);

CREATE TYPE public.call_origin AS (
	account_id uuid,
	source text,
	source_agent_id text,
	traceparent text
);

CREATE TYPE public.idempotent_request AS (
	operation text,
	key text,
	hash bytea
);

CREATE TYPE public.pro_fact AS (
	professional_id uuid,
	kind text,
	status text,
	at timestamp with time zone,
	service_id uuid,
	total integer,
	cents bigint
);

CREATE TYPE public.visit_customer AS (
	name text,
	email text,
	phone text,
	address jsonb,
	description text,
	address_proof text,
	network text
);

CREATE TYPE public.wanted_visit AS (
	pro_id uuid,
	service_id uuid,
	package_id uuid,
	on_day date,
	at_minute integer,
	at_instant timestamp with time zone,
	duration integer,
	by_service boolean
);

CREATE FUNCTION public.acts_for_pro(wanted_account uuid, pro_id uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  return exists (
    select from professionals p
    join accounts a on a.id = wanted_account
    where p.id = pro_id and (
      a.id = p.account_id
      or p.test_account_id is null and (
        a.test_of = p.account_id
        or exists (
          select from accounts held join users u on u.email = held.email
          where held.id = coalesce(a.test_of, a.id) and held.kind <> 'customer' and u.account_id = p.account_id))));
end $$;

CREATE FUNCTION public.add_credits(pro_id uuid, tasks integer, payment text, as_of timestamp with time zone) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  ledger credit_ledgers := open_ledger(pro_id, as_of);
  counted integer;
begin
  if ledger.professional_id is null then
    return null;
  end if;
  select t.amount into counted from credit_transfers t
  where t.professional_id = pro_id and t.to_account = 'prepaid' and t.reference = payment;
  if found then
    return case when counted = tasks then 'repeated' else 'mismatch' end;
  end if;
  insert into credit_transfers (professional_id, kind, from_account, to_account, amount, reference, created_at)
  values (pro_id, 'top_up', 'sold', 'prepaid', tasks, payment, as_of);
  return 'added';
end $$;

CREATE FUNCTION public.add_pro_facts(added public.pro_fact[], removed public.pro_fact[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if coalesce(cardinality(added), 0) = 0 and coalesce(cardinality(removed), 0) = 0 then
    return;
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('days:' || f.professional_id, 0))
  from (select distinct f.professional_id from unnest(added || removed) f order by 1) f;
  with change as materialized (
    select f.professional_id, f.kind, f.status, (f.at at time zone z.time_zone)::date as day, f.service_id,
      sum(f.sign * f.total) as total, sum(f.sign * f.cents) as cents
    from (select 1 as sign, a.* from unnest(added) a union all select -1, r.* from unnest(removed) r) f
    join professionals p on p.id = f.professional_id
    cross join lateral counted_zone(p.id, p.time_zone, f.at) z
    group by 1, 2, 3, 4, 5 having sum(f.sign * f.total) <> 0 or sum(f.sign * f.cents) <> 0
  ), days as (
    insert into pro_days as d (professional_id, day, kind, service_id, status, total, cents)
    select professional_id, day, kind, service_id, status, total, cents from change
    where day is not null order by professional_id, day, kind, service_id, status
    on conflict (professional_id, day, kind, service_id, status) do update set
      total = d.total + excluded.total, cents = d.cents + excluded.cents
  )
  insert into pro_counts as c (professional_id, kind, status, total)
  select professional_id, kind, status, sum(total) from change
  group by professional_id, kind, status having sum(total) <> 0 order by professional_id, kind, status
  on conflict (professional_id, kind, status) do update set total = c.total + excluded.total;
end $$;

CREATE TABLE public.pro_search (
    professional_id uuid NOT NULL,
    slot integer NOT NULL,
    slug text NOT NULL,
    doc text NOT NULL,
    "position" public.geography(Point,4326) NOT NULL,
    flags smallint NOT NULL,
    city_id integer NOT NULL,
    state smallint NOT NULL,
    standing bigint NOT NULL,
    facets smallint[] NOT NULL,
    bookable smallint[] DEFAULT '{}'::smallint[] NOT NULL,
    offers text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT pro_search_flags_check CHECK (((flags >= 0) AND (flags <= 3)))
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY public.pro_search ALTER COLUMN doc SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.pro_search ALTER COLUMN offers SET STORAGE EXTERNAL;

CREATE FUNCTION public.add_search_counts(p_old public.pro_search[], p_new public.pro_search[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  areas pro_search_area[];
  cells pro_search_cell[];
begin
  with change as (
    select 1 as n, c.* from unnest(p_new) r cross join lateral search_counts(r) c
    union all
    select -1, c.* from unnest(p_old) r cross join lateral search_counts(r) c
  ), total as (
    select area, facet, cell, sum(n)::integer as pros, sum(n * verified)::integer as verified,
      sum(n * instant)::integer as instant, sum(n * verified * instant)::integer as verified_instant
    -- The cell already includes the facet.
    from (select n, area, case when area is not null then facet end as facet, cell, verified, instant from change) c
    group by area, facet, cell
    having sum(n) <> 0 or sum(n * verified) <> 0 or sum(n * instant) <> 0 or sum(n * verified * instant) <> 0
  )
  select
    array_agg((area, facet, pros, verified, instant, verified_instant)::pro_search_area)
      filter (where area is not null),
    array_agg((cell, pros, verified, instant, verified_instant)::pro_search_cell)
      filter (where cell is not null)
  into areas, cells from total;

  if areas is not null then
    with free as materialized (
      select a.ctid as place
      from unnest(areas) changed join pro_search_area a on a.area = changed.area and a.facet = changed.facet
      for update of a skip locked
    ), replaced as (
      delete from pro_search_area a using free where a.ctid = free.place returning a.*
    )
    insert into pro_search_area
    select area, facet, sum(pros), sum(verified), sum(instant), sum(verified_instant)
    from (select * from replaced union all select * from unnest(areas)) part
    group by area, facet
    having sum(pros) <> 0 or sum(verified) <> 0 or sum(instant) <> 0 or sum(verified_instant) <> 0;
  end if;
  if cells is not null then
    with free as materialized (
      select c.ctid as place
      from unnest(cells) changed join pro_search_cell c on c.cell = changed.cell
      for update of c skip locked
    ), replaced as (
      delete from pro_search_cell c using free where c.ctid = free.place returning c.*
    )
    insert into pro_search_cell
    select cell, sum(pros), sum(verified), sum(instant), sum(verified_instant)
    from (select * from replaced union all select * from unnest(cells)) part
    group by cell
    having sum(pros) <> 0 or sum(verified) <> 0 or sum(instant) <> 0 or sum(verified_instant) <> 0;
  end if;
end $$;

CREATE FUNCTION public.add_time_zone(wanted text) RETURNS boolean
    LANGUAGE plpgsql
    AS $_$
begin
  if exists (select from time_zones z where z.name = wanted) then
    return true;
  end if;
  insert into time_zones (name)
  select n.name from pg_timezone_names n
  where n.name = wanted and n.name !~ '^(posix|right/|localtime$|Factory$)'
  on conflict do nothing;
  if found then
    perform pg_notify('time_zones_changed', '');
  end if;
  return exists (select from time_zones z where z.name = wanted);
end $_$;

CREATE TABLE public.bookings (
    id uuid NOT NULL,
    professional_id uuid NOT NULL,
    service_id uuid NOT NULL,
    account_id uuid,
    confirmation_code text NOT NULL,
    status text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    duration_minutes integer NOT NULL,
    buffer_minutes integer NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    holds tstzrange NOT NULL,
    customer_name text NOT NULL,
    customer_email text NOT NULL,
    customer_phone text,
    address jsonb,
    description text,
    source text NOT NULL,
    source_agent_id text,
    created_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    completed_at timestamp with time zone,
    cancellation_reason text,
    event_sequence integer DEFAULT 0 NOT NULL,
    hold_expires_at timestamp with time zone,
    lapse_event_id uuid,
    assigned_member_id uuid,
    package_id uuid,
    moved_late boolean DEFAULT false NOT NULL,
    service_name text NOT NULL,
    price_type text NOT NULL,
    price_unit text,
    base_price_cents integer,
    min_price_cents integer,
    max_price_cents integer,
    package_name text,
    package_includes text[],
    fee_cents integer DEFAULT 0 NOT NULL,
    deposit_cents integer DEFAULT 0 NOT NULL,
    deposit_percentage numeric(5,2),
    free_cancellation_hours integer DEFAULT 24 NOT NULL,
    cancelled_by text,
    approved_at timestamp with time zone,
    job_id uuid,
    proven_at timestamp with time zone,
    disowned_at timestamp with time zone,
    local_start timestamp without time zone,
    time_zone text,
    CONSTRAINT bookings_approved CHECK (((approved_at IS NULL) OR (confirmed_at IS NOT NULL))),
    CONSTRAINT bookings_buffer_minutes_check CHECK (((buffer_minutes >= 0) AND (buffer_minutes <= 240))),
    CONSTRAINT bookings_cancelled_by CHECK (((cancelled_by = ANY (ARRAY['customer'::text, 'pro'::text, 'hearth'::text])) AND ((cancelled_by IS NULL) OR (status = 'cancelled'::text)))),
    CONSTRAINT bookings_check CHECK ((ends_at = (starts_at + ((duration_minutes)::double precision * '00:01:00'::interval)))),
    CONSTRAINT bookings_check1 CHECK ((holds = tstzrange(starts_at, (ends_at + ((buffer_minutes)::double precision * '00:01:00'::interval))))),
    CONSTRAINT bookings_confirmation_code_check CHECK ((confirmation_code ~ '^HTH-[0-9A-HJKMNP-TV-Z]{12}$'::text)),
    CONSTRAINT bookings_customer_email_check CHECK (((customer_email = lower((customer_email COLLATE "C"))) AND ((length(customer_email) >= 3) AND (length(customer_email) <= 320)))),
    CONSTRAINT bookings_customer_name_check CHECK (((length(customer_name) >= 1) AND (length(customer_name) <= 200))),
    CONSTRAINT bookings_customer_phone_check CHECK ((length(customer_phone) <= 50)),
    CONSTRAINT bookings_description_check CHECK ((length(description) <= 5000)),
    CONSTRAINT bookings_duration_minutes_check CHECK ((((duration_minutes >= 15) AND (duration_minutes <= 720)) AND ((duration_minutes % 5) = 0))),
    CONSTRAINT bookings_free_cancellation CHECK (((free_cancellation_hours >= 0) AND (free_cancellation_hours <= 720))),
    CONSTRAINT bookings_hold CHECK ((((hold_expires_at IS NULL) OR (status = 'pending'::text)) AND ((hold_expires_at IS NULL) = (lapse_event_id IS NULL)))),
    CONSTRAINT bookings_package CHECK ((((package_id IS NULL) = (package_name IS NULL)) AND ((package_id IS NULL) = (package_includes IS NULL)))),
    CONSTRAINT bookings_payment CHECK (((fee_cents >= 0) AND (deposit_cents >= 0))),
    CONSTRAINT bookings_price CHECK (((price_type = ANY (ARRAY['flat'::text, 'hourly'::text, 'per_unit'::text])) AND ((price_type = 'flat'::text) = (price_unit IS NULL)) AND (base_price_cents >= 0) AND (min_price_cents >= 0) AND (max_price_cents >= min_price_cents))),
    CONSTRAINT bookings_source_agent_id_check CHECK ((length(source_agent_id) <= 200)),
    CONSTRAINT bookings_source_check CHECK ((source = ANY (ARRAY['web'::text, 'api'::text, 'chatgpt'::text, 'gemini'::text, 'perplexity'::text, 'agent'::text]))),
    CONSTRAINT bookings_state CHECK ((((status <> 'pending'::text) OR ((confirmed_at IS NULL) AND (cancelled_at IS NULL) AND (completed_at IS NULL))) AND ((status <> ALL (ARRAY['confirmed'::text, 'completed'::text, 'no_show'::text])) OR ((confirmed_at IS NOT NULL) AND (cancelled_at IS NULL))) AND ((status = 'cancelled'::text) = (cancelled_at IS NOT NULL)) AND ((status = 'completed'::text) = (completed_at IS NOT NULL)))),
    CONSTRAINT bookings_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'completed'::text, 'no_show'::text, 'cancelled'::text])))
);

CREATE FUNCTION public.agreed_start(booking public.bookings) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select clock_reaches(booking.local_start::date, (extract(epoch from booking.local_start::time) / 60)::integer,
    booking.time_zone)
$$;

CREATE FUNCTION public.apply_credit_transfer() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  ledger credit_ledgers;
  remaining bigint;
  share smallint;
begin
  select l.* into ledger from credit_ledgers l where l.professional_id = new.professional_id for update;
  update credit_accounts a
  set balance = a.balance + case when a.name = new.to_account then new.amount else -new.amount end
  where a.professional_id = new.professional_id and a.name in (new.from_account, new.to_account);
  if new.kind not in ('grant', 'top_up', 'reserve') then
    return null;
  end if;
  select coalesce(sum(a.balance), 0) into remaining from credit_accounts a
  where a.professional_id = new.professional_id and a.name in ('prepaid', 'allowance ' || ledger.month);
  -- A level counts as reached once until tasks come in; a release does not make it news again.
  if new.kind = 'reserve' then
    share := case when remaining = 0 then 0 when remaining * 5 <= ledger.full_tasks then 20 else 100 end;
    update credit_ledgers l set reached = share, notice_due = share
    where l.professional_id = new.professional_id and l.reached > share;
  else
    update credit_ledgers l set full_tasks = remaining, reached = 100, notice_due = null
    where l.professional_id = new.professional_id;
  end if;
  return null;
end $$;

CREATE FUNCTION public.ask_wake_up(channel text, payload text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  raise notice using message = channel, detail = payload, errcode = 'HE001';
end $$;

CREATE TABLE public.payments (
    id uuid NOT NULL,
    booking_id uuid,
    professional_id uuid NOT NULL,
    status text NOT NULL,
    fee_cents integer NOT NULL,
    deposit_cents integer NOT NULL,
    amount_cents integer NOT NULL,
    currency text DEFAULT 'USD'::text NOT NULL,
    provider text NOT NULL,
    intent_id text,
    client_secret text,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    captured_cents integer,
    captured_currency text,
    captured_at timestamp with time zone,
    retained boolean DEFAULT false NOT NULL,
    quote_id uuid,
    readings integer DEFAULT 0 NOT NULL,
    event_sequence integer DEFAULT 0 NOT NULL,
    event_digest text,
    revenue_cents integer DEFAULT 0 NOT NULL,
    CONSTRAINT payments_captured CHECK ((((status = ANY (ARRAY['succeeded'::text, 'refunding'::text, 'refunded'::text])) = (captured_at IS NOT NULL)) AND ((captured_at IS NULL) = (captured_cents IS NULL)) AND ((captured_at IS NULL) = (captured_currency IS NULL)) AND ((status <> 'succeeded'::text) OR ((captured_cents = amount_cents) AND (captured_currency = currency))) AND ((NOT retained) OR (status = 'succeeded'::text)))),
    CONSTRAINT payments_captured_cents_check CHECK ((captured_cents > 0)),
    CONSTRAINT payments_captured_currency_check CHECK ((captured_currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT payments_check CHECK (((amount_cents > 0) AND (amount_cents = (fee_cents + deposit_cents)))),
    CONSTRAINT payments_currency_check CHECK ((currency = 'USD'::text)),
    CONSTRAINT payments_deposit_cents_check CHECK ((deposit_cents >= 0)),
    CONSTRAINT payments_fee_cents_check CHECK ((fee_cents >= 0)),
    CONSTRAINT payments_intent CHECK (((client_secret IS NULL) OR (intent_id IS NOT NULL))),
    CONSTRAINT payments_provider_check CHECK ((provider = ANY (ARRAY['sandbox'::text, 'stripe'::text]))),
    CONSTRAINT payments_purpose CHECK ((num_nonnulls(booking_id, quote_id) = 1)),
    CONSTRAINT payments_status_check CHECK ((status = ANY (ARRAY['requires_payment'::text, 'failed'::text, 'succeeded'::text, 'expired'::text, 'refunding'::text, 'refunded'::text])))
);

CREATE FUNCTION public.balance_object(payments_made public.payments[], price_cents integer, fee_cents integer, due_cents integer, deposit_due_cents integer, is_open boolean) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select json_build_object(
    'currency', 'USD',
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

CREATE FUNCTION public.begin_delivery_ids(day date) RETURNS void
    LANGUAGE sql
    AS $$
  select setval('webhook_deliveries_id_seq', first_delivery_id(day)) from webhook_deliveries_id_seq
  where last_value < first_delivery_id(day)
$$;

CREATE TABLE public.availability_blocks (
    id uuid NOT NULL,
    professional_id uuid NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    reason text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT availability_blocks_check CHECK ((starts_at < ends_at)),
    CONSTRAINT availability_blocks_reason_check CHECK ((length(reason) <= 5000))
);

CREATE FUNCTION public.block_object(block public.availability_blocks) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select json_build_object(
    'id', block.id, 'startDateTime', iso_instant(block.starts_at), 'endDateTime', iso_instant(block.ends_at),
    'reason', block.reason)
$$;

CREATE FUNCTION public.book_visit(pro_id uuid, of_quote_id uuid, on_day date, at_minute integer, booking_id uuid, code text, event_ids uuid[], traceparent text, site_account_id uuid, as_of timestamp with time zone, OUT outcome text, OUT visit_id uuid) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
  select p.* into pro from professionals p where p.id = pro_id and (p.active or p.test_account_id is not null);
  select j.* into job from jobs j where j.professional_id = pro_id and j.quote_id = of_quote_id for share;
  select r.* into request from rfqs r where r.professional_id = pro_id and r.id = quote.rfq_id;
  visit_id := open_visit(quote);
  minutes := visit_minutes(pro, job);
  today := (as_of at time zone pro.time_zone)::date;
  outcome := case
    when visit_id is not null then 'has_visit'
    when minutes is null or job.status <> 'scheduled' then 'not_possible'
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

CREATE FUNCTION public.longest_interval_minutes(business_hours jsonb) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
begin
  return (
    select coalesce(max(
      left(hours ->> 'end', 2)::integer * 60 + right(hours ->> 'end', 2)::integer
      - left(hours ->> 'start', 2)::integer * 60 - right(hours ->> 'start', 2)::integer), 0)
    from jsonb_each(business_hours) day
    cross join lateral jsonb_array_elements(day.value) hours);
end $$;

CREATE TABLE public.professionals (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    slug text NOT NULL,
    business_name text NOT NULL,
    description text,
    active boolean DEFAULT true NOT NULL,
    verified boolean DEFAULT false NOT NULL,
    background_check boolean DEFAULT false NOT NULL,
    insurance boolean DEFAULT false NOT NULL,
    credentials boolean DEFAULT false NOT NULL,
    website text,
    phone text,
    city_id integer NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    time_zone text NOT NULL,
    service_radius_miles integer DEFAULT 25 NOT NULL,
    years_of_experience integer,
    accepts_emergency boolean DEFAULT false NOT NULL,
    review_count integer DEFAULT 0 NOT NULL,
    rating_sum integer DEFAULT 0 NOT NULL,
    instant_booking_enabled boolean DEFAULT false NOT NULL,
    requires_approval boolean DEFAULT false NOT NULL,
    lead_time_hours integer DEFAULT 24 NOT NULL,
    buffer_minutes integer DEFAULT 0 NOT NULL,
    default_slot_minutes integer DEFAULT 60 NOT NULL,
    deposit_required boolean DEFAULT false NOT NULL,
    deposit_percentage numeric(5,2),
    business_hours jsonb NOT NULL,
    event_sequence integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    plan text DEFAULT 'none'::text NOT NULL,
    longest_interval_minutes integer GENERATED ALWAYS AS (public.longest_interval_minutes(business_hours)) STORED NOT NULL,
    reminder_hours integer DEFAULT 24,
    test_account_id uuid,
    CONSTRAINT professionals_buffer_minutes_check CHECK (((buffer_minutes >= 0) AND (buffer_minutes <= 240))),
    CONSTRAINT professionals_business_name_check CHECK (((length(business_name) >= 1) AND (length(business_name) <= 200))),
    CONSTRAINT professionals_check CHECK (((rating_sum >= review_count) AND (rating_sum <= (review_count * 5)))),
    CONSTRAINT professionals_default_slot_minutes_check CHECK ((((default_slot_minutes >= 15) AND (default_slot_minutes <= 720)) AND ((default_slot_minutes % 5) = 0))),
    CONSTRAINT professionals_deposit CHECK ((deposit_required = (deposit_percentage IS NOT NULL))),
    CONSTRAINT professionals_deposit_percentage_check CHECK (((deposit_percentage > (0)::numeric) AND (deposit_percentage <= (100)::numeric))),
    CONSTRAINT professionals_description_check CHECK ((length(description) <= 5000)),
    CONSTRAINT professionals_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT professionals_lead_time_hours_check CHECK (((lead_time_hours >= 0) AND (lead_time_hours <= 720))),
    CONSTRAINT professionals_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
    CONSTRAINT professionals_phone_check CHECK ((length(phone) <= 50)),
    CONSTRAINT professionals_plan CHECK ((plan = ANY (ARRAY['none'::text, 'verified'::text, 'business'::text]))),
    CONSTRAINT professionals_reminder_hours CHECK (((reminder_hours >= 1) AND (reminder_hours <= 168))),
    CONSTRAINT professionals_review_count_check CHECK ((review_count >= 0)),
    CONSTRAINT professionals_service_radius_miles_check CHECK (((service_radius_miles >= 1) AND (service_radius_miles <= 500))),
    CONSTRAINT professionals_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 200))),
    CONSTRAINT professionals_test_hidden CHECK (((test_account_id IS NULL) OR (NOT active))),
    CONSTRAINT professionals_website_check CHECK ((length(website) <= 2048)),
    CONSTRAINT professionals_years_of_experience_check CHECK (((years_of_experience >= 0) AND (years_of_experience <= 120)))
);

CREATE FUNCTION public.bookable_time(pro public.professionals, starts_at timestamp with time zone, base_url text, chosen_service uuid, chosen_package uuid) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
declare
  local constant timestamp := starts_at at time zone pro.time_zone;
  day constant date := local;
  starts constant text := left(local::time::text, 5);
begin
  return json_build_object('date', day, 'time', starts,
    'bookingUrl', format('%s/pros/%s/book?%s', base_url, pro.slug, concat_ws('&',
      'package=' || chosen_package, case when chosen_package is null then 'service=' || chosen_service end,
      'date=' || day, 'time=' || starts)));
end $$;

CREATE FUNCTION public.booking_as_of(booking public.bookings, as_of timestamp with time zone) RETURNS public.bookings
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
begin
  if booking.hold_expires_at <= as_of then
    booking.status := 'cancelled';
    booking.cancelled_at := booking.hold_expires_at;
    booking.cancellation_reason := 'payment_expired';
    booking.cancelled_by := 'hearth';
    booking.hold_expires_at := null;
  end if;
  return booking;
end $$;

CREATE FUNCTION public.booking_balance(booking public.bookings) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
declare
  is_open constant boolean := booking.status in ('pending', 'confirmed');
  is_held constant boolean := booking.status = 'pending' and booking.hold_expires_at is not null;
begin
  if booking.job_id is not null then
    return (
      select job_money(j, is_open) from jobs j
      where j.professional_id = booking.professional_id and j.id = booking.job_id);
  end if;
  return balance_object(
    case when booking.fee_cents + booking.deposit_cents > 0 then array(
      select y from payments y
      where y.professional_id = booking.professional_id and y.booking_id = booking.id) end,
    case when booking.price_type = 'flat' and booking.min_price_cents is null and booking.max_price_cents is null
      then booking.base_price_cents end,
    booking.fee_cents,
    case when is_held then booking.fee_cents + booking.deposit_cents else 0 end,
    case when is_held then booking.deposit_cents else 0 end,
    is_open);
end $$;

CREATE TABLE public.outbox_events (
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    professional_id uuid NOT NULL,
    aggregate_type text NOT NULL,
    aggregate_id uuid NOT NULL,
    sequence integer NOT NULL,
    data jsonb NOT NULL,
    traceparent text,
    created_at timestamp with time zone NOT NULL,
    partition smallint GENERATED ALWAYS AS (((uuid_hash(aggregate_id) & 7))::smallint) STORED NOT NULL,
    relayed_at timestamp with time zone,
    CONSTRAINT outbox_events_sequence_check CHECK ((sequence > 0))
);

CREATE FUNCTION public.booking_messages(event public.outbox_events, as_of timestamp with time zone) RETURNS TABLE(key text, kind text, recipient text, data jsonb, send_at timestamp with time zone)
    LANGUAGE plpgsql STABLE ROWS 2
    AS $$
declare
  occasion constant text := 'event:' || event.id;
  object constant jsonb := event.data -> 'object';
  customer constant text := object #>> '{customer,email}';
  held_until constant timestamptz := object ->> 'holdExpiresAt';
  pro professionals;
  pro_email text;
  told jsonb;
  starts timestamptz;
  remind_at timestamptz;
begin
  if event.type not in ('booking.created', 'booking.pending_approval', 'booking.confirmed', 'booking.rescheduled',
    'booking.cancelled', 'booking.completed') then
    return;
  end if;
  select p.* into pro from professionals p where p.id = event.professional_id;
  select a.email into pro_email from accounts a where a.id = pro.account_id;
  select jsonb_build_object('booking', message_booking(object, event.sequence, event.created_at, b, pro, pro_email)) into told
  from bookings b where b.id = event.aggregate_id;
  starts := told #>> '{booking,startsAt}';
  remind_at := starts - pro.reminder_hours * interval '1 hour';

  if event.type = 'booking.created' and held_until is not null then
    return query values
      (occasion, 'booking-held', customer, told || hold_data(event.aggregate_id, held_until), as_of),
      ('hold-expiring:' || event.aggregate_id, 'hold-expiring', customer, '{}'::jsonb,
        held_until - least(interval '5 minutes', (held_until - event.created_at) / 3));
  elsif event.type = 'booking.pending_approval' then
    return query values (occasion, 'booking-received', customer, told, as_of);
  elsif event.type = 'booking.confirmed' then
    return query values (occasion, 'booking-confirmed', customer, told, as_of);
  elsif event.type = 'booking.rescheduled' then
    told := told || jsonb_build_object('previousStartsAt', told_start(event.aggregate_id, event.sequence - 1));
    return query values
      (occasion, 'booking-moved', customer, told, as_of),
      (occasion, 'booking-moved-for-pro', pro_email, told, as_of);
  elsif event.type = 'booking.cancelled' then
    return query values (occasion, 'booking-cancelled', customer, told, as_of);
    -- The pro never heard of a booking that was not paid.
    if object ->> 'cancelledBy' <> 'pro' and object ->> 'cancellationReason' is distinct from 'payment_expired' then
      return query values (occasion, 'booking-cancelled-for-pro', pro_email, told, as_of);
    end if;
  elsif event.type = 'booking.completed' then
    -- What the owner of the address disowned is not theirs to review.
    return query select 'review:' || event.aggregate_id, 'review-invitation', customer, '{}'::jsonb, as_of + interval '1 hour'
      from bookings b where b.id = event.aggregate_id and b.disowned_at is null;
  end if;

  if event.type in ('booking.created', 'booking.pending_approval', 'booking.confirmed') and held_until is null then
    return query values ('new-booking:' || event.aggregate_id, 'new-booking', pro_email, told, as_of);
    -- The deposit of a quote was told when the quote was accepted.
    if object #>> '{payment,status}' = 'succeeded' and not exists (
      select from bookings b
      where b.professional_id = event.professional_id and b.id = event.aggregate_id and b.job_id is not null) then
      return query select 'payment:' || event.aggregate_id, 'payment-received', pro_email, payment_message(object), as_of;
    end if;
  end if;
  -- A booking that begins sooner was just confirmed or moved: it needs no reminder.
  if event.type in ('booking.confirmed', 'booking.rescheduled') and remind_at > as_of then
    return query select r.* from reminder_message(event.aggregate_id, customer, starts, remind_at) r;
  end if;
end $$;

CREATE FUNCTION public.booking_object(booking public.bookings) RETURNS json
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    AS $$
begin
  return (
    select booking_shown(booking, p, c.name || ', ' || c.state, proposed_time(booking, p.time_zone))
    from professionals p
    join cities c on c.id = p.city_id
    where p.id = booking.professional_id
  );
end $$;

CREATE TABLE public.professional_services (
    professional_id uuid NOT NULL,
    service_id uuid NOT NULL,
    description text,
    price_type text NOT NULL,
    unit text,
    base_price_cents integer,
    min_price_cents integer,
    max_price_cents integer,
    currency text DEFAULT 'USD'::text NOT NULL,
    duration_minutes integer,
    instant_book_enabled boolean DEFAULT true NOT NULL,
    CONSTRAINT professional_services_base_price_cents_check CHECK ((base_price_cents >= 0)),
    CONSTRAINT professional_services_check CHECK ((max_price_cents >= min_price_cents)),
    CONSTRAINT professional_services_currency_check CHECK ((currency = 'USD'::text)),
    CONSTRAINT professional_services_description_check CHECK ((length(description) <= 5000)),
    CONSTRAINT professional_services_duration_minutes_check CHECK ((((duration_minutes >= 15) AND (duration_minutes <= 720)) AND ((duration_minutes % 5) = 0))),
    CONSTRAINT professional_services_min_price_cents_check CHECK ((min_price_cents >= 0)),
    CONSTRAINT professional_services_price_type_check CHECK ((price_type = ANY (ARRAY['flat'::text, 'hourly'::text, 'per_unit'::text]))),
    CONSTRAINT professional_services_unit CHECK ((((price_type = 'flat'::text) = (unit IS NULL)) AND ((length(unit) >= 1) AND (length(unit) <= 40))))
);

CREATE FUNCTION public.booking_obstacle(pro public.professionals, offer public.professional_services, minutes integer, has_price boolean DEFAULT false) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case
    when not (pro.instant_booking_enabled and offer.instant_book_enabled) then 'instant_booking_disabled'
    when pro.deposit_required and not has_price and coalesce(offer.base_price_cents, offer.min_price_cents) is null
      then 'service_unpriced'
    when minutes > pro.longest_interval_minutes then 'service_too_long'
  end
$$;

CREATE FUNCTION public.booking_package(booking public.bookings) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select case when booking.package_id is not null then json_build_object(
    'id', booking.package_id, 'name', booking.package_name, 'includes', to_json(booking.package_includes),
    'price', dollars(booking.base_price_cents)) end
$$;

CREATE FUNCTION public.booking_payment(booking public.bookings) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  if booking.job_id is not null then
    return (
      select quote_payment(q, booking.created_at)
      from jobs j join quotes q on q.professional_id = j.professional_id and q.id = j.quote_id
      where j.professional_id = booking.professional_id and j.id = booking.job_id);
  end if;
  if booking.fee_cents + booking.deposit_cents = 0 then
    return null;
  end if;
  return (
    select payment_object(y, booking.status = 'cancelled') from payments y
    where y.professional_id = booking.professional_id and y.booking_id = booking.id
  );
end $$;

CREATE FUNCTION public.booking_price(booking public.bookings) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select json_build_object(
    'type', booking.price_type, 'basePrice', dollars(booking.base_price_cents), 'min', dollars(booking.min_price_cents),
    'max', dollars(booking.max_price_cents), 'unit', booking.price_unit, 'currency', 'USD')
$$;

CREATE FUNCTION public.booking_receipt(booking public.bookings, pro public.professionals, place text) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select json_build_object(
    'id', booking.id,
    'confirmationCode', booking.confirmation_code,
    'status', booking.status,
    'scheduledAt', iso_instant(booking.starts_at),
    'durationMinutes', booking.duration_minutes,
    'service', json_build_object('id', booking.service_id, 'name', booking.service_name),
    'package', booking_package(booking),
    'price', booking_price(booking),
    'professional', json_build_object('id', pro.id, 'slug', pro.slug, 'businessName', pro.business_name,
      'phone', pro.phone, 'location', place),
    'fee', dollars(booking.fee_cents),
    'deposit', dollars(booking.deposit_cents),
    'freeCancellationHours', booking.free_cancellation_hours,
    'freeCancellationUntil', iso_instant(free_cancellation_until(booking)))
$$;

CREATE FUNCTION public.booking_shown(booking public.bookings, pro public.professionals, place text, proposed json) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select json_build_object(
    'id', booking.id,
    'confirmationCode', booking.confirmation_code,
    'status', booking.status,
    'scheduledDate', (booking.starts_at at time zone pro.time_zone)::date,
    'scheduledTime', left((booking.starts_at at time zone pro.time_zone)::time::text, 5),
    'durationMinutes', booking.duration_minutes,
    'service', json_build_object('id', booking.service_id, 'name', booking.service_name),
    'package', booking_package(booking),
    'price', booking_price(booking),
    'professional', json_build_object('id', pro.id, 'businessName', pro.business_name, 'phone', pro.phone,
      'location', place),
    'customer', json_build_object('name', booking.customer_name, 'email', booking.customer_email),
    'address', booking.address,
    'description', booking.description,
    'payment', booking_payment(booking),
    'balance', booking_balance(booking),
    'holdExpiresAt', iso_instant(booking.hold_expires_at),
    'freeCancellationHours', booking.free_cancellation_hours,
    'freeCancellationUntil', iso_instant(free_cancellation_until(booking)),
    'proposedTime', proposed,
    'createdAt', iso_instant(booking.created_at),
    'confirmedAt', iso_instant(booking.confirmed_at),
    'cancelledAt', iso_instant(booking.cancelled_at),
    'cancelledBy', booking.cancelled_by,
    'cancellationReason', booking.cancellation_reason)
$$;

CREATE FUNCTION public.busy_time(pro_id uuid, buffer_minutes integer, span tstzrange, as_of timestamp with time zone, except_booking uuid DEFAULT NULL::uuid) RETURNS tstzmultirange
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
declare
  buffer constant interval := make_interval(mins => buffer_minutes);
begin
  return (
    select coalesce(range_agg(taken), '{}')
    from (
      select tstzrange(b.starts_at - buffer, greatest(upper(b.holds), b.ends_at + buffer)) as taken
      from bookings b
      where b.professional_id = pro_id and b.status in ('pending', 'confirmed')
        and (b.hold_expires_at is null or b.hold_expires_at > as_of)
        and b.id is distinct from except_booking
        -- CHECKs limit a booking to 12 hours and its buffer to 4, so no booking that starts earlier can reach into `span`.
        and b.starts_at > lower(span) - interval '16 hours' and b.starts_at < upper(span) + buffer
      union all
      select tstzrange(k.starts_at, k.ends_at)
      from availability_blocks k
      where k.professional_id = pro_id and tstzrange(k.starts_at, k.ends_at) && span
      union all
      select tstzrange(i.starts_at, i.ends_at)
      from imported_busy i
      where i.professional_id = pro_id and i.ends_at > lower(span) and i.starts_at < upper(span)
        -- No row is longer than a day.
        and i.starts_at > lower(span) - interval '24 hours'
    ) as everything
  );
end $$;

CREATE FUNCTION public.check_key_mode() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if (new.mode = 'test') is distinct from (select a.test_of is not null from accounts a where a.id = new.account_id) then
    raise exception 'A key of mode % must not belong to account %.', new.mode, new.account_id
      using errcode = 'check_violation', constraint = 'api_keys_test_mode';
  end if;
  return new;
end $$;

CREATE FUNCTION public.check_quote_deposit() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if quote_deposit_cents(new) > 0 and not exists (
    select from payments y
    where y.professional_id = new.professional_id and y.quote_id = new.id and y.status = 'succeeded') then
    raise exception 'The deposit of quote % is not paid.', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

CREATE FUNCTION public.check_refund_amount() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  left_cents integer;
begin
  if new.status not in ('pending', 'part') then
    return new;
  end if;
  select p.captured_cents into left_cents from payments p
  where p.professional_id = new.professional_id and p.id = new.payment_id for update;
  left_cents := left_cents - returned_cents(new.professional_id, new.payment_id, new.id);
  new.amount_cents := coalesce(new.amount_cents, left_cents);
  if new.amount_cents > left_cents or left_cents <= 0 then
    raise exception 'Refunds of payment % exceed what was paid.', new.payment_id
      using errcode = 'check_violation', constraint = 'payment_refunds_within_payment';
  end if;
  return new;
end $$;

CREATE FUNCTION public.check_test_mode() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if (select p.test_account_id from professionals p where p.id = new.professional_id)
    is distinct from (select a.id from accounts a where a.id = new.account_id and a.test_of is not null) then
    raise exception 'Account % must not have work with pro %: one of them is in test mode.', new.account_id,
      new.professional_id using errcode = 'check_violation', constraint = 'work_in_test_mode';
  end if;
  return new;
end $$;

CREATE FUNCTION public.check_time_zone() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if not add_time_zone(new.time_zone) then
    raise check_violation using constraint = 'time_zone_exists', table = tg_table_name, column = 'time_zone',
      message = format('PostgreSQL has no time zone %L', new.time_zone);
  end if;
  return new;
end $$;

CREATE FUNCTION public.check_transition() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  before text := case when tg_op = 'INSERT' then '' else old.status end;
begin
  if before <> new.status and not exists (
    select from state_transitions t
    where t.aggregate = tg_argv[0] and t.from_state = before and t.to_state = new.status)
  then
    raise exception '% may not become % from %', tg_argv[0], new.status, coalesce(nullif(before, ''), 'nothing')
      using errcode = 'check_violation', constraint = tg_argv[0] || '_transition';
  end if;
  return new;
end $$;

CREATE FUNCTION public.choose_test_provider() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if exists (select from professionals p where p.id = new.professional_id and p.test_account_id is not null) then
    new.provider := 'sandbox';
  end if;
  return new;
end $$;

CREATE FUNCTION public.chosen_offer(pro public.professionals, chosen_service uuid, chosen_package uuid) RETURNS TABLE(service_id uuid, package_id uuid, minutes integer, obstacle text, terms json)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select s.id, k.id, length.minutes, booking_obstacle(pro, o, length.minutes, k.id is not null),
    json_build_object('id', s.id, 'name', s.name,
      'package', case when k.id is not null then json_build_object(
        'id', k.id, 'name', k.name, 'includes', to_json(k.includes)) end,
      'durationMinutes', length.minutes,
      'price', case when k.id is not null then json_build_object(
        'type', 'flat', 'basePrice', dollars(k.price_cents), 'min', null, 'max', null, 'unit', null,
        'currency', k.currency)
      else json_build_object(
        'type', o.price_type, 'basePrice', dollars(o.base_price_cents), 'min', dollars(o.min_price_cents),
        'max', dollars(o.max_price_cents), 'unit', o.unit, 'currency', o.currency) end,
      'deposit', dollars(deposit_for(pro, coalesce(k.price_cents, o.base_price_cents, o.min_price_cents))))
  from services s
  join professional_services o on o.professional_id = pro.id and o.service_id = s.id
  left join packages k on k.id = chosen_package and k.active and k.professional_id = pro.id and k.service_id = s.id
  cross join lateral (select coalesce(k.duration_minutes, service_minutes(o, s)) as minutes) length
  where s.active and (chosen_package is null or k.id is not null)
    and s.id = coalesce(chosen_service, (
      select n.service_id from packages n where n.professional_id = pro.id and n.id = chosen_package))
$$;

CREATE TABLE public.imported_calendars (
    id uuid NOT NULL,
    professional_id uuid NOT NULL,
    member_id uuid,
    name text NOT NULL,
    address_encrypted text NOT NULL,
    address_digest text NOT NULL,
    host text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    next_read_at timestamp with time zone NOT NULL,
    claims integer DEFAULT 0 NOT NULL,
    last_read_at timestamp with time zone,
    failing_since timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    last_error text,
    failure_told_at timestamp with time zone,
    event_count integer DEFAULT 0 NOT NULL,
    unreadable_count integer DEFAULT 0 NOT NULL,
    etag text,
    last_modified text,
    body_digest text,
    expanded_from date,
    expanded_zone text,
    reading_until timestamp with time zone,
    changed_at timestamp with time zone,
    CONSTRAINT imported_calendars_check CHECK (((failing_since IS NULL) = (failures = 0))),
    CONSTRAINT imported_calendars_check1 CHECK (((failing_since IS NULL) = (last_error IS NULL))),
    CONSTRAINT imported_calendars_check2 CHECK (((failing_since IS NOT NULL) OR (failure_told_at IS NULL))),
    CONSTRAINT imported_calendars_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

CREATE FUNCTION public.claim_calendar(as_of timestamp with time zone, until timestamp with time zone) RETURNS SETOF public.imported_calendars
    LANGUAGE plpgsql
    AS $$
declare
  due record;
begin
  if restored_copy() is not null then
    return;
  end if;
  for due in
    select c.id, c.professional_id from imported_calendars c
    where c.next_read_at <= as_of
      and not exists (
        select from imported_calendars other
        where other.professional_id = c.professional_id and other.reading_until > as_of)
    order by c.next_read_at, c.id
  loop
    -- Two readers at the same moment: the second passes over this pro.
    continue when not pg_try_advisory_xact_lock(hashtextextended('calendars:' || due.professional_id, 0));
    -- Sees what the previous holder of the lock committed.
    return query
      update imported_calendars c set next_read_at = until, reading_until = until, claims = c.claims + 1
      where c.id = due.id and c.next_read_at <= as_of
        and not exists (
          select from imported_calendars other
          where other.professional_id = c.professional_id and other.reading_until > as_of)
      returning c.*;
    if found then
      return;
    end if;
  end loop;
end $$;

CREATE FUNCTION public.claim_deliveries(endpoints uuid[], room integer[], worker_id uuid, as_of timestamp with time zone, lease_until timestamp with time zone) RETURNS TABLE(id bigint, endpoint_id uuid, event_id text, type text, body text, traceparent text, event_at text, attempts integer, round integer, url text, ordered boolean, max_retries integer, failing_since text, secrets text[])
    LANGUAGE sql
    AS $$
  with lease as materialized (
    -- A worker that treats this one as dead waits until this claim is committed, and then sees it.
    -- Also in this statement: the server may have been replaced by a restored copy a moment ago.
    select c.id from webhook_couriers c where c.id = worker_id and restored_copy() is null for key share
  ), wanted as (
    select w.endpoint_id, w.room, e.ordered
    from unnest(endpoints, room) as w (endpoint_id, room)
    join webhook_endpoints e on e.id = w.endpoint_id and e.status = 'enabled'
    where exists (select from lease)
  ), line as materialized (
    select w.endpoint_id, f.id
    from wanted w
    cross join lateral (
      select f.id from webhook_deliveries f
      where w.ordered and f.endpoint_id = w.endpoint_id and f.state = 'pending' order by f.id limit w.room
    ) f
  ), held as materialized (
    select d.id from webhook_deliveries d
    where d.id in (select line.id from line) and d.state = 'pending' and d.next_attempt_at <= as_of
    for update skip locked
  ), picked as materialized (
    select d.id
    from wanted w
    cross join lateral (
      select d.id from webhook_deliveries d
      where not w.ordered and d.endpoint_id = w.endpoint_id and d.state = 'pending' and d.next_attempt_at <= as_of
      order by d.next_attempt_at, d.id limit w.room for update skip locked
    ) d
    union all
    select line.id
    from line
    where not exists (
      select from line before
      where before.endpoint_id = line.endpoint_id and before.id <= line.id and before.id not in (select held.id from held))
  ), claimed as (
    update webhook_deliveries d set next_attempt_at = lease_until, courier_id = worker_id
    from picked where d.id = picked.id
    returning d.id, d.endpoint_id, d.event_id, d.attempts, d.round
  )
  select t.id, t.endpoint_id, public_event_id(v.id), v.type, webhook_body_for(v, e.account_id), v.traceparent, iso_instant(v.created_at), t.attempts,
    t.round, e.url, e.ordered, e.max_retries, iso_instant(e.failing_since),
    array[e.secret_sealed]
      || case when e.previous_secret_until > as_of then array[e.previous_secret_sealed] else '{}' end
  from claimed t
  join webhook_endpoints e on e.id = t.endpoint_id
  join webhook_events v on v.id = t.event_id
  order by t.id
$$;

CREATE FUNCTION public.claim_free_booking(network text, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  if network is null then
    return true;
  end if;
  insert into network_bookings as n (network_digest, booked_at, free_at) values (network, as_of, as_of)
  on conflict (network_digest) do update set booked_at = excluded.booked_at, free_at = excluded.free_at
    where n.free_at is null or n.free_at <= excluded.free_at - interval '24 hours';
  return found;
end $$;

CREATE FUNCTION public.claim_hold(network text, booking_id uuid, max_holds integer, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  noted uuid[];
begin
  if network is null then
    return true;
  end if;
  insert into network_bookings as n (network_digest, booked_at) values (network, as_of)
  on conflict (network_digest) do update set booked_at = excluded.booked_at
  returning n.held into noted;
  noted := array(select b.id from bookings b where b.id = any (noted) and b.hold_expires_at > as_of) || booking_id;
  update network_bookings n set held = noted where n.network_digest = network and cardinality(noted) <= max_holds;
  return found;
end $$;

CREATE FUNCTION public.claim_messages(max integer, optional_kinds text[], urgent_kinds text[], reserved_kinds text[], hourly integer, as_of timestamp with time zone, lease_until timestamp with time zone) RETURNS TABLE(id bigint, kind text, recipient text, data jsonb, data_encrypted text, booking_id uuid, attempts integer, refusals integer, traceparent text, send_at timestamp with time zone, created_at timestamp with time zone, is_current boolean, suppression text, is_excess boolean, is_test boolean)
    LANGUAGE sql
    AS $$
  with due as materialized (
    select m.* from messages m
    where m.status = 'pending' and m.next_attempt_at <= as_of and restored_copy() is null
      and (m.kind = any (urgent_kinds) or not exists (
        select from messages e
        where e.recipient = m.recipient and e.status = 'pending' and e.id < m.id and e.send_at <= as_of
          and e.kind <> all (urgent_kinds) and e.refusals < 3 and (m.kind = any (optional_kinds) or e.kind <> all (optional_kinds))))
    order by m.next_attempt_at, m.id limit max for update skip locked
  ), judged as materialized (
    select d.id, current_message_data(d, as_of) as data,
      (select s.reason from message_suppressions s
       where s.email = d.recipient and (s.reason = 'bounced' or d.kind = any (optional_kinds))
       order by s.reason limit 1) as suppression,
      -- What stays in the mailbox neither waits nor counts: a test key must not hold up real mail.
      d.kind <> all (urgent_kinds) and d.kind <> 'digest' and not is_test_pro(d.professional_id) and exists (
        select from messages s
        where s.recipient = d.recipient and s.status = 'sent' and s.finished_at > as_of - interval '1 hour'
          and s.kind <> all (urgent_kinds) and s.kind <> 'digest'
          and (s.kind = any (reserved_kinds)) = (d.kind = any (reserved_kinds)) and not is_test_pro(s.professional_id)
        offset case when d.kind = any (optional_kinds) then hourly / 2 else hourly end - 1 limit 1) as is_excess
    from due d
  )
  -- Without an outcome it is in progress, so that no one makes it due again meanwhile.
  update messages m set attempts = m.attempts + 1, next_attempt_at = lease_until, outcome = null, data = coalesce(j.data, m.data)
  from judged j where m.id = j.id
  returning m.id, m.kind, m.recipient, m.data, m.data_encrypted, m.booking_id, m.attempts, m.refusals, m.traceparent, m.send_at,
    m.created_at, m.data is null or j.data is not null, j.suppression, j.is_excess, is_test_pro(m.professional_id)
$$;

CREATE FUNCTION public.clock_minute(reading text) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select left(reading, 2)::integer * 60 + right(reading, 2)::integer
$$;

CREATE FUNCTION public.clock_reaches(day date, minute integer, zone text) RETURNS timestamp with time zone
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
  instant timestamptz := local_instant(day, minute, zone);
  skipped integer := 0;
begin
  -- Clock changes fall on whole minutes: the skip is one minute after the last existing time. Apia skipped 1,440 minutes.
  while instant is null loop
    skipped := skipped + 1;
    instant := local_instant(day, minute - skipped, zone) + interval '1 minute';
  end loop;
  return instant;
end $$;

CREATE FUNCTION public.clock_reading(minute integer) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select lpad((minute / 60)::text, 2, '0') || ':' || lpad((minute % 60)::text, 2, '0')
$$;

CREATE FUNCTION public.correct_prices(as_of timestamp with time zone, pass_day date) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  drift integer;
begin
  if not pg_try_advisory_xact_lock(7236815) then
    return null;
  end if;
  perform refresh_changed_prices(as_of);
  drift := refresh_pricing(as_of);
  insert into pricing_passes (day, drift, finished_at) values (pass_day, drift, as_of);
  return drift;
end $$;

CREATE FUNCTION public.count_approved_review() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform count_review(new);
  return null;
end $$;

CREATE FUNCTION public.count_bookings(pro_id uuid, states text[], as_of timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
declare
  kept constant bigint := (
    select coalesce(sum(c.total), 0) from pro_counts c
    where c.professional_id = pro_id and c.kind = 'booking' and c.status = any (states));
  lapsed constant bigint := (
    select count(*) from bookings b where b.professional_id = pro_id and b.hold_expires_at <= as_of);
begin
  return kept + lapsed * (('cancelled' = any (states))::integer - ('pending' = any (states))::integer);
end $$;

CREATE FUNCTION public.count_bookings_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  added pro_fact[];
  removed pro_fact[];
begin
  if tg_op <> 'DELETE' then
    added := array(
      select f from new_rows n cross join lateral facts_of_booking(n.professional_id, n.status, n.created_at, n.service_id) f);
  end if;
  if tg_op <> 'INSERT' then
    removed := array(
      select f from old_rows o cross join lateral facts_of_booking(o.professional_id, o.status, o.created_at, o.service_id) f);
  end if;
  perform add_pro_facts(added, removed);
  return null;
end $$;

CREATE FUNCTION public.count_jobs_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  added pro_fact[];
  removed pro_fact[];
begin
  if tg_op <> 'DELETE' then
    added := array(
      select f from new_rows n
      cross join lateral facts_of_job(n.professional_id, n.status, n.completed_at, n.service_id, n.amount_cents) f);
  end if;
  if tg_op <> 'INSERT' then
    removed := array(
      select f from old_rows o
      cross join lateral facts_of_job(o.professional_id, o.status, o.completed_at, o.service_id, o.amount_cents) f);
  end if;
  perform add_pro_facts(added, removed);
  return null;
end $$;

CREATE FUNCTION public.count_of_pro(pro_id uuid, of_kind text, state text) RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select coalesce(sum(c.total), 0)::bigint from pro_counts c
  where c.professional_id = pro_id and c.kind = of_kind and (state is null or c.status = state)
$$;

CREATE FUNCTION public.count_payments_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  added pro_fact[];
  removed pro_fact[];
begin
  if tg_op <> 'DELETE' then
    added := array(
      select f from new_rows n
      cross join lateral facts_of_payment(n.professional_id, n.booking_id, n.quote_id, n.captured_at, n.revenue_cents) f
      where n.revenue_cents <> 0);
  end if;
  if tg_op <> 'INSERT' then
    removed := array(
      select f from old_rows o
      cross join lateral facts_of_payment(o.professional_id, o.booking_id, o.quote_id, o.captured_at, o.revenue_cents) f
      where o.revenue_cents <> 0);
  end if;
  perform add_pro_facts(added, removed);
  return null;
end $$;

CREATE FUNCTION public.count_quotes(pro_id uuid, state text, as_of timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
  select count_of_pro(pro_id, 'quote', state) + coalesce((
    select sum(case when state = 'expired' then 1 when q.status = state then -1 else 0 end) from quotes q
    where q.professional_id = pro_id and q.status in ('sent', 'viewed') and q.valid_until <= as_of), 0)::bigint
$$;

CREATE FUNCTION public.count_quotes_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  added pro_fact[];
  removed pro_fact[];
begin
  if tg_op <> 'DELETE' then
    added := array(
      select f from new_rows n
      cross join lateral facts_of_quote(n.professional_id, n.status, n.sent_at, n.accepted_at, n.amount_cents) f);
  end if;
  if tg_op <> 'INSERT' then
    removed := array(
      select f from old_rows o
      cross join lateral facts_of_quote(o.professional_id, o.status, o.sent_at, o.accepted_at, o.amount_cents) f);
  end if;
  perform add_pro_facts(added, removed);
  return null;
end $$;

CREATE TABLE public.reviews (
    id uuid NOT NULL,
    professional_id uuid NOT NULL,
    booking_id uuid,
    job_id uuid,
    status text NOT NULL,
    rating smallint NOT NULL,
    title text,
    content text NOT NULL,
    punctuality smallint,
    communication smallint,
    quality smallint,
    value smallint,
    customer_name text NOT NULL,
    customer_email text NOT NULL,
    verified boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    approved_at timestamp with time zone,
    account_id uuid,
    photos jsonb DEFAULT '[]'::jsonb NOT NULL,
    source text DEFAULT 'api'::text NOT NULL,
    rejected_at timestamp with time zone,
    rejection_reason text,
    response text,
    responded_at timestamp with time zone,
    helpful_yes integer DEFAULT 0 NOT NULL,
    helpful_no integer DEFAULT 0 NOT NULL,
    event_sequence integer DEFAULT 0 NOT NULL,
    proven_at timestamp with time zone,
    disowned_at timestamp with time zone,
    CONSTRAINT reviews_check CHECK (((status = 'approved'::text) = (approved_at IS NOT NULL))),
    CONSTRAINT reviews_communication_check CHECK (((communication >= 1) AND (communication <= 5))),
    CONSTRAINT reviews_content_check CHECK (((length(content) >= 1) AND (length(content) <= 5000))),
    CONSTRAINT reviews_customer_email_check CHECK (((customer_email = lower((customer_email COLLATE "C"))) AND ((length(customer_email) >= 3) AND (length(customer_email) <= 320)))),
    CONSTRAINT reviews_customer_name_check CHECK (((length(customer_name) >= 1) AND (length(customer_name) <= 200))),
    CONSTRAINT reviews_helpful_no_check CHECK ((helpful_no >= 0)),
    CONSTRAINT reviews_helpful_yes_check CHECK ((helpful_yes >= 0)),
    CONSTRAINT reviews_photos_check CHECK (((jsonb_typeof(photos) = 'array'::text) AND (jsonb_array_length(photos) <= 10))),
    CONSTRAINT reviews_punctuality_check CHECK (((punctuality >= 1) AND (punctuality <= 5))),
    CONSTRAINT reviews_quality_check CHECK (((quality >= 1) AND (quality <= 5))),
    CONSTRAINT reviews_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
    CONSTRAINT reviews_rejected CHECK ((((status = 'rejected'::text) = (rejected_at IS NOT NULL)) AND ((rejected_at IS NULL) = (rejection_reason IS NULL)))),
    CONSTRAINT reviews_rejection_reason_check CHECK (((length(rejection_reason) >= 1) AND (length(rejection_reason) <= 5000))),
    CONSTRAINT reviews_responded CHECK ((((response IS NULL) = (responded_at IS NULL)) AND ((response IS NULL) OR (status = 'approved'::text)))),
    CONSTRAINT reviews_response_check CHECK (((length(response) >= 1) AND (length(response) <= 5000))),
    CONSTRAINT reviews_source_check CHECK ((source = ANY (ARRAY['web'::text, 'api'::text, 'chatgpt'::text, 'gemini'::text, 'perplexity'::text, 'agent'::text]))),
    CONSTRAINT reviews_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text]))),
    CONSTRAINT reviews_subject CHECK (((booking_id IS NULL) OR (job_id IS NULL))),
    CONSTRAINT reviews_title_check CHECK ((length(title) <= 200)),
    CONSTRAINT reviews_value_check CHECK (((value >= 1) AND (value <= 5))),
    CONSTRAINT reviews_verified CHECK (((NOT verified) OR (booking_id IS NOT NULL) OR (job_id IS NOT NULL)))
);

CREATE FUNCTION public.count_review(review public.reviews) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  update professionals set review_count = review_count + 1, rating_sum = rating_sum + review.rating
  where id = review.professional_id;
  insert into review_stats as s (
    professional_id, rated_1, rated_2, rated_3, rated_4, rated_5, punctuality_sum, communication_sum, quality_sum, value_sum,
    punctuality_count, communication_count, quality_count, value_count)
  values (
    review.professional_id, (review.rating = 1)::integer, (review.rating = 2)::integer, (review.rating = 3)::integer,
    (review.rating = 4)::integer, (review.rating = 5)::integer,
    coalesce(review.punctuality, 0), coalesce(review.communication, 0), coalesce(review.quality, 0),
    coalesce(review.value, 0), (review.punctuality is not null)::integer, (review.communication is not null)::integer,
    (review.quality is not null)::integer, (review.value is not null)::integer)
  on conflict (professional_id) do update set
    rated_1 = s.rated_1 + excluded.rated_1, rated_2 = s.rated_2 + excluded.rated_2, rated_3 = s.rated_3 + excluded.rated_3,
    rated_4 = s.rated_4 + excluded.rated_4, rated_5 = s.rated_5 + excluded.rated_5,
    punctuality_sum = s.punctuality_sum + excluded.punctuality_sum,
    communication_sum = s.communication_sum + excluded.communication_sum,
    quality_sum = s.quality_sum + excluded.quality_sum, value_sum = s.value_sum + excluded.value_sum,
    punctuality_count = s.punctuality_count + excluded.punctuality_count,
    communication_count = s.communication_count + excluded.communication_count,
    quality_count = s.quality_count + excluded.quality_count, value_count = s.value_count + excluded.value_count;
end $$;

CREATE FUNCTION public.count_reviews_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  added pro_fact[];
  removed pro_fact[];
begin
  if tg_op <> 'DELETE' then
    added := array(
      select f from new_rows n cross join lateral facts_of_review(n.professional_id, n.status, n.approved_at, n.rating) f);
  end if;
  if tg_op <> 'INSERT' then
    removed := array(
      select f from old_rows o cross join lateral facts_of_review(o.professional_id, o.status, o.approved_at, o.rating) f);
  end if;
  perform add_pro_facts(added, removed);
  return null;
end $$;

CREATE FUNCTION public.count_rfqs_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  added pro_fact[];
  removed pro_fact[];
begin
  if tg_op <> 'DELETE' then
    added := array(
      select f from new_rows n cross join lateral facts_of_rfq(n.professional_id, n.status, n.created_at, n.service_id) f);
  end if;
  if tg_op <> 'INSERT' then
    removed := array(
      select f from old_rows o cross join lateral facts_of_rfq(o.professional_id, o.status, o.created_at, o.service_id) f);
  end if;
  perform add_pro_facts(added, removed);
  return null;
end $$;

CREATE FUNCTION public.counted_zone(pro_id uuid, present text, at timestamp with time zone) RETURNS TABLE(time_zone text)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select coalesce((
    select z.time_zone from former_time_zones z
    where z.professional_id = counted_zone.pro_id and z.until > counted_zone.at order by z.until limit 1), counted_zone.present)
$$;

CREATE FUNCTION public.current_message_booking(wanted_id uuid, as_of timestamp with time zone) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select message_booking(booking_object(b)::jsonb, b.event_sequence, as_of, b, p, a.email)
  from bookings stored
  cross join lateral booking_as_of(stored, as_of) b
  join professionals p on p.id = b.professional_id
  join accounts a on a.id = p.account_id
  where stored.id = wanted_id
$$;

CREATE TABLE public.messages (
    id bigint NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    recipient text NOT NULL,
    data jsonb,
    data_encrypted text,
    professional_id uuid,
    booking_id uuid,
    customer_email text,
    status text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    refusals integer DEFAULT 0 NOT NULL,
    send_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone,
    outcome text,
    traceparent text,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    digest_id bigint,
    CONSTRAINT messages_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT messages_check CHECK (((refusals >= 0) AND (refusals <= attempts))),
    CONSTRAINT messages_customer_email_check CHECK ((customer_email = lower((customer_email COLLATE "C")))),
    CONSTRAINT messages_data CHECK (((data IS NULL) OR (data_encrypted IS NULL))),
    CONSTRAINT messages_key_check CHECK (((length(key) >= 1) AND (length(key) <= 400))),
    CONSTRAINT messages_outcome_check CHECK ((length(outcome) <= 1000)),
    CONSTRAINT messages_recipient_check CHECK (((recipient = lower((recipient COLLATE "C"))) AND ((length(recipient) >= 3) AND (length(recipient) <= 320)))),
    CONSTRAINT messages_state CHECK ((((status = 'pending'::text) = (next_attempt_at IS NOT NULL)) AND ((status = 'pending'::text) = (finished_at IS NULL)) AND ((status <> 'pending'::text) OR (data IS NOT NULL) OR (data_encrypted IS NOT NULL)))),
    CONSTRAINT messages_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'suppressed'::text, 'dropped'::text, 'joined'::text])))
);

CREATE FUNCTION public.current_message_data(message public.messages, as_of timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
  booking bookings;
begin
  -- A digest comes later: it leaves out what was cancelled, moved again or closed meanwhile.
  if message.digest_id is not null and (
    exists (select from bookings b where b.id = message.booking_id and (
      (b.status = 'cancelled' and message.kind = any ('{new-booking,booking-received,booking-confirmed,booking-moved,
        booking-moved-for-pro,booking-time-proposed,calendar-conflict}'::text[]))
      or (message.kind = any ('{booking-moved,booking-moved-for-pro}'::text[])
        and b.starts_at <> (message.data #>> '{booking,startsAt}')::timestamptz)))
    or (message.kind = 'new-request' and exists (
      select from rfqs r where r.id = (message.data #>> '{request,id}')::uuid and r.status = 'archived'))) then
    return null;
  end if;
  if message.kind = 'quote-expiring' then
    return (
      select jsonb_build_object('quote', message_quote(quote_object(q, as_of)::jsonb, p.time_zone),
        'quoteId', message.data -> 'quoteId')
      from quotes q join professionals p on p.id = q.professional_id
      where q.id = (message.data ->> 'quoteId')::uuid and quote_status(q, as_of) in ('sent', 'viewed'));
  elsif message.kind not in ('booking-reminder', 'booking-held', 'hold-expiring', 'review-invitation') then
    return message.data;
  end if;
  select b.* into booking from bookings b where b.id = message.booking_id;
  if message.kind = 'booking-reminder' then
    return (
      select jsonb_build_object('booking', current_message_booking(booking.id, as_of), 'startsAt', message.data -> 'startsAt')
      from professionals p
      where p.id = booking.professional_id and p.reminder_hours is not null and booking.status = 'confirmed'
        and booking.starts_at = (message.data ->> 'startsAt')::timestamptz and booking.starts_at > as_of);
  elsif message.kind = 'review-invitation' then
    return (
      select jsonb_build_object('title', coalesce(booking.package_name, booking.service_name), 'pro', p.business_name,
        'customer', booking.customer_name, 'completedAt', iso_instant(booking.completed_at), 'timeZone', p.time_zone)
      from professionals p
      where p.id = booking.professional_id and (p.active or p.test_account_id is not null) and booking.status = 'completed'
        and booking.disowned_at is null
        and not exists (select from reviews r where r.booking_id = booking.id and r.status <> 'rejected'
          and (r.proven_at is not null or r.verified)));
  elsif booking.status <> 'pending' or booking.hold_expires_at is null or booking.hold_expires_at <= as_of then
    return null;
  elsif message.kind = 'booking-held' then
    return message.data;
  end if;
  return jsonb_build_object('booking', current_message_booking(booking.id, as_of))
    || hold_data(booking.id, booking.hold_expires_at);
end $$;

CREATE FUNCTION public.day_slots(business_hours jsonb, zone text, day date, grid integer, minutes integer, earliest timestamp with time zone, busy tstzmultirange) RETURNS TABLE(starts_at timestamp with time zone, starts text, ends text, available boolean)
    LANGUAGE sql STABLE ROWS 10 PARALLEL SAFE
    AS $$
  select s.starts_at, clock_reading(s.minute),
    case
      when not d.clock_changes then clock_reading(s.minute + minutes)
      when s.ends_at at time zone zone >= day + 1 then '24:00'
      else left((s.ends_at at time zone zone)::time::text, 5)
    end,
    slot_is_open(s.starts_at, s.ends_at, earliest, busy)
  from (
    -- Without a clock change from the day before to the day after, a local time is midnight plus its minutes. That saves
    -- conversions, which are most of the work.
    select day::timestamp at time zone zone as midnight,
      (day - 1)::timestamp at time zone zone + interval '72 hours' <> (day + 2)::timestamp at time zone zone as clock_changes
    offset 0
  ) d
  cross join lateral (
    select clock_minute(hours ->> 'start') as from_minute, clock_minute(hours ->> 'end') as to_minute
    from jsonb_array_elements(business_hours -> to_char(day, 'fmday')) hours
    offset 0
  ) h
  cross join lateral (
    select minute, i.starts_at, i.starts_at + make_interval(mins => minutes) as ends_at
    from generate_series(h.from_minute, h.to_minute - 1, grid) minute
    cross join lateral (
      select case
        when d.clock_changes then local_instant(day, minute, zone)
        else d.midnight + make_interval(mins => minute)
      end as starts_at
      offset 0
    ) i
  ) s
  where s.ends_at <= case
    when d.clock_changes then clock_reaches(day, h.to_minute, zone)
    else d.midnight + make_interval(mins => h.to_minute)
  end
$$;

CREATE FUNCTION public.delete_sent_digest() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  delete from messages where id = old.digest_id and status <> 'pending';
  return null;
end $$;

CREATE FUNCTION public.delete_test_data(wanted_id uuid, OUT bookings integer, OUT requests integer, OUT reviews integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  pros constant uuid[] := array(select p.id from professionals p where p.test_account_id = wanted_id order by p.id);
  owners constant uuid[] := wanted_id || array(select p.account_id from professionals p where p.id = any (pros));
begin
  -- In the order of those who book, quote and pay: they wait, and find a pro without work.
  perform lock_schedule(pro_id) from unnest(pros) pro_id;
  perform from rfqs r where r.professional_id = any (pros) order by r.id for update;
  perform from quotes q where q.professional_id = any (pros) order by q.id for update;
  perform from bookings b where b.professional_id = any (pros) order by b.id for update;
  delete from webhook_events v where v.id in (
    select d.event_id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where e.account_id = any (owners));
  delete from idempotency_records r where r.account_id = any (owners);
  delete from notices n where n.account_id = any (owners);
  delete from properties p where p.account_id = any (owners);
  delete from prepared_work w where w.professional_id = any (pros);
  delete from proposals p where p.professional_id = any (pros);
  delete from threads t where t.professional_id = any (pros);
  delete from agent_runs r where r.professional_id = any (pros);
  delete from payment_disputes d using payments p where p.id = d.payment_id and p.professional_id = any (pros);
  delete from payment_refunds r using payments p where p.id = r.payment_id and p.professional_id = any (pros);
  delete from payments p where p.professional_id = any (pros);
  delete from reviews r where r.professional_id = any (pros);
  get diagnostics reviews = row_count;
  delete from review_stats s where s.professional_id = any (pros);
  delete from bookings b where b.professional_id = any (pros);
  get diagnostics bookings = row_count;
  delete from jobs j where j.professional_id = any (pros);
  delete from quotes q where q.professional_id = any (pros);
  delete from rfqs r where r.professional_id = any (pros);
  get diagnostics requests = row_count;
  delete from pro_days d where d.professional_id = any (pros);
  delete from former_time_zones z where z.professional_id = any (pros);
  delete from pro_counts c where c.professional_id = any (pros);

  delete from availability_blocks b where b.professional_id = any (pros);
  delete from customer_blocks b where b.professional_id = any (pros);
  delete from calendar_feeds f where f.professional_id = any (pros);
  delete from imported_calendars c where c.professional_id = any (pros);
  delete from members m where m.professional_id = any (pros);
  delete from operator_actions a where a.professional_id = any (pros);
  delete from pro_business_entities e where e.professional_id = any (pros);
  delete from pro_public_profiles f where f.professional_id = any (pros);
  delete from pro_site_configs c where c.professional_id = any (pros);
  delete from professional_services o where o.professional_id = any (pros);
end $$;

CREATE FUNCTION public.delivery_object(delivery_id bigint, in_full boolean) RETURNS json
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    AS $$
begin
  return (
    select jsonb_build_object(
      'eventId', public_event_id(v.id),
      'type', v.type,
      'state', d.state,
      'attemptsMade', d.attempts,
      'nextAttemptAt', iso_instant(d.next_attempt_at),
      'createdAt', iso_instant(d.created_at),
      'finishedAt', iso_instant(d.finished_at),
      'attempts', coalesce((
        select jsonb_agg(jsonb_build_object(
            'number', a.number,
            'at', iso_instant(a.at),
            'durationMs', a.duration_ms,
            'status', a.status,
            'error', a.error)
          || case when in_full then jsonb_build_object('requestHeaders', a.request_headers, 'response', a.response)
            else '{}' end order by a.number)
        from webhook_attempts a where a.delivery_id = d.id), '[]'))
      || case when in_full then jsonb_build_object('body', webhook_body_for(v, e.account_id)) else '{}' end
    from webhook_deliveries d
    join webhook_events v on v.id = d.event_id
    join webhook_endpoints e on e.id = d.endpoint_id
    where d.id = delivery_id
  );
end $$;

CREATE FUNCTION public.deposit_for(pro public.professionals, price_cents integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case when pro.deposit_required then payable_share(price_cents, pro.deposit_percentage) else 0 end
$$;

CREATE FUNCTION public.deposits_of(pro_id uuid, of_quote_id uuid) RETURNS public.payments[]
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select array(select y from payments y where y.professional_id = pro_id and y.quote_id = of_quote_id)
$$;

CREATE FUNCTION public.dollars(cents integer) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select trim_scale(cents / 100.0)
$$;

CREATE FUNCTION public.due_endpoints(as_of timestamp with time zone) RETURNS TABLE(endpoint_id uuid)
    LANGUAGE sql STABLE
    AS $$
  with recursive walk as (
    (select d.endpoint_id, d.next_attempt_at from webhook_deliveries d
      where d.state = 'pending' order by d.endpoint_id, d.next_attempt_at limit 1)
    union all
    select n.endpoint_id, n.next_attempt_at
    from walk w
    cross join lateral (
      select d.endpoint_id, d.next_attempt_at from webhook_deliveries d
      where d.state = 'pending' and d.endpoint_id > w.endpoint_id order by d.endpoint_id, d.next_attempt_at limit 1
    ) n
  )
  select w.endpoint_id from walk w where w.next_attempt_at <= as_of
$$;

CREATE FUNCTION public.due_work(as_of timestamp with time zone) RETURNS TABLE(work text)
    LANGUAGE sql STABLE
    AS $$
  select 'holds' where exists (select from bookings where hold_expires_at <= as_of)
  union all select 'unanswered'
  where exists (select from bookings where status = 'pending' and hold_expires_at is null and starts_at <= as_of)
  union all select 'quotes' where exists (select from quotes where status in ('sent', 'viewed') and valid_until <= as_of)
  union all select 'proposals' where exists (select from proposals where status = 'open' and expires_at <= as_of)
  union all select 'refunds'
  where exists (select from payment_refunds where status = 'pending' and next_attempt_at <= as_of)
    or exists (select from payment_refunds where status = 'part' and next_attempt_at <= as_of)
  union all select 'erasures' where exists (select from erasure_requests where next_attempt_at <= as_of)
  union all select 'dead-letters' where exists (select from dead_letters where retried_at is not null)
  union all select 'messages' where exists (select from messages where status = 'pending' and next_attempt_at <= as_of)
  -- While any delivery is pending, workers look for themselves; each of them has a lease, whose lock is free once it died.
  union all select 'deliveries'
  where exists (select from webhook_deliveries where state = 'pending')
    or exists (
      select from webhook_couriers c where pg_try_advisory_xact_lock(hashtextextended('webhook courier ' || c.id, 0)))
  union all select 'calendars' where exists (select from imported_calendars where next_read_at <= as_of)
  union all select 'prices' where exists (select from pricing_changes)
  union all select 'runs' where exists (select from agent_runs where status in ('queued', 'running'))
  union all select 'tasks' where exists (select from metered_tasks where status = 'reserved' and deadline_at <= as_of)
  union all select 'balances' where exists (select from credit_ledgers where notice_due is not null and month_ends_at > as_of)
$$;

CREATE FUNCTION public.earliest_start(pro public.professionals, as_of timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select as_of + pro.lead_time_hours * interval '1 hour'
$$;

CREATE FUNCTION public.emit_booking_events(booking public.bookings, object json, types text[], event_ids uuid[], traceparent text, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  data constant jsonb := json_build_object('object', object);
begin
  perform keep_event_context(as_of, traceparent);
  insert into outbox_events (
    id, type, professional_id, aggregate_type, aggregate_id, sequence, data, traceparent, created_at)
  select event_ids[e.n], e.type, booking.professional_id, 'booking', booking.id,
    booking.event_sequence - cardinality(types) + e.n, data, traceparent, as_of
  from unnest(types) with ordinality e (type, n)
  order by e.n;
end $$;

CREATE FUNCTION public.emit_event(event_id uuid, event_type text, pro_id uuid, aggregate text, aggregate_id uuid, sequence integer, object jsonb, traceparent text, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform keep_event_context(as_of, traceparent);
  insert into outbox_events (
    id, type, professional_id, aggregate_type, aggregate_id, sequence, data, traceparent, created_at)
  values (
    event_id, event_type, pro_id, aggregate, aggregate_id, sequence, jsonb_build_object('object', object),
    traceparent, as_of);
end $$;

CREATE FUNCTION public.emit_payment_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  payment payments;
  object jsonb;
begin
  select y.* into payment from payments y
  where y.professional_id = new.professional_id and y.id = coalesce(to_jsonb(new) ->> 'payment_id', new.id::text)::uuid
  for update;
  -- Null after the deletion of test data.
  if payment.id is null then
    return null;
  end if;
  object := payment_update_object(payment);
  if payment.event_digest = md5(object::text) then
    return null;
  end if;
  update payments y set event_sequence = y.event_sequence + 1, event_digest = md5(object::text)
  where y.professional_id = payment.professional_id and y.id = payment.id;
  -- The id follows from the change, because it comes from no caller.
  perform emit_event(md5(payment.id || ':' || payment.event_sequence + 1)::uuid, 'payment.updated', payment.professional_id, 'payment', payment.id,
    payment.event_sequence + 1, object, nullif(current_setting('hearth.event_traceparent', true), ''),
    coalesce(nullif(current_setting('hearth.event_time', true), '')::timestamptz, payment_changed_at(payment)));
  return null;
end $$;

CREATE FUNCTION public.end_proposed_time() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  delete from booking_proposed_times where booking_id = new.id;
  return null;
end $$;

CREATE FUNCTION public.end_task(pro_id uuid, task_id uuid, next_status text, as_of timestamp with time zone) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  before text;
begin
  perform from credit_ledgers l where l.professional_id = pro_id for update;
  select t.status into before from metered_tasks t where t.professional_id = pro_id and t.id = task_id;
  if before = 'reserved' then
    update metered_tasks t set status = next_status, ended_at = as_of where t.professional_id = pro_id and t.id = task_id;
  end if;
  return before;
end $$;

CREATE FUNCTION public.expire_proposals(as_of timestamp with time zone, max integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  expired integer;
begin
  with due as (
    select p.professional_id, p.id from proposals p where p.status = 'open' and p.expires_at <= as_of
    order by p.expires_at limit max for update skip locked
  )
  update proposals p set status = 'expired', expired_at = as_of from due
  where p.professional_id = due.professional_id and p.id = due.id;
  get diagnostics expired = row_count;
  return expired;
end $$;

CREATE FUNCTION public.expire_quotes(as_of timestamp with time zone, event_ids uuid[], traceparent text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  due record;
  quote quotes;
  done integer := 0;
begin
  for due in
    select q.id, q.professional_id from quotes q
    join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
    where q.status in ('sent', 'viewed') and q.valid_until <= as_of
    order by q.valid_until, q.id limit cardinality(event_ids)
    for no key update of r skip locked
  loop
    -- Checks the state again under the lock: the quote may have been answered since the select.
    update quotes set status = 'expired', expired_at = as_of, event_sequence = event_sequence + 1
    where professional_id = due.professional_id and id = due.id and status in ('sent', 'viewed')
    returning * into quote;
    continue when not found;
    done := done + 1;
    update payments set status = 'expired'
    where professional_id = quote.professional_id and quote_id = quote.id and status in ('requires_payment', 'failed');
    perform emit_event(event_ids[done], 'quote.expired', quote.professional_id, 'quote', quote.id,
      quote.event_sequence, quote_object(quote, as_of)::jsonb, traceparent, as_of);
  end loop;
  return done;
end $$;

CREATE FUNCTION public.facts_of_booking(pro_id uuid, state text, made_at timestamp with time zone, for_service_id uuid) RETURNS SETOF public.pro_fact
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select pro_id, 'booking', state, made_at, for_service_id, 1, 0::bigint
$$;

CREATE FUNCTION public.facts_of_job(pro_id uuid, state text, completed_at timestamp with time zone, for_service_id uuid, amount_cents integer) RETURNS SETOF public.pro_fact
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select pro_id, 'job', state, completed_at, for_service_id, 1, amount_cents::bigint
$$;

CREATE FUNCTION public.facts_of_payment(pro_id uuid, of_booking_id uuid, of_quote_id uuid, captured_at timestamp with time zone, revenue_cents integer) RETURNS SETOF public.pro_fact
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select pro_id, case when revenue_cents > 0 then 'deposit' else 'return' end, 'made',
    case when revenue_cents > 0 then captured_at else j.completed_at end, coalesce(b.service_id, j.service_id), 1,
    revenue_cents::bigint
  from (select) payment
  left join bookings b on b.id = of_booking_id
  left join jobs j on j.quote_id = of_quote_id
$$;

CREATE FUNCTION public.facts_of_quote(pro_id uuid, state text, sent_at timestamp with time zone, accepted_at timestamp with time zone, amount_cents integer) RETURNS SETOF public.pro_fact
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select pro_id, fact.kind, state, fact.at, null::uuid, 1, amount_cents::bigint
  from (values ('quote', sent_at), ('acceptance', accepted_at)) fact (kind, at)
  where fact.kind = 'quote' or fact.at is not null
$$;

CREATE FUNCTION public.facts_of_review(pro_id uuid, state text, approved_at timestamp with time zone, rating smallint) RETURNS SETOF public.pro_fact
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select pro_id, 'review', state, approved_at, null::uuid, 1, rating::bigint
$$;

CREATE FUNCTION public.facts_of_rfq(pro_id uuid, state text, made_at timestamp with time zone, for_service_id uuid) RETURNS SETOF public.pro_fact
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select pro_id, 'rfq', state, made_at, for_service_id, 1, 0::bigint
$$;

CREATE FUNCTION public.find_idempotent(caller_id uuid, operation_name text, idempotency_key text, hash bytea, as_of timestamp with time zone, OUT outcome text, OUT result json) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  kept idempotency_records;
begin
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(':', 'idempotency', caller_id, operation_name, idempotency_key), 0));
  select * into kept from idempotency_records r
  where r.account_id = caller_id and r.operation = operation_name and r.key = idempotency_key;
  if kept.expires_at <= as_of then
    delete from idempotency_records r
    where r.account_id = caller_id and r.operation = operation_name and r.key = idempotency_key;
    outcome := 'fresh';
  elsif kept.key is null then
    outcome := 'fresh';
  elsif kept.request_hash <> hash then
    outcome := 'mismatch';
  else
    outcome := 'replay';
    result := kept.result;
  end if;
end $$;

CREATE FUNCTION public.finish_attempts(results jsonb) RETURNS void
    LANGUAGE sql
    AS $$
  with result as materialized (
    select * from jsonb_to_recordset(results) as r (
      id bigint, "endpointId" uuid, attempts integer, state text, at timestamptz, "nextAttemptAt" timestamptz,
      "durationMs" integer, status integer, error text, response text, "requestHeaders" jsonb)
  ), finished as (
    update webhook_deliveries d
    set state = r.state, attempts = d.attempts + 1, round = d.round + 1, courier_id = null, interruptions = 0,
      next_attempt_at = case when r.state = 'pending' then r."nextAttemptAt" end,
      finished_at = case when r.state <> 'pending' then r.at end
    from result r
    where d.id = r.id and d.attempts = r.attempts and d.state = 'pending'
    returning d.id, d.attempts
  ), log as (
    insert into webhook_attempts (delivery_id, number, at, duration_ms, status, error, response, request_headers)
    select r.id, f.attempts, r.at, r."durationMs", r.status, r.error, r.response, r."requestHeaders"
    from finished f join result r on r.id = f.id
  ), health as (
    select r."endpointId" as id, bool_or(r.status between 200 and 299) as good, min(r.at) as at
    from result r group by 1
  )
  update webhook_endpoints e set failing_since = case when h.good then null else h.at end
  from health h
  where e.id = h.id and (h.good is true) = (e.failing_since is not null)
$$;

CREATE FUNCTION public.first_delivery_id(day date) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$ select (day - date '1970-01-01') * 10000000000 $$;

CREATE FUNCTION public.first_open_time(pro public.professionals, minutes integer, from_day date, last_day date, as_of timestamp with time zone, except_booking uuid DEFAULT NULL::uuid) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  earliest constant timestamptz := earliest_start(pro, as_of);
  first_day date := greatest(from_day, (earliest at time zone pro.time_zone)::date);
  days integer := 1;
  first_open timestamptz;
begin
  if minutes is null then
    return null;
  end if;
  -- Most pros have a slot today or tomorrow, so this searches one day, then the next 2, 4, 8 … days.
  while first_day <= last_day loop
    days := least(days, last_day - first_day + 1);
    first_open := (
      select min(s.starts_at) filter (where s.available)
      from busy_time(pro.id, pro.buffer_minutes, local_days(first_day, days, pro.time_zone), as_of, except_booking) busy
      cross join lateral open_slots(pro.business_hours, pro.time_zone, first_day, days, pro.default_slot_minutes, minutes,
        earliest, busy) s);
    exit when first_open is not null;
    first_day := first_day + days;
    days := days * 2;
  end loop;
  return first_open;
end $$;

CREATE FUNCTION public.free_cancellation_until(booking public.bookings) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select case when not booking.moved_late
    then booking.starts_at - booking.free_cancellation_hours * interval '1 hour' end
$$;

CREATE FUNCTION public.free_deliveries(as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  dead uuid;
  freed integer;
  all_freed integer := 0;
begin
  for dead in
    select c.id from webhook_couriers c
    where pg_try_advisory_xact_lock(hashtextextended('webhook courier ' || c.id, 0))
  loop
    -- Waits for a running claim of this worker and prevents further ones.
    delete from webhook_couriers where id = dead;
    with held as materialized (
      -- Skips deliveries whose result is being written.
      select d.id from webhook_deliveries d
      where d.state = 'pending' and d.courier_id = dead and d.next_attempt_at > as_of
      for update skip locked
    )
    update webhook_deliveries d
    set courier_id = null, interruptions = least(d.interruptions + 1, 1000),
      next_attempt_at = least(d.next_attempt_at, as_of + d.interruptions * interval '4 seconds')
    from held where d.id = held.id;
    get diagnostics freed = row_count;
    all_freed := all_freed + freed;
  end loop;
  return all_freed;
end $$;

CREATE FUNCTION public.grant_allowance(pro_id uuid, of_month text, plan text, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  insert into credit_transfers (professional_id, kind, from_account, to_account, amount, reference, created_at)
  select pro_id, 'grant', 'granted', 'allowance ' || of_month, due.amount, grant_allowance.plan, as_of
  from (
    select plan_allowance(grant_allowance.plan) - coalesce(sum(t.amount), 0) as amount from credit_transfers t
    where t.professional_id = pro_id and t.to_account = 'allowance ' || of_month and t.reference is not null
  ) due
  where due.amount > 0
  on conflict do nothing;
end $$;

CREATE FUNCTION public.has_bookable_service(pro public.professionals) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  return exists (
    select from professional_services o
    join services s on s.id = o.service_id and s.active
    where o.professional_id = pro.id and booking_obstacle(pro, o, service_minutes(o, s)) is null);
end $$;

CREATE FUNCTION public.has_customer_at_limit(pro public.professionals, max_unpaid integer, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select exists (
    select from bookings b
    where b.professional_id = pro.id and b.starts_at > as_of and is_unpaid(b, as_of)
    group by b.customer_email having count(*) >= max_unpaid)
$$;

CREATE FUNCTION public.has_deliveries_in_use(from_day date, to_day date, before date) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select exists (
      select from webhook_deliveries d
      where d.state = 'pending' and d.id >= first_delivery_id(from_day) and d.id < first_delivery_id(to_day))
    or coalesce((
      select d.created_at >= before::timestamp at time zone 'UTC' from webhook_deliveries d
      where d.id < first_delivery_id(to_day) order by d.id desc limit 1), false)
$$;

CREATE FUNCTION public.has_drifted(booking public.bookings, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select booking.status in ('pending', 'confirmed') and booking.starts_at > as_of
    and (booking.hold_expires_at is null or booking.hold_expires_at > as_of)
    and booking.starts_at at time zone booking.time_zone <> booking.local_start
$$;

CREATE FUNCTION public.hold_data(held_id uuid, held_until timestamp with time zone) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select jsonb_build_object('payBy', iso_instant(held_until),
    'paymentId', (select y.id from payments y where y.booking_id = held_id))
$$;

CREATE FUNCTION public.hold_session_lock(name text, session_pid integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  key bigint := hashtextextended(name, 0);
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(name, 1));
  return exists (
    select from pg_locks
    where locktype = 'advisory' and objsubid = 1 and granted and pid = session_pid
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) | objid::bigint = key);
end $$;

CREATE FUNCTION public.imported_time(pro_id uuid, span tstzrange) RETURNS TABLE(calendar_id uuid, starts_at timestamp with time zone, ends_at timestamp with time zone)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select m.calendar_id, lower(m.time), upper(m.time)
  from (
    select i.calendar_id, unnest(range_agg(tstzrange(i.starts_at, i.ends_at))) as time
    from imported_busy i
    where i.professional_id = pro_id and i.ends_at > lower(span) and i.starts_at < upper(span)
    group by i.calendar_id
  ) m
$$;

CREATE FUNCTION public.is_of_completed_work(review public.reviews) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  return not exists (
      select from users u join professionals p on p.account_id = u.account_id
      where p.id = review.professional_id and u.email = review.customer_email)
    and (
      exists (
        select from bookings b
        where b.professional_id = review.professional_id and b.id = review.booking_id and b.status = 'completed'
          and b.customer_email = review.customer_email and not acts_for_pro(b.account_id, b.professional_id))
      or exists (
        select from jobs j
        join quotes q on q.professional_id = j.professional_id and q.id = j.quote_id
        join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
        where j.professional_id = review.professional_id and j.id = review.job_id and j.status = 'completed'
          and r.customer_email = review.customer_email and not acts_for_pro(r.account_id, r.professional_id)));
end $$;

CREATE FUNCTION public.is_test_pro(pro_id uuid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select exists (select from professionals p where p.id = pro_id and p.test_account_id is not null)
$$;

CREATE FUNCTION public.is_unpaid(b public.bookings, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select b.starts_at > as_of and b.status in ('pending', 'confirmed') and b.approved_at is null
    and (b.hold_expires_at is null or b.hold_expires_at > as_of)
    -- A booking with something to pay that is no longer held is paid.
    and (b.hold_expires_at is not null or b.fee_cents + b.deposit_cents = 0)
$$;

CREATE FUNCTION public.is_visible(active boolean, pro_test_account_id uuid, test_account_id uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
  select case when $3 is null then $1 else $2 is not distinct from $3 end
$_$;

CREATE FUNCTION public.iso_instant(instant timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    AS $$
  select to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

CREATE FUNCTION public.iso_second(instant timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    AS $$
  select replace((instant at time zone 'UTC')::text, ' ', 'T') || '.000Z'
$$;

CREATE TABLE public.jobs (
    id uuid NOT NULL,
    professional_id uuid NOT NULL,
    service_id uuid,
    quote_id uuid,
    status text NOT NULL,
    amount_cents integer NOT NULL,
    units numeric,
    created_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    started_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    cancellation_reason text,
    cancelled_by text,
    CONSTRAINT jobs_amount_cents_check CHECK ((amount_cents > 0)),
    CONSTRAINT jobs_cancellation_reason_check CHECK ((length(cancellation_reason) <= 5000)),
    CONSTRAINT jobs_cancelled_by_check CHECK ((cancelled_by = ANY (ARRAY['customer'::text, 'pro'::text]))),
    CONSTRAINT jobs_check CHECK (((status = 'completed'::text) = (completed_at IS NOT NULL))),
    CONSTRAINT jobs_state CHECK ((((status <> 'scheduled'::text) OR (started_at IS NULL)) AND ((status <> 'in_progress'::text) OR (started_at IS NOT NULL)) AND ((status = 'cancelled'::text) = (cancelled_at IS NOT NULL)) AND ((status = 'cancelled'::text) OR (cancellation_reason IS NULL)))),
    CONSTRAINT jobs_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'in_progress'::text, 'completed'::text, 'cancelled'::text]))),
    CONSTRAINT jobs_units_check CHECK ((units > (0)::numeric))
);

CREATE FUNCTION public.job_balance(job public.jobs) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select job_money(job, job.status in ('scheduled', 'in_progress'))
$$;

CREATE FUNCTION public.job_money(job public.jobs, is_open boolean) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select balance_object(deposits_of(job.professional_id, job.quote_id), job.amount_cents, 0, 0, 0, is_open)
$$;

CREATE FUNCTION public.job_object(job public.jobs) RETURNS json
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    AS $$
begin
  return (
    select json_build_object(
      'id', job.id,
      'status', job.status,
      'amount', dollars(job.amount_cents),
      'currency', 'USD',
      'units', job.units,
      'quoteId', job.quote_id,
      'quotedAmount', dollars(q.amount_cents),
      'payment', case when q.id is not null then quote_payment(q, job.created_at) end,
      'balance', job_balance(job),
      'rfqId', r.id,
      'service', case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end,
      'customer', case when r.id is not null then
        json_build_object('name', r.customer_name, 'email', r.customer_email, 'phone', r.customer_phone) end,
      'address', r.address,
      'description', r.description,
      'createdAt', iso_instant(job.created_at),
      'startedAt', iso_instant(job.started_at),
      'completedAt', iso_instant(job.completed_at),
      'cancelledAt', iso_instant(job.cancelled_at),
      'cancelledBy', job.cancelled_by,
      'cancellationReason', job.cancellation_reason)
    from (select job.id) it
    left join quotes q on q.professional_id = job.professional_id and q.id = job.quote_id
    left join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
    left join services s on s.id = job.service_id
  );
end $$;

CREATE FUNCTION public.join_digest(message_id bigint, claim integer, like_kinds text[], as_of timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  message messages;
  digest bigint;
begin
  select m.* into message from messages m
  where m.id = message_id and m.attempts = claim and m.status = 'pending' for update;
  if not found then
    return false;
  end if;
  loop
    insert into messages (key, kind, recipient, data, send_at, next_attempt_at, created_at)
    select 'digest:' || message.id || ':' || message.attempts, 'digest', message.recipient, '{}', due.at, due.at, as_of
    from (select greatest(as_of + interval '10 minutes', max(d.send_at) + interval '1 hour') as at
      from messages d where d.recipient = message.recipient and d.kind = 'digest') due
    on conflict (recipient) where kind = 'digest' and status = 'pending' and attempts = 0 do nothing;
    select m.id into digest from messages m
    where m.recipient = message.recipient and m.kind = 'digest' and m.status = 'pending' and m.attempts = 0 for update;
    exit when found;
  end loop;
  update messages m
  set status = 'joined', digest_id = digest, outcome = 'Told in a digest.', next_attempt_at = null, finished_at = as_of
  where m.id = message.id
    or (m.recipient = message.recipient and m.status = 'pending' and m.attempts = 0 and m.send_at <= as_of
      and m.kind = any (like_kinds) and m.data_encrypted is null and not is_test_pro(m.professional_id));
  return true;
end $$;

CREATE FUNCTION public.keep_agreed_start() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  select p.time_zone, new.starts_at at time zone p.time_zone into new.time_zone, new.local_start
  from professionals p where p.id = new.professional_id;
  return new;
end $$;

CREATE FUNCTION public.keep_event_context(as_of timestamp with time zone, traceparent text) RETURNS void
    LANGUAGE sql
    AS $$
  select set_config('hearth.event_time', as_of::text, true), set_config('hearth.event_traceparent', coalesce(traceparent, ''), true)
$$;

CREATE FUNCTION public.keep_former_time_zone() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_advisory_xact_lock(hashtextextended('days:' || new.id, 0));
  insert into former_time_zones (professional_id, until, time_zone)
  select new.id, ended.at, old.time_zone
  from (
    select clock_reaches(max(d.day) + 1, 0, old.time_zone) as at from pro_days d where d.professional_id = new.id) ended
  where ended.at > coalesce((
    select max(z.until) from former_time_zones z where z.professional_id = new.id), '-infinity');
  return null;
end $$;

CREATE FUNCTION public.keep_idempotent(caller_id uuid, operation_name text, idempotency_key text, hash bytea, outcome json, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  insert into idempotency_records (account_id, operation, key, request_hash, result, created_at, expires_at)
  values (caller_id, operation_name, idempotency_key, hash, outcome, as_of, as_of + interval '24 hours');
end $$;

CREATE FUNCTION public.keep_payment_revenue() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.revenue_cents := payment_revenue_cents(new);
  return new;
end $$;

CREATE FUNCTION public.lapse_hold(booking public.bookings, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  lapsed bookings;
begin
  update bookings b set
    status = 'cancelled', cancelled_at = b.hold_expires_at, cancellation_reason = 'payment_expired',
    cancelled_by = 'hearth',
    hold_expires_at = null, lapse_event_id = null, event_sequence = b.event_sequence + 1
  where b.professional_id = booking.professional_id and b.id = booking.id
  returning b.* into lapsed;
  update payments p set status = 'expired'
  where p.professional_id = booking.professional_id and p.booking_id = booking.id and p.status in ('requires_payment', 'failed');
  perform emit_booking_events(lapsed, booking_object(lapsed), '{booking.cancelled}', array[booking.lapse_event_id], null, as_of);
end $$;

CREATE FUNCTION public.lapse_holds(as_of timestamp with time zone, max integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  held bookings;
  lapsed integer := 0;
begin
  for held in
    select b.* from bookings b where b.hold_expires_at <= as_of
    order by b.hold_expires_at limit max for update skip locked
  loop
    perform lapse_hold(held, as_of);
    lapsed := lapsed + 1;
  end loop;
  return lapsed;
end $$;

CREATE FUNCTION public.lapse_overlapping_holds(pro public.professionals, starts_at timestamp with time zone, ends_at timestamp with time zone, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  held bookings;
  lapsed boolean := false;
begin
  for held in
    select b.* from bookings b
    where b.professional_id = pro.id and b.status in ('pending', 'confirmed') and b.hold_expires_at <= as_of
      and b.holds && tstzrange(
        lapse_overlapping_holds.starts_at,
        lapse_overlapping_holds.ends_at + pro.buffer_minutes * interval '1 minute')
    for update
  loop
    perform lapse_hold(held, as_of);
    lapsed := true;
  end loop;
  return lapsed;
end $$;

CREATE FUNCTION public.last_searched_day(from_day date, as_of timestamp with time zone) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select least(from_day + 60, ((as_of - interval '12 hours') at time zone 'UTC')::date + 365)
$$;

CREATE TABLE public.rfqs (
    id uuid NOT NULL,
    professional_id uuid NOT NULL,
    service_id uuid,
    account_id uuid,
    status text NOT NULL,
    description text NOT NULL,
    budget text,
    timeline text,
    preferred_date date,
    customer_name text NOT NULL,
    customer_email text NOT NULL,
    customer_phone text,
    address jsonb,
    photos jsonb DEFAULT '[]'::jsonb NOT NULL,
    source text NOT NULL,
    source_agent_id text,
    event_sequence integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    proven_at timestamp with time zone,
    disowned_at timestamp with time zone,
    CONSTRAINT rfqs_budget_check CHECK ((length(budget) <= 200)),
    CONSTRAINT rfqs_customer_email_check CHECK (((customer_email = lower((customer_email COLLATE "C"))) AND ((length(customer_email) >= 3) AND (length(customer_email) <= 320)))),
    CONSTRAINT rfqs_customer_name_check CHECK (((length(customer_name) >= 1) AND (length(customer_name) <= 200))),
    CONSTRAINT rfqs_customer_phone_check CHECK ((length(customer_phone) <= 50)),
    CONSTRAINT rfqs_description_check CHECK (((length(description) >= 1) AND (length(description) <= 5000))),
    CONSTRAINT rfqs_photos CHECK (((jsonb_typeof(photos) = 'array'::text) AND (jsonb_array_length(photos) <= 10))),
    CONSTRAINT rfqs_source_agent_id_check CHECK ((length(source_agent_id) <= 200)),
    CONSTRAINT rfqs_source_check CHECK ((source = ANY (ARRAY['web'::text, 'api'::text, 'chatgpt'::text, 'gemini'::text, 'perplexity'::text, 'agent'::text]))),
    CONSTRAINT rfqs_status_check CHECK ((status = ANY (ARRAY['new'::text, 'responded'::text, 'archived'::text]))),
    CONSTRAINT rfqs_timeline_check CHECK ((length(timeline) <= 200))
);

CREATE FUNCTION public.lead_object(rfq public.rfqs, as_of timestamp with time zone) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select rfq_object(rfq, as_of)::jsonb || jsonb_build_object(
    'timeline', (rfq).timeline,
    'preferredDate', (rfq).preferred_date,
    'customer', jsonb_build_object('name', (rfq).customer_name, 'email', (rfq).customer_email,
      'phone', (rfq).customer_phone),
    'address', (rfq).address,
    'photos', (rfq).photos,
    'source', (rfq).source,
    'sourceAgentId', (rfq).source_agent_id,
    'quotes', coalesce(
      (select jsonb_agg(quote_object(q, as_of) order by q.created_at desc, q.id desc)
       from quotes q where q.professional_id = (rfq).professional_id and q.rfq_id = (rfq).id), '[]'))
$$;

CREATE FUNCTION public.local_days(first_day date, days integer, zone text) RETURNS tstzrange
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select tstzrange(clock_reaches(first_day, 0, zone), clock_reaches(first_day + days, 0, zone))
$$;

CREATE FUNCTION public.local_instant(day date, minute integer, zone text) RETURNS timestamp with time zone
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
  wall constant timestamp := day + minute * interval '1 minute';
  instant constant timestamptz := wall at time zone zone;
  earlier timestamptz;
begin
  if instant at time zone zone <> wall then
    return null;
  end if;
  -- The same local time with yesterday's offset is earlier only if the clock was set back in between.
  earlier := instant - (((instant - interval '24 hours') at time zone zone) - (wall - interval '24 hours'));
  if earlier < instant and earlier at time zone zone = wall then
    return earlier;
  end if;
  return instant;
end $$;

CREATE FUNCTION public.lock_proposals(pro_id uuid) RETURNS void
    LANGUAGE sql
    AS $$
  select pg_advisory_xact_lock(hashtextextended('proposals:' || pro_id, 0))
$$;

CREATE FUNCTION public.lock_schedule(pro_id uuid) RETURNS void
    LANGUAGE sql
    AS $$
  select pg_advisory_xact_lock(hashtextextended('schedule:' || pro_id, 0))
$$;

CREATE FUNCTION public.maintain_partitions(parent text, unit text, as_of timestamp with time zone, before date) RETURNS bigint
    LANGUAGE plpgsql
    SET lock_timeout TO '500ms'
    AS $_$
declare
  step constant interval := ('1 ' || unit)::interval;
  name_format constant text := case unit when 'month' then '_YYYY_MM' else '_YYYY_MM_DD' end;
  key constant text := substring(pg_get_partkeydef(parent::regclass), '\((.+)\)');
  is_by_delivery constant boolean := key = 'delivery_id';
  first_day date;
  next_day date;
  part text;
  has_rows boolean;
  rows_in_part bigint;
  dropped bigint := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('maintain_partitions ' || parent, 0)) then
    return 0;
  end if;
  if is_by_delivery then
    -- An hour early, so that nothing that is planned after a week has one of its ids.
    first_day := date_trunc(unit, (as_of + interval '1 hour') at time zone 'UTC');
    if to_regclass(quote_ident(parent || to_char(first_day, name_format))) is not null then
      perform begin_delivery_ids(first_day);
    end if;
  end if;
  for ahead in 1..2 loop
    first_day := date_trunc(unit, as_of at time zone 'UTC') + ahead * step;
    next_day := first_day + step;
    part := parent || to_char(first_day, name_format);
    if to_regclass(quote_ident(part)) is null then
      -- Its rows cannot move out of the default partition, so that time goes on without a partition.
      execute format('select exists (select from %I where %I >= %L and %I < %L)', parent || '_default',
        key, partition_bound(is_by_delivery, first_day), key, partition_bound(is_by_delivery, next_day)) into has_rows;
      if not has_rows then
        execute format('create table %I partition of %I for values from (%L) to (%L)', part, parent,
          partition_bound(is_by_delivery, first_day), partition_bound(is_by_delivery, next_day));
      end if;
    end if;
  end loop;
  for part, first_day, next_day in
    select c.relname, d.first_day, d.first_day + step
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral to_date(substring(c.relname, '\d{4}(?:_\d\d){1,2}$'), 'YYYY_MM_DD') d (first_day)
    where i.inhparent = parent::regclass and d.first_day + step <= before
  loop
    if is_by_delivery then
      continue when has_deliveries_in_use(first_day, next_day, before);
    else
      execute format('select count(*) from %I', part) into rows_in_part;
      dropped := dropped + rows_in_part;
    end if;
    execute format('drop table %I', part);
  end loop;
  return dropped;
end $_$;

CREATE FUNCTION public.mean_score(sum integer, total integer) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case when total > 0 then trim_scale(round(sum::numeric / total, 2)) else 0 end
$$;

CREATE FUNCTION public.message_booking(object jsonb, sequence integer, changed_at timestamp with time zone, booking public.bookings, pro public.professionals, pro_email text) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
  shown constant timestamp := (object ->> 'scheduledDate')::date + (object ->> 'scheduledTime')::time;
  starts timestamptz := booking.starts_at;
begin
  -- An event has the local time only, and the booking may have moved since.
  if date_trunc('minute', starts at time zone pro.time_zone) <> shown then
    starts := local_instant(shown::date, (extract(epoch from shown::time) / 60)::integer, pro.time_zone);
  end if;
  return jsonb_build_object(
    'id', booking.id,
    'code', object -> 'confirmationCode',
    'sequence', sequence,
    'updatedAt', iso_instant(changed_at),
    'status', object -> 'status',
    'title', coalesce(object #>> '{package,name}', object #>> '{service,name}'),
    'startsAt', iso_instant(starts),
    'endsAt', iso_instant(starts + booking.duration_minutes * interval '1 minute'),
    'timeZone', pro.time_zone,
    'price', object -> 'price',
    'payment', object -> 'payment',
    'balance', object -> 'balance',
    'address', object -> 'address',
    'notes', object -> 'description',
    'freeCancellationUntil', object -> 'freeCancellationUntil',
    'cancelledBy', object -> 'cancelledBy',
    'cancellationReason', object -> 'cancellationReason',
    'wasConfirmed', object ->> 'confirmedAt' is not null,
    'pro', jsonb_build_object('name', pro.business_name, 'phone', pro.phone, 'email', pro_email),
    'customer', jsonb_build_object('name', object #> '{customer,name}', 'email', object #> '{customer,email}',
      'phone', booking.customer_phone));
end $$;

CREATE FUNCTION public.message_quote(object jsonb, time_zone text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
  select jsonb_build_object('id', object -> 'id', 'service', object #> '{service,name}', 'amount', object -> 'amount',
    'currency', object -> 'currency', 'depositAmount', object -> 'depositAmount', 'estimatedDays', object -> 'estimatedDays',
    'message', object -> 'message', 'validUntil', object -> 'validUntil', 'timeZone', time_zone,
    'pro', jsonb_build_object('name', object #> '{professional,businessName}', 'phone', object #> '{professional,phone}'),
    'customer', jsonb_build_object('name', object #> '{customer,name}'), 'declineReason', object -> 'declineReason')
$$;

CREATE FUNCTION public.message_refund(cents integer, currency text, note text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
  select jsonb_build_object('refund', jsonb_build_object('amount', dollars(cents), 'currency', currency, 'note', note))
$$;

CREATE FUNCTION public.move_booking(moved_id uuid, on_day date, at_minute integer, at_instant timestamp with time zone, late boolean, as_of timestamp with time zone, base_url text, OUT outcome text, OUT booking json, OUT event_sequence integer, OUT next_available json) RETURNS record
    LANGUAGE sql
    AS $$
  select case when r.outcome = 'rescheduled' then 'moved' else r.outcome end, r.booking, r.event_sequence, r.next_available
  from reschedule_booking(moved_id, on_day, at_minute, at_instant, late, as_of, base_url) r
$$;

COMMENT ON FUNCTION public.move_booking(moved_id uuid, on_day date, at_minute integer, at_instant timestamp with time zone, late boolean, as_of timestamp with time zone, base_url text, OUT outcome text, OUT booking json, OUT event_sequence integer, OUT next_available json) IS 'Unused since 0.2.0: reschedule_booking.';

CREATE FUNCTION public.move_task_credit() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into credit_transfers (professional_id, kind, from_account, to_account, amount, task_id, created_at)
  values (
    new.professional_id,
    case new.status when 'reserved' then 'reserve' when 'settled' then 'settle' else 'release' end,
    case new.status when 'reserved' then new.funded_by else 'reserved' end,
    case new.status when 'reserved' then 'reserved' when 'settled' then 'spent' else new.funded_by end,
    1, new.id, coalesce(new.ended_at, new.reserved_at));
  return null;
end $$;

CREATE FUNCTION public.move_to_agreed_start(moved_id uuid, as_of timestamp with time zone, OUT outcome text, OUT booking json, OUT event_sequence integer) RETURNS record
    LANGUAGE sql
    AS $$
  select case when r.outcome = 'rescheduled' then 'moved' else r.outcome end, r.booking, r.event_sequence
  from reschedule_to_agreed_start(moved_id, as_of) r
$$;

COMMENT ON FUNCTION public.move_to_agreed_start(moved_id uuid, as_of timestamp with time zone, OUT outcome text, OUT booking json, OUT event_sequence integer) IS 'Unused since 0.2.0: reschedule_to_agreed_start.';

CREATE FUNCTION public.next_listed_slot(pro public.professionals, minutes integer, from_day date, first_open timestamp with time zone, as_of timestamp with time zone, base_url text, except_booking uuid, chosen_service uuid, chosen_package uuid) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  if (first_open at time zone pro.time_zone)::date <= last_searched_day(from_day, as_of) then
    return bookable_time(pro, first_open, base_url, chosen_service, chosen_package);
  end if;
  return next_open_slot(pro, minutes, from_day, as_of, base_url, except_booking, chosen_service, chosen_package);
end $$;

CREATE FUNCTION public.next_open_slot(pro public.professionals, minutes integer, from_day date, as_of timestamp with time zone, base_url text, except_booking uuid DEFAULT NULL::uuid, chosen_service uuid DEFAULT NULL::uuid, chosen_package uuid DEFAULT NULL::uuid) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
declare
  first_open constant timestamptz :=
    first_open_time(pro, minutes, from_day, last_searched_day(from_day, as_of), as_of, except_booking);
begin
  return case when first_open is not null
    then bookable_time(pro, first_open, base_url, chosen_service, chosen_package) end;
end $$;

CREATE FUNCTION public.note_job_price() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  job constant jobs := coalesce(new, old);
begin
  if job.service_id is not null then
    insert into pricing_changes (service_id, professional_id) values (job.service_id, job.professional_id);
  end if;
  return null;
end $$;

CREATE FUNCTION public.note_offers_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into pricing_changes (service_id, professional_id) select service_id, professional_id from old_rows;
  return null;
end $$;

CREATE FUNCTION public.note_offers_inserted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into pricing_changes (service_id, professional_id) select service_id, professional_id from new_rows;
  return null;
end $$;

CREATE FUNCTION public.note_offers_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  with old_prices as (
    select professional_id, service_id, price_type, unit, base_price_cents, min_price_cents, max_price_cents
    from old_rows
  ), new_prices as (
    select professional_id, service_id, price_type, unit, base_price_cents, min_price_cents, max_price_cents
    from new_rows
  )
  insert into pricing_changes (service_id, professional_id)
  select distinct c.service_id, c.professional_id
  from (
    (table old_prices except table new_prices) union all (table new_prices except table old_prices)
  ) c;
  return null;
end $$;

CREATE FUNCTION public.note_pro_moved() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into pricing_changes (city_id, professional_id) values (old.city_id, old.id);
  return coalesce(new, old);
end $$;

CREATE FUNCTION public.note_quote_price() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  quote constant quotes := coalesce(new, old);
begin
  insert into pricing_changes (service_id, professional_id)
  select r.service_id, quote.professional_id from rfqs r
  where r.professional_id = quote.professional_id and r.id = quote.rfq_id and r.service_id is not null;
  return null;
end $$;

CREATE FUNCTION public.note_service_priced() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into pricing_changes (service_id) values (new.id);
  return null;
end $$;

CREATE FUNCTION public.notify_agent_run() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform ask_wake_up('agent_runs_moved', new.id::text);
  return null;
end $$;

CREATE FUNCTION public.notify_catalog() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform ask_wake_up('catalog_changed', '');
  return null;
end $$;

CREATE FUNCTION public.notify_catalog_names() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_notify('catalog_names_changed', '');
  return null;
end $$;

CREATE FUNCTION public.notify_outbox() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform ask_wake_up('outbox_written', '');
  return null;
end $$;

CREATE FUNCTION public.notify_prices() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform ask_wake_up('prices_touched', '');
  return null;
end $$;

CREATE FUNCTION public.notify_pricing() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform ask_wake_up('pricing_changed', '');
  return null;
end $$;

CREATE FUNCTION public.open_allowances(as_of timestamp with time zone, max integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  opened integer;
begin
  with due as (
    select l.professional_id from credit_ledgers l where l.month_ends_at <= as_of
    order by l.month_ends_at limit max for update skip locked
  )
  select count(open_ledger(due.professional_id, as_of)) into opened from due;
  return opened;
end $$;

CREATE TABLE public.credit_ledgers (
    professional_id uuid NOT NULL,
    month text NOT NULL,
    month_ends_at timestamp with time zone NOT NULL,
    full_tasks bigint DEFAULT 0 NOT NULL,
    reached smallint DEFAULT 100 NOT NULL,
    notice_due smallint,
    CONSTRAINT credit_ledgers_full_tasks_check CHECK ((full_tasks >= 0)),
    CONSTRAINT credit_ledgers_month_check CHECK ((month ~ '^\d{4}-(0[1-9]|1[0-2])$'::text)),
    CONSTRAINT credit_ledgers_notice_due_check CHECK ((notice_due = ANY (ARRAY[0, 20]))),
    CONSTRAINT credit_ledgers_reached_check CHECK ((reached = ANY (ARRAY[0, 20, 100])))
);

CREATE FUNCTION public.open_ledger(pro_id uuid, as_of timestamp with time zone) RETURNS public.credit_ledgers
    LANGUAGE plpgsql
    AS $$
declare
  pro record;
  ledger credit_ledgers;
begin
  select p.plan, p.time_zone, date_trunc('month', as_of at time zone p.time_zone)::date as month into pro
  from professionals p where p.id = pro_id;
  if not found then
    return null;
  end if;
  select l.* into ledger from credit_ledgers l where l.professional_id = pro_id for update;
  if not found then
    -- With the previous month, so that the code below opens the current one.
    insert into credit_ledgers (professional_id, month, month_ends_at)
    values (pro_id, to_char(pro.month - 1, 'YYYY-MM'), as_of) on conflict do nothing;
    insert into credit_accounts (professional_id, name)
    select pro_id, unnest(array['granted', 'sold', 'prepaid', 'reserved', 'spent']) on conflict do nothing;
    select l.* into ledger from credit_ledgers l where l.professional_id = pro_id for update;
  end if;
  if ledger.month = to_char(pro.month, 'YYYY-MM') and ledger.month_ends_at > as_of then
    return ledger;
  end if;
  insert into credit_accounts (professional_id, name) values (pro_id, 'allowance ' || to_char(pro.month, 'YYYY-MM'))
  on conflict do nothing;
  -- A clock change across midnight of the first can end a month twice; the next check is then a minute ahead.
  update credit_ledgers l set month = to_char(pro.month, 'YYYY-MM'), month_ends_at = greatest(
    clock_reaches((pro.month + interval '1 month')::date, 0, pro.time_zone), as_of + interval '1 minute')
  where l.professional_id = pro_id;
  perform grant_allowance(pro_id, to_char(pro.month, 'YYYY-MM'), pro.plan, as_of);
  select l.* into ledger from credit_ledgers l where l.professional_id = pro_id;
  return ledger;
end $$;

CREATE FUNCTION public.open_slots(business_hours jsonb, zone text, first_day date, days integer, grid integer, minutes integer, earliest timestamp with time zone, busy tstzmultirange) RETURNS TABLE(day date, starts_at timestamp with time zone, starts text, ends text, available boolean)
    LANGUAGE sql STABLE ROWS 50 PARALLEL SAFE
    AS $$
  select d.day, s.starts_at, s.starts, s.ends, s.available
  from (select first_day + n as day from generate_series(0, days - 1) n offset 0) d
  cross join lateral day_slots(business_hours, zone, d.day, grid, minutes, earliest, busy) s
$$;

CREATE TABLE public.quotes (
    id uuid NOT NULL,
    rfq_id uuid NOT NULL,
    professional_id uuid NOT NULL,
    status text NOT NULL,
    amount_cents integer NOT NULL,
    units numeric,
    line_items jsonb DEFAULT '[]'::jsonb NOT NULL,
    event_sequence integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    accepted_at timestamp with time zone,
    estimated_days integer,
    deposit_required boolean DEFAULT false NOT NULL,
    deposit_percentage numeric(5,2),
    payment_terms text,
    valid_until timestamp with time zone,
    sent_at timestamp with time zone,
    viewed_at timestamp with time zone,
    declined_at timestamp with time zone,
    decline_reason text,
    expired_at timestamp with time zone,
    superseded_at timestamp with time zone,
    message text,
    valid_for_days integer,
    units_cents integer,
    free_cancellation_hours integer DEFAULT 24 NOT NULL,
    CONSTRAINT quotes_amount_cents_check CHECK ((amount_cents > 0)),
    CONSTRAINT quotes_check CHECK (((status = 'accepted'::text) = (accepted_at IS NOT NULL))),
    CONSTRAINT quotes_decline_reason_check CHECK ((length(decline_reason) <= 5000)),
    CONSTRAINT quotes_deposit CHECK ((deposit_required OR (deposit_percentage IS NULL))),
    CONSTRAINT quotes_deposit_percentage_check CHECK (((deposit_percentage > (0)::numeric) AND (deposit_percentage <= (100)::numeric))),
    CONSTRAINT quotes_estimated_days_check CHECK (((estimated_days >= 1) AND (estimated_days <= 3650))),
    CONSTRAINT quotes_message_check CHECK ((length(message) <= 5000)),
    CONSTRAINT quotes_payment_terms_check CHECK ((length(payment_terms) <= 5000)),
    CONSTRAINT quotes_state CHECK ((((status = 'draft'::text) = (sent_at IS NULL)) AND ((status = 'draft'::text) = (valid_until IS NULL)) AND ((status <> 'viewed'::text) OR (viewed_at IS NOT NULL)) AND ((status = 'declined'::text) = (declined_at IS NOT NULL)) AND ((status = 'declined'::text) OR (decline_reason IS NULL)) AND ((status = 'expired'::text) = (expired_at IS NOT NULL)) AND ((status = 'superseded'::text) = (superseded_at IS NOT NULL)) AND (accepted_at < valid_until) AND (expired_at >= valid_until))),
    CONSTRAINT quotes_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'sent'::text, 'viewed'::text, 'accepted'::text, 'declined'::text, 'expired'::text, 'superseded'::text]))),
    CONSTRAINT quotes_units_cents CHECK (((units_cents IS NULL) OR ((units_cents > 0) AND (units IS NOT NULL)))),
    CONSTRAINT quotes_units_check CHECK ((units > (0)::numeric)),
    CONSTRAINT quotes_valid_for_days CHECK (((status = 'draft'::text) OR (valid_for_days IS NULL))),
    CONSTRAINT quotes_valid_for_days_check CHECK (((valid_for_days >= 1) AND (valid_for_days <= 365)))
);

CREATE FUNCTION public.open_visit(quote public.quotes) RETURNS uuid
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select b.id from jobs j join bookings b on b.professional_id = j.professional_id and b.job_id = j.id
    where j.professional_id = quote.professional_id and j.quote_id = quote.id and b.status in ('pending', 'confirmed'));
end $$;

CREATE TABLE public.packages (
    id uuid NOT NULL,
    professional_id uuid NOT NULL,
    service_id uuid NOT NULL,
    sku text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    description text,
    price_cents integer NOT NULL,
    currency text DEFAULT 'USD'::text NOT NULL,
    includes text[] DEFAULT '{}'::text[] NOT NULL,
    cadence text NOT NULL,
    duration_minutes integer NOT NULL,
    bedrooms integer,
    bathrooms numeric(3,1),
    active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT packages_bathrooms_check CHECK (((bathrooms >= (0)::numeric) AND (bathrooms <= (20)::numeric))),
    CONSTRAINT packages_bedrooms_check CHECK (((bedrooms >= 0) AND (bedrooms <= 20))),
    CONSTRAINT packages_cadence_check CHECK ((cadence = ANY (ARRAY['once'::text, 'weekly'::text, 'biweekly'::text, 'monthly'::text, 'quarterly'::text, 'yearly'::text]))),
    CONSTRAINT packages_currency_check CHECK ((currency = 'USD'::text)),
    CONSTRAINT packages_description_check CHECK ((length(description) <= 5000)),
    CONSTRAINT packages_duration_minutes_check CHECK ((((duration_minutes >= 15) AND (duration_minutes <= 720)) AND ((duration_minutes % 5) = 0))),
    CONSTRAINT packages_includes_check CHECK ((cardinality(includes) <= 20)),
    CONSTRAINT packages_kind_check CHECK (((kind ~ '^[a-z][a-z0-9_]*$'::text) AND (length(kind) <= 40))),
    CONSTRAINT packages_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT packages_price_cents_check CHECK ((price_cents > 0)),
    CONSTRAINT packages_sku_check CHECK (((sku ~ '^[A-Z0-9]+(-[A-Z0-9]+)*$'::text) AND (length(sku) <= 60)))
);

CREATE FUNCTION public.package_object(package public.packages) RETURNS json
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    AS $$
begin
  return (
    select json_build_object(
      'id', package.id, 'sku', package.sku, 'kind', package.kind, 'name', package.name,
      'description', package.description, 'price', dollars(package.price_cents), 'currency', package.currency,
      'includes', package.includes, 'cadence', package.cadence, 'durationMinutes', package.duration_minutes,
      'bedrooms', package.bedrooms, 'bathrooms', package.bathrooms,
      'location', json_build_object('city', c.name, 'state', c.state),
      'bookable', s.active and booking_obstacle(p, o, package.duration_minutes, true) is null,
      'service', json_build_object('id', s.id, 'name', s.name, 'slug', s.slug),
      'professional', json_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name,
        'verified', p.verified,
        'rating', trim_scale(round(p.rating_sum::numeric / nullif(p.review_count, 0), 2)),
        'reviewCount', p.review_count, 'instantBookingEnabled', has_bookable_service(p)),
      'updatedAt', iso_instant(package.updated_at))
    from professionals p join cities c on c.id = p.city_id join services s on s.id = package.service_id
    join professional_services o on o.professional_id = p.id and o.service_id = s.id
    where p.id = package.professional_id
  );
end $$;

CREATE FUNCTION public.partition_bound(is_by_delivery boolean, day date) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select case when is_by_delivery then first_delivery_id(day)::text else day::text end
$$;

CREATE FUNCTION public.payable_share(price_cents integer, percentage numeric) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case when share < 50 then 0 else share end from (select round(price_cents * percentage / 100)::integer as share) s
$$;

CREATE FUNCTION public.payment_changed_at(payment public.payments) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return greatest(payment.created_at, payment.captured_at, (
    select max(greatest(r.created_at, r.submitted_at, r.done_at, r.failed_at)) from payment_refunds r
    where r.professional_id = payment.professional_id and r.payment_id = payment.id));
end $$;

CREATE FUNCTION public.payment_dispute(payment public.payments) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select json_build_object('amount', dollars(d.amount_cents), 'currency', (payment).captured_currency, 'status', d.state,
    'openedAt', iso_instant(d.opened_at))
  from payment_disputes d
  where d.professional_id = (payment).professional_id and d.payment_id = (payment).id and not d.is_inquiry
  order by d.state = 'open' desc, d.state = 'lost' desc, d.opened_at desc, d.id desc
  limit 1
$$;

CREATE FUNCTION public.payment_message(object jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
  select jsonb_build_object('amount', object #> '{payment,amount}', 'currency', object #> '{payment,currency}',
    'title', coalesce(object #>> '{package,name}', object #>> '{service,name}', 'Deposit'),
    'customer', object #> '{customer,name}')
$$;

CREATE FUNCTION public.payment_object(payment public.payments, is_over boolean) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  if payment.id is null then
    return null;
  end if;
  return json_build_object(
    'status', case when is_over and payment.captured_at is null then 'expired' else payment.status end,
    'amount', dollars(payment.amount_cents), 'fee', dollars(payment.fee_cents), 'deposit', dollars(payment.deposit_cents),
    'currency', payment.currency, 'paidAt', iso_instant(payment.captured_at),
    'refund', (
      select json_build_object('amount', dollars(sum(r.amount_cents)::integer), 'currency', payment.captured_currency,
        'status', case
          when bool_or(r.status = 'failed') then 'failed' when bool_and(r.status = 'done') then 'done' else 'pending' end)
      from payment_refunds r
      where r.professional_id = payment.professional_id and r.payment_id = payment.id and r.status <> 'replaced'
      having count(*) > 0),
    'dispute', payment_dispute(payment));
end $$;

CREATE FUNCTION public.payment_revenue_cents(payment public.payments) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
declare
  job jobs;
  back_cents bigint;
begin
  if payment.captured_at is null or payment.captured_currency <> payment.currency then
    return 0;
  end if;
  if payment.booking_id is null then
    select j.* into job from jobs j where j.professional_id = payment.professional_id and j.quote_id = payment.quote_id;
    if job.status = 'completed' then
      select coalesce(sum(back.cents), 0) into back_cents from (
        select r.amount_cents as cents from payment_refunds r
        where r.professional_id = payment.professional_id and r.payment_id = payment.id
          and r.status in ('pending', 'part', 'submitted', 'done') and r.created_at >= job.completed_at
        union all
        select d.amount_cents from payment_disputes d
        where d.professional_id = payment.professional_id and d.payment_id = payment.id and d.state = 'lost'
          and d.closed_at >= job.completed_at
      ) back;
      return -least(job.amount_cents, back_cents);
    elsif job.status is distinct from 'cancelled' then
      return 0;
    end if;
  end if;
  return (payment_sums(payment)).deposit_cents;
end $$;

CREATE FUNCTION public.payment_sums(payment public.payments, OUT paid_cents integer, OUT refunded_cents integer, OUT refunding_cents integer, OUT refundable_cents integer, OUT deposit_cents integer, OUT failed_cents integer) RETURNS record
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
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

CREATE FUNCTION public.payment_update_object(payment public.payments) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    payment_object(payment, false)::jsonb || jsonb_build_object(
      'id', payment.id, 'professionalId', payment.professional_id, 'bookingId', payment.booking_id,
      'quoteId', payment.quote_id, 'kept', payment.retained,
      'refunds', (
        select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'amount', dollars(r.amount_cents),
          'currency', payment.captured_currency, 'status', refund_status(r), 'reason', r.reason,
          'createdAt', iso_instant(r.created_at), 'doneAt', iso_instant(r.done_at)) order by r.created_at, r.id), '[]')
        from payment_refunds r
        where r.professional_id = payment.professional_id and r.payment_id = payment.id
          and r.status <> 'replaced'),
      'disputes', (
        select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'amount', dollars(d.amount_cents),
          'currency', payment.captured_currency, 'status', d.state, 'openedAt', iso_instant(d.opened_at),
          'closedAt', iso_instant(d.closed_at)) order by d.opened_at, d.id), '[]')
        from payment_disputes d
        where d.professional_id = payment.professional_id and d.payment_id = payment.id)))::json;
end $$;

CREATE FUNCTION public.plan_allowance(plan text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case plan when 'business' then 1000 when 'verified' then 100 else 0 end
$$;

CREATE FUNCTION public.plan_booking_message(message_key text, message_kind text, told_id uuid, more jsonb, send_at timestamp with time zone, as_of timestamp with time zone) RETURNS void
    LANGUAGE sql
    AS $$
  insert into messages (key, kind, recipient, data, professional_id, booking_id, customer_email, send_at, next_attempt_at,
    created_at)
  select message_key, message_kind, b.customer_email,
    jsonb_build_object('booking', current_message_booking(b.id, as_of)) || more, b.professional_id, b.id, b.customer_email,
    plan_booking_message.send_at, plan_booking_message.send_at, as_of
  from bookings b where b.id = told_id and b.customer_email not like '%@erased.invalid'
  on conflict on constraint messages_once do nothing
$$;

CREATE FUNCTION public.plan_deliveries(event_ids uuid[], as_of timestamp with time zone) RETURNS TABLE(id bigint, endpoint_id uuid)
    LANGUAGE sql
    AS $$
  with batch as materialized (
    select o.position, o.id, o.type, o.professional_id, o.aggregate_id, o.sequence, o.data #- '{object,customerUrl}' as data,
      o.data #>> '{object,customerUrl}' as customer_url, o.traceparent, o.created_at, p.account_id as pro_account,
      p.test_account_id is not null as is_test,
      case o.aggregate_type
        when 'booking' then (
          select b.account_id from bookings b where b.professional_id = o.professional_id and b.id = o.aggregate_id)
        when 'rfq' then (
          select r.account_id from rfqs r where r.professional_id = o.professional_id and r.id = o.aggregate_id)
        when 'quote' then (
          select r.account_id from quotes q join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
          where q.professional_id = o.professional_id and q.id = o.aggregate_id)
        when 'payment' then (
          select coalesce(b.account_id, r.account_id)
          from payments y
          left join bookings b on b.professional_id = y.professional_id and b.id = y.booking_id
          left join quotes q on q.professional_id = y.professional_id and q.id = y.quote_id
          left join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
          where y.professional_id = o.professional_id and y.id = o.aggregate_id)
        when 'review' then (
          select r.account_id from reviews r where r.professional_id = o.professional_id and r.id = o.aggregate_id)
      end as creator_account
    from outbox_events o
    left join professionals p on p.id = o.professional_id
    where o.id = any (event_ids)
  ), subscribed as materialized (
    select b.position, b.id as event_id, e.id as endpoint_id
    from batch b
    join webhook_endpoints e on e.account_id in (b.creator_account, b.pro_account)
    where e.status = 'enabled' and b.type = any (e.events)
  ), kept as (
    insert into webhook_events (id, type, aggregate_id, body, customer_url, customer_account_id, traceparent, created_at)
    select b.id, b.type, b.aggregate_id, case when b.is_test then left(w.body, -1) || ',"mode":"test"}' else w.body end,
      b.customer_url,
      case when b.customer_url is not null and not acts_for_pro(b.creator_account, b.professional_id) then b.creator_account end,
      b.traceparent, b.created_at
    from batch b
    cross join webhook_body(b.id, b.type, b.created_at, b.sequence, b.data) w (body)
    where exists (select from subscribed s where s.event_id = b.id)
    on conflict do nothing
  )
  insert into webhook_deliveries as d (endpoint_id, event_id, next_attempt_at, created_at)
  select s.endpoint_id, s.event_id, as_of, as_of
  from subscribed s order by s.position, s.endpoint_id
  on conflict do nothing
  returning d.id, d.endpoint_id
$$;

CREATE FUNCTION public.plan_job_cancelled_message(job public.jobs, as_of timestamp with time zone) RETURNS void
    LANGUAGE sql
    AS $$
  insert into messages (key, kind, recipient, data, professional_id, customer_email, send_at, next_attempt_at, created_at)
  select 'job-cancelled:' || job.id, 'job-cancelled-for-pro', a.email,
    jsonb_build_object('quote', message_quote(quote_object(q, as_of)::jsonb, p.time_zone), 'rfqId', q.rfq_id, 'jobId', job.id,
      'reason', job.cancellation_reason),
    p.id, r.customer_email, as_of, as_of, as_of
  from quotes q
  join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
  join professionals p on p.id = q.professional_id
  join accounts a on a.id = p.account_id
  where q.professional_id = job.professional_id and q.id = job.quote_id and r.customer_email not like '%@erased.invalid'
  on conflict on constraint messages_once do nothing
$$;

CREATE FUNCTION public.plan_messages(event_ids uuid[], as_of timestamp with time zone) RETURNS integer
    LANGUAGE sql
    AS $$
  with planned as (
    insert into messages (key, kind, recipient, data, professional_id, booking_id, customer_email, send_at, next_attempt_at,
      traceparent, created_at)
    select m.key, m.kind, m.recipient, m.data, o.professional_id,
      case when o.aggregate_type = 'booking' then o.aggregate_id end,
      coalesce(o.data #>> '{object,customer,email}',
        (select r.customer_email from reviews r where o.aggregate_type = 'review' and r.id = o.aggregate_id)),
      m.send_at, m.send_at, o.traceparent, as_of
    from outbox_events o
    cross join lateral (
      select b.* from booking_messages(o, as_of) b where o.aggregate_type = 'booking'
      union all
      select q.* from quote_messages(o, as_of) q where o.aggregate_type = 'quote'
      union all
      select r.* from request_messages(o, as_of) r where o.type = 'rfq.created'
      union all
      select v.* from review_messages(o, as_of) v where o.type = 'review.approved'
    ) m
    -- Erased customers.
    where o.id = any (event_ids) and m.recipient not like '%@erased.invalid'
    order by o.position
    on conflict on constraint messages_once do nothing
    returning 1
  )
  select count(*)::integer from planned
$$;

CREATE FUNCTION public.plan_refund_message(refund_id uuid, as_of timestamp with time zone, is_failed boolean DEFAULT false) RETURNS void
    LANGUAGE sql
    AS $$
  select plan_booking_message(case when is_failed then 'refund-failed:' else 'refund:' end || r.id,
    case when is_failed then 'booking-refund-failed' else 'booking-refunded' end, p.booking_id,
    message_refund(r.amount_cents, p.captured_currency, r.note), as_of + interval '10 seconds', as_of)
  from payment_refunds r join payments p on p.id = r.payment_id
  where r.id = refund_id and p.booking_id is not null;
  insert into messages (key, kind, recipient, data, professional_id, customer_email, send_at, next_attempt_at, created_at)
  select case when is_failed then 'refund-failed:' else 'refund:' end || d.id,
    case when is_failed then 'quote-refund-failed' else 'quote-refunded' end, r.customer_email,
    jsonb_build_object('quote', message_quote(quote_object(q, as_of)::jsonb, o.time_zone))
      || message_refund(d.amount_cents, p.captured_currency, d.note),
    o.id, r.customer_email, as_of + interval '10 seconds', as_of + interval '10 seconds', as_of
  from payment_refunds d
  join payments p on p.id = d.payment_id
  join quotes q on q.professional_id = p.professional_id and q.id = p.quote_id
  join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
  join professionals o on o.id = p.professional_id
  where d.id = refund_id and r.customer_email not like '%@erased.invalid'
  on conflict on constraint messages_once do nothing
$$;

CREATE FUNCTION public.plan_reminders(pro_id uuid, as_of timestamp with time zone) RETURNS void
    LANGUAGE sql
    AS $$
  delete from messages m
  where m.kind = 'booking-reminder' and m.status = 'pending' and m.attempts = 0 and m.booking_id in (
    select b.id from bookings b
    where b.professional_id = pro_id and b.status in ('pending', 'confirmed') and b.starts_at > as_of);
  insert into messages (key, kind, recipient, data, professional_id, booking_id, customer_email, send_at, next_attempt_at,
    created_at)
  select r.key, r.kind, r.recipient, r.data, b.professional_id, b.id, b.customer_email, r.send_at, r.send_at, as_of
  from professionals p
  join bookings b on b.professional_id = p.id and b.status = 'confirmed' and b.starts_at > as_of
  cross join lateral reminder_message(b.id, b.customer_email, b.starts_at,
    b.starts_at - p.reminder_hours * interval '1 hour') r
  where p.id = pro_id and r.send_at > as_of
  on conflict on constraint messages_once do nothing
$$;

CREATE FUNCTION public.pro_booking_object(booking public.bookings) RETURNS json
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    AS $$
begin
  return (
    booking_object(booking)::jsonb || jsonb_build_object(
      'assignedTo', (
        select jsonb_build_object('id', m.id, 'name', m.name) from members m
        where m.professional_id = booking.professional_id and m.id = booking.assigned_member_id),
      'customerPhone', booking.customer_phone))::json;
end $$;

CREATE FUNCTION public.pro_facts(pro_ids uuid[]) RETURNS SETOF public.pro_fact
    LANGUAGE sql STABLE
    AS $$
  select f.* from bookings r cross join lateral facts_of_booking(r.professional_id, r.status, r.created_at, r.service_id) f
  where pro_ids is null or r.professional_id = any (pro_ids)
  union all
  select f.* from rfqs r cross join lateral facts_of_rfq(r.professional_id, r.status, r.created_at, r.service_id) f
  where pro_ids is null or r.professional_id = any (pro_ids)
  union all
  select f.* from quotes r
  cross join lateral facts_of_quote(r.professional_id, r.status, r.sent_at, r.accepted_at, r.amount_cents) f
  where pro_ids is null or r.professional_id = any (pro_ids)
  union all
  select f.* from jobs r
  cross join lateral facts_of_job(r.professional_id, r.status, r.completed_at, r.service_id, r.amount_cents) f
  where pro_ids is null or r.professional_id = any (pro_ids)
  union all
  select f.* from reviews r cross join lateral facts_of_review(r.professional_id, r.status, r.approved_at, r.rating) f
  where pro_ids is null or r.professional_id = any (pro_ids)
  union all
  select f.* from payments r
  cross join lateral facts_of_payment(r.professional_id, r.booking_id, r.quote_id, r.captured_at, r.revenue_cents) f
  where r.revenue_cents <> 0 and (pro_ids is null or r.professional_id = any (pro_ids))
$$;

CREATE TABLE public.properties (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    name text NOT NULL,
    street text NOT NULL,
    city text NOT NULL,
    state text NOT NULL,
    zip_code text NOT NULL,
    bedrooms integer,
    bathrooms numeric(4,1),
    area_square_feet integer,
    access_notes text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT properties_access_notes_check CHECK ((length(access_notes) <= 5000)),
    CONSTRAINT properties_area_square_feet_check CHECK (((area_square_feet >= 1) AND (area_square_feet <= 1000000))),
    CONSTRAINT properties_bathrooms_check CHECK (((bathrooms >= (0)::numeric) AND (bathrooms <= (100)::numeric))),
    CONSTRAINT properties_bedrooms_check CHECK (((bedrooms >= 0) AND (bedrooms <= 100))),
    CONSTRAINT properties_city_check CHECK (((length(city) >= 1) AND (length(city) <= 200))),
    CONSTRAINT properties_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT properties_street_check CHECK (((length(street) >= 1) AND (length(street) <= 200))),
    CONSTRAINT properties_zip_code_check CHECK ((zip_code ~ '^\d{5}(-\d{4})?$'::text))
);

CREATE FUNCTION public.property_object(property public.properties) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select json_build_object(
    'id', property.id, 'name', property.name,
    'address', json_build_object(
      'street', property.street, 'city', property.city, 'state', property.state, 'zipCode', property.zip_code),
    'bedrooms', property.bedrooms, 'bathrooms', trim_scale(property.bathrooms),
    'areaSquareFeet', property.area_square_feet, 'accessNotes', property.access_notes,
    'createdAt', iso_instant(property.created_at), 'updatedAt', iso_instant(property.updated_at))
$$;

CREATE TABLE public.proposals (
    id uuid NOT NULL,
    professional_id uuid NOT NULL,
    kind text NOT NULL,
    target_id uuid NOT NULL,
    status text NOT NULL,
    change jsonb NOT NULL,
    differences jsonb NOT NULL,
    summary text NOT NULL,
    key_id uuid,
    run_id uuid,
    thread_id uuid,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    dismissed_at timestamp with time zone,
    expired_at timestamp with time zone,
    conflicted_at timestamp with time zone,
    conflict jsonb,
    CONSTRAINT proposals_change_check CHECK ((jsonb_typeof(change) = 'object'::text)),
    CONSTRAINT proposals_check CHECK ((expires_at > created_at)),
    CONSTRAINT proposals_differences_check CHECK (((jsonb_typeof(differences) = 'array'::text) AND (jsonb_array_length(differences) > 0))),
    CONSTRAINT proposals_kind_check CHECK ((kind = ANY (ARRAY['quote_content'::text, 'service_pricing'::text, 'service_content'::text, 'business_profile'::text, 'public_profile'::text, 'business_entity'::text, 'site_config'::text]))),
    CONSTRAINT proposals_of_the_pro CHECK (((kind = ANY (ARRAY['quote_content'::text, 'service_pricing'::text, 'service_content'::text])) OR (target_id = professional_id))),
    CONSTRAINT proposals_state CHECK ((((status = 'confirmed'::text) = (confirmed_at IS NOT NULL)) AND ((status = 'dismissed'::text) = (dismissed_at IS NOT NULL)) AND ((status = 'expired'::text) = (expired_at IS NOT NULL)) AND ((status = 'conflict'::text) = (conflicted_at IS NOT NULL)) AND ((status = 'conflict'::text) = (conflict IS NOT NULL)) AND (confirmed_at < expires_at) AND (dismissed_at < expires_at) AND (conflicted_at < expires_at) AND (expired_at >= expires_at))),
    CONSTRAINT proposals_status_check CHECK ((status = ANY (ARRAY['open'::text, 'confirmed'::text, 'dismissed'::text, 'expired'::text, 'conflict'::text]))),
    CONSTRAINT proposals_summary_check CHECK (((length(summary) >= 1) AND (length(summary) <= 500)))
);

CREATE FUNCTION public.proposal_object(proposal public.proposals, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  return (
    select json_build_object(
      'id', proposal.id,
      'kind', proposal.kind,
      'status', proposal_status(proposal, as_of),
      'target', json_build_object(
        'type', case when s.id is not null then 'service' when proposal.kind = 'quote_content' then 'quote'
          else 'professional' end,
        'id', proposal.target_id,
        'name', coalesce(s.name, requested.name)),
      'summary', proposal.summary,
      'differences', proposal.differences,
      'madeBy', json_build_object('keyId', proposal.key_id, 'runId', proposal.run_id, 'threadId', proposal.thread_id),
      'createdAt', iso_instant(proposal.created_at),
      'expiresAt', iso_instant(proposal.expires_at),
      'confirmedAt', iso_instant(proposal.confirmed_at),
      'dismissedAt', iso_instant(proposal.dismissed_at),
      'conflictedAt', iso_instant(proposal.conflicted_at),
      'conflict', proposal.conflict)
    from (select proposal.id) it
    left join services s on proposal.kind in ('service_pricing', 'service_content') and s.id = proposal.target_id
    left join quotes q on proposal.kind = 'quote_content' and q.professional_id = proposal.professional_id
      and q.id = proposal.target_id
    left join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
    left join services requested on requested.id = r.service_id
  );
end $$;

CREATE FUNCTION public.proposal_status(proposal public.proposals, as_of timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case when (proposal).status = 'open' and (proposal).expires_at <= as_of then 'expired'
    else (proposal).status end
$$;

CREATE FUNCTION public.propose_time(proposed_id uuid, on_day date, at_minute integer, at_instant timestamp with time zone, message text, as_of timestamp with time zone, base_url text, OUT outcome text, OUT next_available json) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  booked bookings;
  pro professionals;
  day date;
  today date;
  starts timestamptz;
begin
  select b.* into booked from bookings b where b.id = proposed_id;
  select p.* into pro from professionals p where p.id = booked.professional_id and (p.active or p.test_account_id is not null);
  if pro.id is null then
    outcome := 'pro_not_found';
    return;
  end if;
  day := coalesce((at_instant at time zone pro.time_zone)::date, on_day);
  today := (as_of at time zone pro.time_zone)::date;
  starts := coalesce(at_instant, local_instant(on_day, at_minute, pro.time_zone));
  if day not between today and today + 365 then
    outcome := 'date_out_of_range';
  elsif starts = booked.starts_at then
    outcome := 'unchanged';
  elsif slot_fits(pro, day, starts, starts + booked.duration_minutes * interval '1 minute', as_of, proposed_id) then
    insert into booking_proposed_times as t (booking_id, starts_at, message, created_at)
    values (proposed_id, starts, propose_time.message, as_of)
    on conflict (booking_id) do update set
      starts_at = excluded.starts_at, message = excluded.message, created_at = excluded.created_at, declined_at = null;
    perform plan_booking_message('proposed:' || proposed_id || ':' || iso_instant(as_of), 'booking-time-proposed', proposed_id,
      jsonb_build_object('proposed', jsonb_build_object('startsAt', iso_instant(starts),
        'endsAt', iso_instant(starts + booked.duration_minutes * interval '1 minute'), 'message', propose_time.message)),
      as_of, as_of);
    outcome := 'proposed';
  else
    outcome := 'slot_unavailable';
    next_available := next_open_slot(pro, booked.duration_minutes, day, as_of, base_url, proposed_id, booked.service_id,
      booked.package_id);
  end if;
end $$;

CREATE FUNCTION public.proposed_time(booking public.bookings, time_zone text) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  if booking.status not in ('pending', 'confirmed') then
    return null;
  end if;
  return (
    select json_build_object(
      'startDateTime', iso_instant(t.starts_at),
      'date', (t.starts_at at time zone proposed_time.time_zone)::date,
      'time', left((t.starts_at at time zone proposed_time.time_zone)::time::text, 5),
      'message', t.message,
      'proposedAt', iso_instant(t.created_at),
      'declinedAt', iso_instant(t.declined_at))
    from booking_proposed_times t where t.booking_id = booking.id
  );
end $$;

CREATE FUNCTION public.public_event_id(event_id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select 'evt_' || replace(event_id::text, '-', '')
$$;

CREATE FUNCTION public.published_name(name text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $_$
  select case when strpos(name, '@') > 0 then 'Customer' else concat_ws(' ',
    coalesce(substring(name from '[^[:space:],;]+'), 'Customer'),
    upper(substring(name from '[[:space:],;][[:punct:]]*([^[:punct:][:space:]])[^[:space:],;]*[[:space:],;]*$')) || '.') end
$_$;

CREATE FUNCTION public.quote_balance(quote public.quotes, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
declare
  is_open constant boolean := quote_status(quote, as_of) in ('sent', 'viewed');
  due_cents constant integer := case when is_open then quote_deposit_cents(quote) else 0 end;
begin
  return coalesce(
    (select job_balance(j) from jobs j where j.professional_id = quote.professional_id and j.quote_id = quote.id),
    balance_object(deposits_of(quote.professional_id, quote.id), quote.amount_cents, 0, due_cents, due_cents, is_open));
end $$;

CREATE FUNCTION public.quote_deposit_cents(quote public.quotes) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select coalesce(payable_share((quote).amount_cents, (quote).deposit_percentage), 0)
$$;

CREATE FUNCTION public.quote_messages(event public.outbox_events, as_of timestamp with time zone) RETURNS TABLE(key text, kind text, recipient text, data jsonb, send_at timestamp with time zone)
    LANGUAGE plpgsql STABLE ROWS 1
    AS $$
declare
  occasion constant text := 'event:' || event.id;
  object constant jsonb := event.data -> 'object';
  customer constant text := object #>> '{customer,email}';
  valid_until constant timestamptz := object ->> 'validUntil';
  pro_email text;
  told jsonb;
begin
  select a.email, jsonb_build_object('quote', message_quote(object, p.time_zone), 'rfqId', object -> 'rfqId')
  into pro_email, told
  from professionals p join accounts a on a.id = p.account_id where p.id = event.professional_id;
  if event.type = 'quote.sent' then
    return query values
      (occasion, 'quote-received', customer, told, as_of),
      ('quote-expiring:' || event.aggregate_id, 'quote-expiring', customer,
        jsonb_build_object('quoteId', event.aggregate_id),
        valid_until - least(interval '2 days', (valid_until - event.created_at) / 3));
  elsif event.type in ('quote.accepted', 'quote.declined') then
    return query values (occasion, replace(event.type, '.', '-'), pro_email, told, as_of);
    if event.type = 'quote.accepted' and object #>> '{payment,status}' = 'succeeded' then
      return query select 'payment:' || event.aggregate_id, 'payment-received', pro_email,
        payment_message(object) || jsonb_build_object('rfqId', object -> 'rfqId'), as_of;
    end if;
  end if;
end $$;

CREATE FUNCTION public.quote_object(quote public.quotes, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  return (
    select json_build_object(
      'id', quote.id,
      'rfqId', quote.rfq_id,
      'jobId', j.id,
      'status', quote_status(quote, as_of),
      'amount', dollars(quote.amount_cents),
      'currency', 'USD',
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

CREATE FUNCTION public.quote_payment(quote public.quotes, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  if quote.deposit_percentage is null then
    return null;
  end if;
  return (
    select payment_object(y, quote_status(quote, as_of) not in ('sent', 'viewed')) from payments y
    where y.professional_id = quote.professional_id and y.quote_id = quote.id order by y.created_at desc, y.id desc limit 1
  );
end $$;

CREATE FUNCTION public.quote_status(quote public.quotes, as_of timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select case when (quote).status in ('sent', 'viewed') and (quote).valid_until <= as_of then 'expired'
    else (quote).status end
$$;

CREATE FUNCTION public.quoted_units(wanted_service_id uuid, pro_id uuid, line_items jsonb, OUT units numeric, OUT units_cents integer) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
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

CREATE FUNCTION public.read_calendars_again() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update imported_calendars c set next_read_at = new.updated_at
  where c.professional_id = new.id and c.next_read_at > new.updated_at;
  perform ask_wake_up('calendars_due', '');
  return null;
end $$;

CREATE FUNCTION public.rebuild_pro_counts(pro_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  delete from pro_days d where pro_ids is null or d.professional_id = any (pro_ids);
  delete from pro_counts c where pro_ids is null or c.professional_id = any (pro_ids);
  with fact as materialized (
    select f.professional_id, f.kind, f.status, (f.at at time zone z.time_zone)::date as day, f.service_id,
      sum(f.total) as total, sum(f.cents) as cents
    from pro_facts(pro_ids) f join professionals p on p.id = f.professional_id
    cross join lateral counted_zone(p.id, p.time_zone, f.at) z
    group by 1, 2, 3, 4, 5
  ), days as (
    insert into pro_days (professional_id, day, kind, service_id, status, total, cents)
    select professional_id, day, kind, service_id, status, total, cents from fact where day is not null
  )
  insert into pro_counts (professional_id, kind, status, total)
  select professional_id, kind, status, sum(total) from fact group by 1, 2, 3;
end $$;

CREATE FUNCTION public.rebuild_pro_revenue(pro_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  update payments y set revenue_cents = payment_revenue_cents(y)
  where y.captured_at is not null and (pro_ids is null or y.professional_id = any (pro_ids))
    and y.revenue_cents <> payment_revenue_cents(y);
  perform rebuild_pro_counts(pro_ids);
end $$;

CREATE FUNCTION public.rebuild_review_stats() RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  delete from review_stats;
  insert into review_stats select * from review_stats_source(null);
end $$;

CREATE FUNCTION public.rebuild_search() RETURNS void
    LANGUAGE plpgsql
    SET maintenance_work_mem TO '512MB'
    SET work_mem TO '128MB'
    SET client_min_messages TO 'warning'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  indexes text[];
  definition text;
  ids uuid[];
begin
  lock table professionals, professional_services in share mode;
  truncate pro_search, pro_search_entry, pro_search_cell, pro_search_area, pro_search_kept_slots restart identity;
  select array_agg(pg_get_indexdef(i.indexrelid)) into indexes
  from pg_index i
  where i.indrelid in ('pro_search_entry'::regclass, 'pro_search_cell'::regclass);
  for definition in
    select format('drop index %s', i.indexrelid::regclass)
    from pg_index i where i.indrelid in ('pro_search_entry'::regclass, 'pro_search_cell'::regclass)
  loop
    execute definition;
  end loop;

  for ids in
    select array_agg(id order by place) from (
      select p.id, at.place, (row_number() over (order by at.place) - 1) / 5000 as batch
      from professionals p
      cross join lateral (select search_place(0::smallint, p.latitude, p.longitude) as place) at
      where p.active
    ) p
    group by batch order by batch
  loop
    insert into pro_search (professional_id, slug, doc, position, flags, city_id, state, standing, facets, bookable, offers)
      select s.* from search_pro_rows(ids) s
      order by search_place(0::smallint, st_y(s.position::geometry), st_x(s.position::geometry));
  end loop;
  -- CREATE TABLE AS can run in parallel, INSERT … SELECT cannot: hence two temporary tables, then one insert each.
  create temporary table search_pieces on commit drop as
    select e.* from pro_search s cross join lateral search_entries(s) e;
  insert into pro_search_entry select * from search_pieces order by place;
  drop table search_pieces;
  create temporary table search_pieces on commit drop as
    select c.area, case when c.area is not null then c.facet end as facet, c.cell,
      count(*)::integer as pros, sum(c.verified)::integer as verified, sum(c.instant)::integer as instant,
      sum(c.verified * c.instant)::integer as verified_instant
    from pro_search s cross join lateral search_counts(s) c
    group by 1, 2, 3;
  insert into pro_search_area
    select area, facet, pros, verified, instant, verified_instant from search_pieces where area is not null
    order by area, facet;
  insert into pro_search_cell
    select cell, pros, verified, instant, verified_instant from search_pieces where cell is not null order by cell;
  drop table search_pieces;

  foreach definition in array indexes loop
    execute definition;
  end loop;
  analyze pro_search;
  analyze pro_search_entry;
  analyze pro_search_cell;
  analyze pro_search_area;
end $$;

CREATE FUNCTION public.record_ids(document text) RETURNS uuid[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select coalesce(array_agg(distinct found[1]::uuid), '{}')
  from regexp_matches(
    document, '"(?:id|[a-z]+Id)": ?"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"', 'g') found
$$;

CREATE FUNCTION public.refresh_changed_prices(as_of timestamp with time zone, at_most integer DEFAULT NULL::integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  applied integer;
  service_ids uuid[];
  city_ids integer[];
  pro_ids uuid[];
begin
  -- The advisory lock of the price statistics.
  perform pg_advisory_xact_lock(7236815);
  with batch as materialized (
    select c.ctid from pricing_changes c limit at_most
  ), deleted as (
    delete from pricing_changes c using batch where c.ctid = batch.ctid
    returning c.service_id, c.city_id, c.professional_id
  ), grouped as (
    select service_id, city_id, professional_id, count(*) as times
    from deleted group by service_id, city_id, professional_id
  )
  select array_agg(service_id), array_agg(city_id), array_agg(professional_id), coalesce(sum(times), 0)
  into service_ids, city_ids, pro_ids, applied
  from grouped;
  if applied > 0 then
    perform refresh_price_groups(as_of, service_ids, city_ids, pro_ids);
  end if;
  return applied;
end $$;

CREATE FUNCTION public.refresh_price_groups(as_of timestamp with time zone, service_ids uuid[], city_ids integer[], pro_ids uuid[]) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  concerned constant uuid[] := refresh_price_lists(service_ids, city_ids, pro_ids);
  changed integer;
begin
  with typical as materialized (
    select l.service_id, percentile_cont(0.5) within group (order by p.cents) as cents
    from price_lists l
    cross join unnest(l.cents, l.ranks) p (cents, rank)
    where l.service_id = any (concerned) and p.rank = 1
    group by l.service_id
  ), places as (
    select l.service_id, l.state, l.city_id, l.cents, l.sources, l.ranks, l.pros
    from price_lists l where l.service_id = any (concerned)
    union all
    select l.service_id, l.state, 0, l.cents, l.sources, l.ranks, sum(l.pros) over (partition by l.service_id, l.state)
    from price_lists l where l.service_id = any (concerned)
    union all
    select l.service_id, '', 0, l.cents, l.sources, l.ranks, sum(l.pros) over (partition by l.service_id)
    from price_lists l where l.service_id = any (concerned)
  ), fresh as materialized (
    select l.service_id, l.state, l.city_id,
      -- Numeric, because a sum of doubles depends on their order.
      round(avg(p.cents::numeric))::integer as average_cents,
      round(percentile_cont(0.5) within group (order by p.cents))::integer as median_cents,
      round(min(p.cents))::integer as min_cents, round(max(p.cents))::integer as max_cents,
      (count(*) filter (where p.source = 1))::integer as professional_listings,
      (count(*) filter (where p.source = 2))::integer as accepted_quotes,
      (count(*) filter (where p.source = 3))::integer as completed_projects
    from places l
    join typical t on t.service_id = l.service_id
    cross join unnest(l.cents, l.sources, l.ranks) p (cents, source, rank)
    where l.pros >= 3 and p.rank <= greatest(1, l.pros / 20) and p.cents between t.cents / 5 and t.cents * 5
    group by l.service_id, l.state, l.city_id
    having count(*) >= 3
  ), written as (
    insert into pricing_aggregates as a
      select f.*, (as_of at time zone 'UTC')::date from fresh f
    on conflict (service_id, state, city_id) do update set
      average_cents = excluded.average_cents, median_cents = excluded.median_cents,
      min_cents = excluded.min_cents, max_cents = excluded.max_cents,
      professional_listings = excluded.professional_listings, accepted_quotes = excluded.accepted_quotes,
      completed_projects = excluded.completed_projects, last_updated = excluded.last_updated
    where (a.average_cents, a.median_cents, a.min_cents, a.max_cents, a.professional_listings, a.accepted_quotes,
        a.completed_projects)
      is distinct from (excluded.average_cents, excluded.median_cents, excluded.min_cents, excluded.max_cents,
        excluded.professional_listings, excluded.accepted_quotes, excluded.completed_projects)
    returning 1
  ), removed as (
    delete from pricing_aggregates a using (
      select w.service_id, w.state, w.city_id from pricing_aggregates w where w.service_id = any (concerned)
      except
      select f.service_id, f.state, f.city_id from fresh f
    ) empty
    where (a.service_id, a.state, a.city_id) = (empty.service_id, empty.state, empty.city_id)
    returning 1
  )
  select (select count(*) from written) + (select count(*) from removed) into changed;
  return changed;
end $$;

CREATE FUNCTION public.refresh_price_lists(service_ids uuid[], city_ids integer[], pro_ids uuid[]) RETURNS uuid[]
    LANGUAGE plpgsql
    AS $$
declare
  -- The services that changed everywhere: rows without a pro.
  whole constant uuid[] := array(
    select distinct n.service_id from unnest(service_ids, pro_ids) n (service_id, pro_id) where n.pro_id is null);
  concerned uuid[];
begin
  with changes as materialized (
    select distinct n.service_id, n.city_id, n.pro_id
    from unnest(service_ids, city_ids, pro_ids) n (service_id, city_id, pro_id) where n.pro_id is not null
  ), touched as materialized (
    select distinct t.service_id, c.state, t.city_id, t.pro_id
    from (
      select n.service_id, p.city_id, n.pro_id
      from changes n
      join professionals p on p.id = n.pro_id
      where n.service_id is not null
      union all
      -- Pros who moved: their prices in the new city, and their entries in the old one.
      select v.service_id, p.city_id, p.id
      from changes n
      join professionals p on p.id = n.pro_id
      cross join lateral (select o.service_id from price_points o where o.professional_id = p.id offset 0) v
      where n.service_id is null
      union all
      select l.service_id, l.city_id, e.pro_id
      from (select distinct n.city_id from changes n where n.service_id is null) n
      join price_lists l on l.city_id = n.city_id
      cross join unnest(l.professional_ids) e (pro_id)
      where (l.city_id, e.pro_id) in (select n.city_id, n.pro_id from changes n where n.service_id is null)
    ) t
    join cities c on c.id = t.city_id
    where t.service_id <> all (whole)
  ), points as (
    select v.service_id, p.city_id, p.id as professional_id, v.source, v.cents, v.rank
    from price_points v
    join professionals p on p.id = v.professional_id
    where cardinality(whole) > 0 and v.service_id = any (whole) and (p.active or v.source <> 1)
      and p.test_account_id is null
    union all
    -- The current prices of the changed pros, in their current city.
    select v.service_id, p.city_id, p.id, v.source, v.cents, v.rank
    from (
      select t.pro_id, t.city_id, array_agg(t.service_id) as service_ids from touched t group by t.pro_id, t.city_id
    ) t
    join professionals p on p.id = t.pro_id and p.city_id = t.city_id
    cross join lateral (
      -- `offset 0` prevents the planner from joining all prices before it filters by pro.
      select o.service_id, o.source, o.cents, o.rank from price_points o
      where o.professional_id = p.id and o.service_id = any (t.service_ids) offset 0
    ) v
    where (p.active or v.source <> 1) and p.test_account_id is null
    union all
    -- The unchanged entries of the other pros. `not in` is always hashed, which matters with thousands of rows.
    select l.service_id, l.city_id, e.professional_id, e.source, e.cents, e.rank
    from (select distinct t.service_id, t.state, t.city_id from touched t) t
    join price_lists l on (l.service_id, l.state, l.city_id) = (t.service_id, t.state, t.city_id)
    cross join unnest(l.professional_ids, l.sources, l.cents, l.ranks) e (professional_id, source, cents, rank)
    where (l.service_id, l.city_id, e.professional_id) not in (select t.service_id, t.city_id, t.pro_id from touched t)
  ), fresh as materialized (
    select p.service_id, c.state, p.city_id,
      array_agg(p.cents order by p.professional_id, p.rank) as cents,
      array_agg(p.professional_id order by p.professional_id, p.rank) as professional_ids,
      array_agg(p.source order by p.professional_id, p.rank) as sources,
      array_agg(p.rank order by p.professional_id, p.rank) as ranks,
      (count(*) filter (where p.rank = 1))::integer as pros
    from points p
    join cities c on c.id = p.city_id
    group by p.service_id, c.state, p.city_id
  ), written as (
    insert into price_lists as l (service_id, state, city_id, cents, professional_ids, sources, ranks, pros)
    select f.* from fresh f
    on conflict (service_id, state, city_id) do update set
      cents = excluded.cents, professional_ids = excluded.professional_ids, sources = excluded.sources,
      ranks = excluded.ranks, pros = excluded.pros
    where (l.cents, l.professional_ids, l.sources, l.ranks)
      is distinct from (excluded.cents, excluded.professional_ids, excluded.sources, excluded.ranks)
  ), removed as (
    -- Lists without any price left. `except` stays fast with thousands of rows.
    delete from price_lists l using (
      (
        select t.service_id, t.state, t.city_id from touched t
        union all
        select w.service_id, w.state, w.city_id from price_lists w
        where cardinality(whole) > 0 and w.service_id = any (whole)
      )
      except
      select f.service_id, f.state, f.city_id from fresh f
    ) empty
    where (l.service_id, l.state, l.city_id) = (empty.service_id, empty.state, empty.city_id)
  )
  select whole || coalesce(array_agg(distinct t.service_id), '{}') into concerned from touched t;
  return concerned;
end $$;

CREATE FUNCTION public.refresh_pricing(p_now timestamp with time zone, p_service_ids uuid[] DEFAULT NULL::uuid[]) RETURNS integer
    LANGUAGE sql
    AS $$
  select refresh_price_groups(
    p_now, s.ids, array_fill(null::integer, array[cardinality(s.ids)]), array_fill(null::uuid, array[cardinality(s.ids)]))
  from (select coalesce(p_service_ids, array(select id from services)) as ids) s
$$;

CREATE FUNCTION public.refresh_search(p_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
  old_rows pro_search[];
  new_rows pro_search[];
  moved uuid[];
begin
  if coalesce(cardinality(p_ids), 0) = 0 then
    return;
  end if;
  -- Serializes transactions that change the same pro, so that each statement below sees the earlier change.
  perform from professionals where id = any (p_ids) order by id for no key update;

  old_rows := array(select s from pro_search s where s.professional_id = any (p_ids));
  with gone as (
    delete from pro_search s
    where s.professional_id = any (p_ids)
      and not exists (select from professionals p where p.id = s.professional_id and p.active)
    returning s.professional_id, s.slot
  )
  insert into pro_search_kept_slots
  select g.professional_id, g.slot from gone g join professionals p on p.id = g.professional_id;

  -- An insert with ON CONFLICT would take a number of the slots' sequence for each update, too.
  with current as materialized (
    select * from search_pro_rows(p_ids)
  ), updated as (
    update pro_search s set
      slug = c.slug, doc = c.doc, position = c.position, flags = c.flags, city_id = c.city_id, state = c.state,
      standing = c.standing, facets = c.facets, bookable = c.bookable, offers = c.offers
    from current c
    where s.professional_id = c.professional_id
      and (s.slug, s.doc, s.position::bytea, s.flags, s.city_id, s.state, s.standing, s.facets, s.bookable, s.offers)
        is distinct from (c.slug, c.doc, c.position::bytea, c.flags, c.city_id, c.state, c.standing, c.facets,
          c.bookable, c.offers)
  ), returned as (
    delete from pro_search_kept_slots k using current c where k.professional_id = c.professional_id
    returning k.professional_id, k.slot
  )
  insert into pro_search
    (professional_id, slot, slug, doc, position, flags, city_id, state, standing, facets, bookable, offers)
    overriding system value
  select c.professional_id, coalesce(r.slot, nextval('pro_search_slot_seq')::integer), c.slug, c.doc, c.position, c.flags,
    c.city_id, c.state, c.standing, c.facets, c.bookable, c.offers
  from current c left join returned r on r.professional_id = c.professional_id
  where not exists (select from pro_search s where s.professional_id = c.professional_id);
  new_rows := array(select s from pro_search s where s.professional_id = any (p_ids));

  moved := array(
    select coalesce(o.professional_id, n.professional_id)
    from unnest(old_rows) o full join unnest(new_rows) n on n.professional_id = o.professional_id
    where (n.position::bytea, n.flags, n.city_id, n.state, n.standing, n.facets, n.bookable)
      is distinct from (o.position::bytea, o.flags, o.city_id, o.state, o.standing, o.facets, o.bookable));
  if cardinality(moved) = 0 then
    return;
  end if;
  old_rows := array(select o from unnest(old_rows) o where o.professional_id = any (moved));
  new_rows := array(select n from unnest(new_rows) n where n.professional_id = any (moved));
  delete from pro_search_entry entry
  using unnest(old_rows) o cross join lateral search_entries(o) e
  where entry.place = e.place and entry.professional_id = e.professional_id;
  insert into pro_search_entry select e.* from unnest(new_rows) n cross join lateral search_entries(n) e;
  -- A rating changes no counter.
  if exists (
    select from unnest(old_rows) o full join unnest(new_rows) n on n.professional_id = o.professional_id
    where (n.position::bytea, n.flags, n.city_id, n.state, n.facets, n.bookable)
      is distinct from (o.position::bytea, o.flags, o.city_id, o.state, o.facets, o.bookable))
  then
    perform add_search_counts(old_rows, new_rows);
  end if;
end $$;

CREATE TABLE public.payment_refunds (
    id uuid NOT NULL,
    payment_id uuid NOT NULL,
    professional_id uuid NOT NULL,
    reason text NOT NULL,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    provider_refund_id text,
    created_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone,
    amount_cents integer,
    note text,
    submitted_at timestamp with time zone,
    failed_at timestamp with time zone,
    failure text,
    returned_otherwise text,
    CONSTRAINT payment_refunds_amount_check CHECK ((amount_cents > 0)),
    CONSTRAINT payment_refunds_check CHECK (((status = 'done'::text) = (done_at IS NOT NULL))),
    CONSTRAINT payment_refunds_failure_check CHECK (((length(failure) >= 1) AND (length(failure) <= 500))),
    CONSTRAINT payment_refunds_note_check CHECK (((length(note) >= 1) AND (length(note) <= 5000))),
    CONSTRAINT payment_refunds_otherwise_check CHECK (((length(returned_otherwise) >= 1) AND (length(returned_otherwise) <= 5000))),
    CONSTRAINT payment_refunds_reason_check CHECK ((reason = ANY (ARRAY['cancelled'::text, 'rejected'::text, 'paid_too_late'::text, 'wrong_amount'::text, 'operator'::text, 'provider'::text]))),
    CONSTRAINT payment_refunds_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'part'::text, 'submitted'::text, 'done'::text, 'failed'::text, 'replaced'::text])))
);

CREATE FUNCTION public.refund_status(refund public.payment_refunds) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case when (refund).status in ('pending', 'part') then 'requested' else (refund).status end
$$;

CREATE FUNCTION public.refuse_credit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op in ('INSERT', 'UPDATE') and pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception '% is not changed by hand (%)', tg_table_name, lower(tg_op)
    using errcode = 'check_violation', constraint = tg_table_name || '_law';
end $$;

CREATE FUNCTION public.release_stuck_tasks(as_of timestamp with time zone, max integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  due record;
  released integer := 0;
begin
  for due in
    select t.professional_id, t.id from metered_tasks t where t.status = 'reserved' and t.deadline_at <= as_of
    order by t.deadline_at limit max
  loop
    perform from credit_ledgers l where l.professional_id = due.professional_id for update skip locked;
    continue when not found;
    -- Checked again under the lock: the task may have been settled meanwhile.
    update metered_tasks t set status = 'released', ended_at = as_of
    where t.professional_id = due.professional_id and t.id = due.id and t.status = 'reserved';
    if found then
      released := released + 1;
    end if;
  end loop;
  return released;
end $$;

CREATE FUNCTION public.release_unproven_address(pro_id uuid, email text, of_booking_id uuid, of_job_id uuid) RETURNS void
    LANGUAGE sql
    AS $$
  update reviews set customer_email = 'unproven-' || id || '@hearth.invalid'
  where professional_id = pro_id and customer_email = email and booking_id is not distinct from of_booking_id
    and job_id is not distinct from of_job_id and status <> 'rejected' and proven_at is null and not verified
$$;

CREATE FUNCTION public.reminder_message(booking_id uuid, customer text, starts timestamp with time zone, remind_at timestamp with time zone) RETURNS TABLE(key text, kind text, recipient text, data jsonb, send_at timestamp with time zone)
    LANGUAGE sql STABLE ROWS 1
    AS $$
  select 'reminder:' || booking_id || ':' || iso_instant(starts), 'booking-reminder', customer,
    jsonb_build_object('startsAt', iso_instant(starts)), remind_at
$$;

CREATE FUNCTION public.request_messages(event public.outbox_events, as_of timestamp with time zone) RETURNS TABLE(key text, kind text, recipient text, data jsonb, send_at timestamp with time zone)
    LANGUAGE sql STABLE ROWS 1
    AS $$
  select 'event:' || event.id, 'new-request', a.email, jsonb_build_object('request', jsonb_build_object(
      'id', r.id, 'service', o.object #> '{service,name}', 'description', o.object -> 'description',
      'budget', o.object -> 'budget', 'timeline', o.object -> 'timeline', 'preferredDate', o.object -> 'preferredDate',
      'address', r.address, 'customer', jsonb_build_object('name', o.object #> '{customer,name}',
        'email', o.object #> '{customer,email}', 'phone', r.customer_phone))), as_of
  from (select (event).data -> 'object' as object) o
  join rfqs r on r.id = (event).aggregate_id
  join professionals p on p.id = (event).professional_id
  join accounts a on a.id = p.account_id
$$;

CREATE FUNCTION public.reschedule_booking(rescheduled_id uuid, on_day date, at_minute integer, at_instant timestamp with time zone, late boolean, as_of timestamp with time zone, base_url text, OUT outcome text, OUT booking json, OUT event_sequence integer, OUT next_available json) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  present bookings;
  pro professionals;
  day date;
  today date;
  starts timestamptz;
  ends timestamptz;
begin
  select b.* into present from bookings b where b.id = rescheduled_id;
  select p.* into pro from professionals p where p.id = present.professional_id and (p.active or p.test_account_id is not null);
  if pro.id is null then
    outcome := 'pro_not_found';
    return;
  end if;
  day := coalesce((at_instant at time zone pro.time_zone)::date, on_day);
  today := (as_of at time zone pro.time_zone)::date;
  if day not between today and today + 365 then
    outcome := 'date_out_of_range';
    return;
  end if;

  starts := coalesce(at_instant, local_instant(on_day, at_minute, pro.time_zone));
  if starts = present.starts_at then
    outcome := 'unchanged';
    booking := booking_object(present);
    return;
  end if;

  ends := starts + present.duration_minutes * interval '1 minute';
  outcome := 'slot_unavailable';
  if slot_fits(pro, day, starts, ends, as_of, rescheduled_id) then
    perform lapse_overlapping_holds(pro, starts, ends, as_of);
    begin
      update bookings b set
        starts_at = starts, ends_at = ends, buffer_minutes = pro.buffer_minutes,
        holds = tstzrange(starts, ends + pro.buffer_minutes * interval '1 minute'),
        moved_late = late,
        event_sequence = b.event_sequence + 1
      where b.professional_id = pro.id and b.id = rescheduled_id
      returning booking_object(b), b.event_sequence into booking, event_sequence;
      outcome := 'rescheduled';
    exception when exclusion_violation then
      -- A writer without the lock has booked the time.
      booking := null;
      event_sequence := null;
    end;
  end if;
  if outcome = 'slot_unavailable' then
    next_available := next_open_slot(pro, present.duration_minutes, day, as_of, base_url, rescheduled_id,
      present.service_id, present.package_id);
  end if;
end $$;

CREATE FUNCTION public.reschedule_to_agreed_start(rescheduled_id uuid, as_of timestamp with time zone, OUT outcome text, OUT booking json, OUT event_sequence integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  present bookings;
  pro professionals;
  starts timestamptz;
  ends timestamptz;
begin
  select b.* into present from bookings b where b.id = rescheduled_id;
  select p.* into pro from professionals p where p.id = present.professional_id;
  starts := agreed_start(present);
  ends := starts + present.duration_minutes * interval '1 minute';
  perform lapse_overlapping_holds(pro, starts, ends, as_of);
  update bookings b set
    starts_at = starts, ends_at = ends, holds = tstzrange(starts, ends + b.buffer_minutes * interval '1 minute'),
    event_sequence = b.event_sequence + 1
  where b.professional_id = pro.id and b.id = rescheduled_id
  returning booking_object(b), b.event_sequence into booking, event_sequence;
  outcome := 'rescheduled';
exception when exclusion_violation then
  outcome := 'conflict';
  booking := null;
  event_sequence := null;
end $$;

CREATE FUNCTION public.reservation_events(pro public.professionals, is_held boolean) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
  select case
    when is_held then '{booking.created}'
    when pro.requires_approval then '{booking.created,booking.pending_approval}'::text[]
    else '{booking.created,booking.confirmed}'
  end
$$;

CREATE FUNCTION public.reservation_limit(pro public.professionals, email text, max_unpaid integer, as_of timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return case
    when exists (
      select from customer_blocks k where k.professional_id = pro.id and k.email = reservation_limit.email)
      then 'customer_blocked'
    when max_unpaid <= (
      select count(*) from bookings b
      where b.professional_id = pro.id and b.customer_email = reservation_limit.email and is_unpaid(b, as_of))
      then 'too_many_unpaid'
  end;
end $$;

CREATE FUNCTION public.reserve_slot(visit public.wanted_visit, customer public.visit_customer, origin public.call_origin, request public.idempotent_request, terms public.booking_terms, ids public.booking_ids, as_of timestamp with time zone, base_url text, OUT outcome text, OUT booking json, OUT deposit_required boolean, OUT deposit_percentage numeric, OUT payment json, OUT next_available json, OUT replayed boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
  shown json;
begin
  replayed := false;
  if request.key is not null then
    answered := find_idempotent(origin.account_id, request.operation, request.key, request.hash, as_of);
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
          proven_at)
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
          case when customer.address_proof = 'proven' then as_of end)
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
  end attempt;

  if request.key is not null
    and outcome not in (
      'payments_not_configured', 'date_out_of_range', 'instant_booking_disabled', 'service_unpriced',
      'service_too_long', 'duration_fixed', 'too_many_unpaid', 'address_unproven') then
    perform keep_idempotent(origin.account_id, request.operation, request.key, request.hash,
      json_build_object('outcome', outcome, 'booking', booking, 'deposit_required', deposit_required,
        'deposit_percentage', deposit_percentage, 'payment', payment, 'next_available', next_available),
      as_of);
  end if;
end $$;

CREATE FUNCTION public.reserve_task(pro_id uuid, task_id uuid, task_kind text, deadline timestamp with time zone, as_of timestamp with time zone, OUT outcome text, OUT month_ends_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  ledger credit_ledgers := open_ledger(pro_id, as_of);
  allowance text := 'allowance ' || ledger.month;
  fund text;
begin
  if ledger.professional_id is null then
    return;
  end if;
  month_ends_at := ledger.month_ends_at;
  select t.status into outcome from metered_tasks t where t.professional_id = pro_id and t.id = task_id;
  if found then
    return;
  end if;
  if not exists (
    select from credit_accounts a where a.professional_id = pro_id and a.name = allowance and a.balance > 0) then
    perform grant_allowance(pro_id, ledger.month, p.plan, as_of) from professionals p where p.id = pro_id;
  end if;
  select a.name into fund from credit_accounts a
  where a.professional_id = pro_id and a.name in (allowance, 'prepaid') and a.balance > 0
  order by a.name = 'prepaid' limit 1;
  if fund is null then
    outcome := 'exhausted';
    return;
  end if;
  insert into metered_tasks (professional_id, id, kind, status, funded_by, reserved_at, deadline_at)
  values (pro_id, task_id, task_kind, 'reserved', fund, as_of, deadline);
  outcome := 'reserved';
end $$;

CREATE FUNCTION public.restored_copy() RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select r.target
  from (select nullif(concat_ws(', ',
    nullif(current_setting('hearth.restored', true), ''),
    'time ' || nullif(current_setting('recovery_target_time'), ''),
    'name ' || nullif(current_setting('recovery_target_name'), ''),
    'position ' || nullif(current_setting('recovery_target_lsn'), ''),
    'transaction ' || nullif(current_setting('recovery_target_xid'), ''),
    nullif(current_setting('recovery_target'), '')), '') as target) r
  where r.target is not null and not exists (select from restorations d where d.target = r.target)
$$;

CREATE FUNCTION public.returned_cents(pro_id uuid, paid_id uuid, except_refund uuid DEFAULT NULL::uuid) RETURNS integer
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select (
    (select coalesce(sum(r.amount_cents), 0) from payment_refunds r
     where r.professional_id = pro_id and r.payment_id = paid_id and r.status <> 'replaced'
       and r.id is distinct from except_refund)
    + (select coalesce(sum(d.amount_cents), 0) from payment_disputes d
       where d.professional_id = pro_id and d.payment_id = paid_id and d.state = 'lost'))::integer
$$;

CREATE TABLE public.review_stats (
    professional_id uuid NOT NULL,
    rated_1 integer NOT NULL,
    rated_2 integer NOT NULL,
    rated_3 integer NOT NULL,
    rated_4 integer NOT NULL,
    rated_5 integer NOT NULL,
    punctuality_sum integer NOT NULL,
    communication_sum integer NOT NULL,
    quality_sum integer NOT NULL,
    value_sum integer NOT NULL,
    punctuality_count integer DEFAULT 0 NOT NULL,
    communication_count integer DEFAULT 0 NOT NULL,
    quality_count integer DEFAULT 0 NOT NULL,
    value_count integer DEFAULT 0 NOT NULL,
    CONSTRAINT review_stats_rated_1_check CHECK ((rated_1 >= 0)),
    CONSTRAINT review_stats_rated_2_check CHECK ((rated_2 >= 0)),
    CONSTRAINT review_stats_rated_3_check CHECK ((rated_3 >= 0)),
    CONSTRAINT review_stats_rated_4_check CHECK ((rated_4 >= 0)),
    CONSTRAINT review_stats_rated_5_check CHECK ((rated_5 >= 0))
);

CREATE FUNCTION public.review_breakdown(stats public.review_stats) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select json_build_object(
    'punctuality', mean_score(stats.punctuality_sum, stats.punctuality_count),
    'communication', mean_score(stats.communication_sum, stats.communication_count),
    'quality', mean_score(stats.quality_sum, stats.quality_count),
    'value', mean_score(stats.value_sum, stats.value_count))
$$;

CREATE FUNCTION public.review_messages(event public.outbox_events, as_of timestamp with time zone) RETURNS TABLE(key text, kind text, recipient text, data jsonb, send_at timestamp with time zone)
    LANGUAGE sql STABLE ROWS 1
    AS $$
  select 'event:' || event.id, 'new-review', a.email, jsonb_build_object('rating', o.object -> 'rating',
      'title', o.object -> 'title', 'content', o.object -> 'content', 'author', o.object -> 'author', 'isPending', false),
    as_of
  from (select (event).data -> 'object' as object) o
  join professionals p on p.id = (event).professional_id
  join accounts a on a.id = p.account_id
$$;

CREATE FUNCTION public.review_object(review public.reviews, project text) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select json_build_object(
    'id', (review).id,
    'rating', (review).rating,
    'title', (review).title,
    'content', (review).content,
    'scores', json_build_object(
      'punctuality', coalesce((review).punctuality, (review).rating),
      'communication', coalesce((review).communication, (review).rating),
      'quality', coalesce((review).quality, (review).rating),
      'value', coalesce((review).value, (review).rating)),
    'scoresGiven', to_json(array_remove(array[
      case when (review).punctuality is not null then 'punctuality' end,
      case when (review).communication is not null then 'communication' end,
      case when (review).quality is not null then 'quality' end,
      case when (review).value is not null then 'value' end], null)),
    'author', published_name((review).customer_name),
    'isVerified', (review).verified,
    'helpful', json_build_object('yes', (review).helpful_yes, 'no', (review).helpful_no),
    'photos', (review).photos,
    'project', case when (review).job_id is not null then
      json_build_object('id', (review).job_id, 'title', coalesce(project, 'Project')) end,
    'proResponse', case when (review).response is not null then
      json_build_object('content', (review).response, 'date', iso_instant((review).responded_at)) end,
    'createdAt', iso_instant((review).created_at))
$$;

CREATE FUNCTION public.review_record(review public.reviews) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  return (
    select jsonb_build_object(
        'status', review.status,
        'bookingId', review.booking_id,
        'professional', jsonb_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name),
        'approvedAt', iso_instant(review.approved_at),
        'rejectedAt', iso_instant(review.rejected_at),
        'rejectionReason', review.rejection_reason)
      || review_object(review, s.name)::jsonb
      || jsonb_build_object(
        'author', case when strpos(review.customer_name, '@') > 0 then 'Customer' else review.customer_name end)
    from professionals p
    left join jobs j on j.professional_id = review.professional_id and j.id = review.job_id
    left join services s on s.id = j.service_id
    where p.id = review.professional_id);
end $$;

CREATE FUNCTION public.review_stats_object(stats public.review_stats) RETURNS json
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
declare
  total constant integer :=
    coalesce(stats.rated_1 + stats.rated_2 + stats.rated_3 + stats.rated_4 + stats.rated_5, 0);
begin
  return json_build_object(
    'average', mean_score(
      stats.rated_1 + 2 * stats.rated_2 + 3 * stats.rated_3 + 4 * stats.rated_4 + 5 * stats.rated_5, total),
    'total', total,
    'breakdown', review_breakdown(stats),
    'distribution', json_build_object(
      '1', coalesce(stats.rated_1, 0), '2', coalesce(stats.rated_2, 0), '3', coalesce(stats.rated_3, 0),
      '4', coalesce(stats.rated_4, 0), '5', coalesce(stats.rated_5, 0)));
end $$;

CREATE FUNCTION public.review_stats_source(p_ids uuid[]) RETURNS SETOF public.review_stats
    LANGUAGE sql STABLE
    AS $$
  select professional_id,
    (count(*) filter (where rating = 1))::integer, (count(*) filter (where rating = 2))::integer,
    (count(*) filter (where rating = 3))::integer, (count(*) filter (where rating = 4))::integer,
    (count(*) filter (where rating = 5))::integer,
    coalesce(sum(punctuality), 0)::integer, coalesce(sum(communication), 0)::integer,
    coalesce(sum(quality), 0)::integer, coalesce(sum(value), 0)::integer,
    count(punctuality)::integer, count(communication)::integer, count(quality)::integer, count(value)::integer
  from reviews
  where status = 'approved' and (p_ids is null or professional_id = any (p_ids))
  group by professional_id
$$;

CREATE FUNCTION public.rfq_object(rfq public.rfqs, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  return (
    select json_build_object(
      'id', rfq.id,
      'status', rfq.status,
      'description', rfq.description,
      'budget', rfq.budget,
      'service', case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end,
      'professional', json_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name),
      'quotesReceived', (
        select count(*) from quotes q
        where q.professional_id = rfq.professional_id and q.rfq_id = rfq.id and q.status <> 'draft'),
      'latestQuote', (
        select json_build_object('amount', dollars(q.amount_cents), 'status', quote_status(q, as_of))
        from quotes q
        where q.professional_id = rfq.professional_id and q.rfq_id = rfq.id and q.status <> 'draft'
        order by q.sent_at desc, q.id desc limit 1),
      'createdAt', iso_instant(rfq.created_at))
    from professionals p
    left join services s on s.id = rfq.service_id
    where p.id = rfq.professional_id
  );
end $$;

CREATE FUNCTION public.rfq_receipt(rfq public.rfqs) RETURNS json
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    AS $$
begin
  return (
    select json_build_object(
      'id', rfq.id,
      'status', rfq.status,
      'description', rfq.description,
      'budget', rfq.budget,
      'timeline', rfq.timeline,
      'preferredDate', rfq.preferred_date,
      'service', case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end,
      'professional', json_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name,
        'instantBookingEnabled', has_bookable_service(p)),
      'customer', json_build_object('name', rfq.customer_name, 'email', rfq.customer_email),
      'createdAt', iso_instant(rfq.created_at))
    from professionals p
    left join services s on s.id = rfq.service_id
    where p.id = rfq.professional_id
  );
end $$;

CREATE FUNCTION public.save_role_settings(settings jsonb) RETURNS SETOF text
    LANGUAGE plpgsql
    AS $$
declare
  setting record;
begin
  -- Concurrent changes of one role fail.
  perform pg_advisory_xact_lock(hashtextextended('role settings', 0));
  for setting in
    select key as name, value from jsonb_each_text(settings)
    where key || '=' || value not in (
      select unnest(setconfig) from pg_db_role_setting
      where setrole = (select oid from pg_roles where rolname = current_user)
        and setdatabase = (select oid from pg_database where datname = current_database()))
    order by key
  loop
    execute format('alter role %I in database %I set %I = %L',
      current_user, current_database(), setting.name, setting.value);
    return next setting.name;
  end loop;
end
$$;

CREATE FUNCTION public.search_bands(facet smallint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case when facet = 0 then 32 when facet < 100 then 16 else 8 end
$$;

CREATE TABLE public.services (
    id uuid NOT NULL,
    ordinal smallint NOT NULL,
    category_id uuid NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    description text,
    price_type text NOT NULL,
    unit text,
    duration_minutes integer NOT NULL,
    active boolean DEFAULT true NOT NULL,
    at_customer boolean DEFAULT true NOT NULL,
    synonyms text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT services_check CHECK (((price_type = 'flat'::text) = (unit IS NULL))),
    CONSTRAINT services_duration_minutes_check CHECK ((((duration_minutes >= 15) AND (duration_minutes <= 720)) AND ((duration_minutes % 5) = 0))),
    CONSTRAINT services_ordinal_range CHECK ((ordinal >= 100)),
    CONSTRAINT services_price_type_check CHECK ((price_type = ANY (ARRAY['flat'::text, 'hourly'::text, 'per_unit'::text])))
);

CREATE FUNCTION public.search_booking_path(searched public.services) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select '/book' || coalesce('?service=' || searched.id, '')
$$;

CREATE FUNCTION public.search_categories_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_search(array(
    select distinct ps.professional_id
    from new_rows n join old_rows o on o.id = n.id
    join services s on s.category_id = n.id join professional_services ps on ps.service_id = s.id
    where (n.ordinal, n.name) is distinct from (o.ordinal, o.name)));
  return null;
end $$;

CREATE FUNCTION public.search_cell(facet smallint, size smallint, latitude double precision, longitude double precision) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select (((facet::bigint << 1 | size) << 14
      | floor((latitude + 90) * search_bands(facet) / (1 << 3 * size))::bigint) << 15)
    | (floor((longitude + 180) * 32768)::bigint % 11796480) * search_bands(facet) / (32768 << 3 * size)
$$;

CREATE FUNCTION public.search_cities_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_search(array(
    select p.id from new_rows n join old_rows o on o.id = n.id join professionals p on p.city_id = n.id
    where (n.name, n.state) is distinct from (o.name, o.state)));
  return null;
end $$;

CREATE FUNCTION public.search_count(pros integer, verified integer, instant integer, verified_instant integer, mask integer, want integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case mask * 4 + want
    when 0 then pros
    when 5 then verified when 4 then pros - verified
    when 10 then instant when 8 then pros - instant
    when 15 then verified_instant when 13 then verified - verified_instant when 14 then instant - verified_instant
    else pros - verified - instant + verified_instant end
$$;

CREATE FUNCTION public.search_counts(p_row public.pro_search) RETURNS TABLE(facet smallint, area integer, cell bigint, verified integer, instant integer)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select f, counter.area, counter.cell, (p_row).flags & 1, (f = any ((p_row).bookable))::integer
  from (
    select st_y((p_row).position::geometry) as latitude, st_x((p_row).position::geometry) as longitude offset 0
  ) at
  cross join unnest((p_row).facets) f
  cross join lateral (values
    (0, null::bigint), (-(p_row).state::integer, null), ((p_row).city_id, null),
    (null::integer, search_cell(f, 0::smallint, at.latitude, at.longitude)),
    (null, search_cell(f, 1::smallint, at.latitude, at.longitude))
  ) counter (area, cell)
$$;

CREATE TABLE public.pro_search_entry (
    place bigint NOT NULL,
    standing bigint NOT NULL,
    professional_id uuid NOT NULL,
    slot integer NOT NULL,
    city_id integer NOT NULL,
    facet smallint NOT NULL,
    state smallint NOT NULL,
    flags smallint NOT NULL,
    "position" public.geometry(PointZ) NOT NULL
);

CREATE FUNCTION public.search_entries(p_row public.pro_search) RETURNS SETOF public.pro_search_entry
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select search_place(f, at.latitude, at.longitude),
    (p_row).standing, (p_row).professional_id, (p_row).slot, (p_row).city_id, f, (p_row).state,
    (((p_row).flags & 1) | ((f = any ((p_row).bookable))::integer << 1))::smallint,
    search_position(at.latitude, at.longitude)
  from (
    select st_y((p_row).position::geometry) as latitude, st_x((p_row).position::geometry) as longitude offset 0
  ) at
  cross join unnest((p_row).facets) f
$$;

CREATE FUNCTION public.search_metres(chord double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select round(asin(least(chord / 2, 1)) * (2 * 6371008.771415059 * 1e6)) / 1e6
$$;

CREATE FUNCTION public.search_offer(offer public.professional_services, minutes integer, is_bookable boolean) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select concat('"pricing":{"type":"', offer.price_type,
    '","basePrice":', coalesce(dollars(offer.base_price_cents)::text, 'null'),
    ',"min":', coalesce(dollars(offer.min_price_cents)::text, 'null'),
    ',"max":', coalesce(dollars(offer.max_price_cents)::text, 'null'),
    ',"unit":', coalesce(to_json(offer.unit)::text, 'null'), ',"currency":"', offer.currency,
    '"},"booking":{"durationMinutes":', minutes, ',"instantBookEnabled":', is_bookable::text, '}}')
$$;

CREATE FUNCTION public.search_offers_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_search(array(select distinct professional_id from old_rows));
  return null;
end $$;

CREATE FUNCTION public.search_offers_inserted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_search(array(select distinct professional_id from new_rows));
  return null;
end $$;

CREATE FUNCTION public.search_offers_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_search(array(select professional_id from new_rows union select professional_id from old_rows));
  return null;
end $$;

CREATE FUNCTION public.search_place(facet smallint, latitude double precision, longitude double precision) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select ((facet::bigint << 14 | floor((latitude + 90) * search_bands(facet))::bigint) << 24)
    | (floor((longitude + 180) * 32768)::bigint % 11796480)
$$;

CREATE FUNCTION public.search_position(latitude double precision, longitude double precision) RETURNS public.geometry
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select st_makepoint(
    cos(radians(latitude)) * cos(radians(longitude)), cos(radians(latitude)) * sin(radians(longitude)), sin(radians(latitude)))
$$;

CREATE FUNCTION public.search_pro_rows(p_ids uuid[]) RETURNS TABLE(professional_id uuid, slug text, doc text, "position" public.geography, flags smallint, city_id integer, state smallint, standing bigint, facets smallint[], bookable smallint[], offers text[])
    LANGUAGE sql STABLE
    AS $$
  select p.id, p.slug,
    concat('{"id":"', p.id, '","slug":"', p.slug, '","businessName":', to_json(p.business_name),
      ',"description":', coalesce(to_json(p.description)::text, 'null'),
      ',"verified":', p.verified::text,
      ',"rating":', coalesce(trim_scale(round(p.rating_sum::numeric / nullif(p.review_count, 0), 2))::text, 'null'),
      ',"reviewCount":', p.review_count,
      ',"categories":[', offered.categories, '],"services":[', offered.services,
      '],"pricing":', case when offered.min_cents is null then 'null' else
        concat('{"min":', dollars(offered.min_cents), ',"max":', dollars(offered.max_cents), ',"currency":"USD"}') end,
      ',"location":{"city":', to_json(c.name), ',"state":"', c.state,
      '","latitude":', p.latitude, ',"longitude":', p.longitude,
      '},"instantBookingEnabled":', (offered.bookable is not null)::text),
    st_point(p.longitude, p.latitude, 4326)::geography,
    (p.verified::integer | ((offered.bookable is not null)::integer << 1))::smallint,
    p.city_id, st.ordinal, search_standing(p.rating_sum, p.review_count),
    coalesce(offered.facets, '{0}'), coalesce(offered.bookable, '{}'), coalesce(offered.offers, '{null}')
  from professionals p
  join cities c on c.id = p.city_id
  join states st on st.code = c.state
  left join (
    select pro.id as professional_id,
      string_agg(distinct to_json(k.name)::text, ',') as categories,
      string_agg(concat('{"id":"', s.id, '","name":', to_json(s.name), ',"slug":"', s.slug, '"}'), ','
        order by s.ordinal) as services,
      -- Prices of different units are not comparable: the range covers prices per visit only.
      min(least(ps.min_price_cents, ps.base_price_cents, ps.max_price_cents))
        filter (where ps.price_type = 'flat') as min_cents,
      max(greatest(ps.min_price_cents, ps.base_price_cents, ps.max_price_cents))
        filter (where ps.price_type = 'flat') as max_cents,
      array[0::smallint] || array_agg(distinct k.ordinal) || array_agg(s.ordinal order by s.ordinal) as facets,
      case when bool_or(is_bookable) then array[0::smallint] || array_agg(distinct k.ordinal) filter (where is_bookable)
        || array_agg(s.ordinal order by s.ordinal) filter (where is_bookable) end as bookable,
      -- Nulls for the facets before the services.
      array_fill(null::text, array[1 + count(distinct k.ordinal)::integer])
        || array_agg(with_deposit(search_offer(ps, minutes, is_bookable), case when is_bookable then
          deposit_for(pro, coalesce(ps.base_price_cents, ps.min_price_cents)) end) order by s.ordinal) as offers
    from professionals pro
    join professional_services ps on ps.professional_id = pro.id
    join services s on s.id = ps.service_id and s.active
    join categories k on k.id = s.category_id
    cross join lateral (select service_minutes(ps, s) as minutes) length
    cross join lateral (select booking_obstacle(pro, ps, minutes) is null as is_bookable) obstacle
    where pro.id = any (p_ids)
    group by pro.id
  ) offered on offered.professional_id = p.id
  where p.active and p.id = any (p_ids)
$$;

CREATE FUNCTION public.search_pros_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_search(array(select id from old_rows));
  return null;
end $$;

CREATE FUNCTION public.search_pros_inserted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_search(array(select id from new_rows));
  return null;
end $$;

CREATE FUNCTION public.search_pros_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_search(array(
    select n.id from new_rows n join old_rows o on o.id = n.id
    where (n.slug, n.business_name, n.description, n.active, n.verified, n.city_id,
        n.latitude, n.longitude, n.review_count, n.rating_sum, n.instant_booking_enabled, n.deposit_required,
        n.deposit_percentage, n.longest_interval_minutes)
      is distinct from (o.slug, o.business_name, o.description, o.active, o.verified, o.city_id,
        o.latitude, o.longitude, o.review_count, o.rating_sum, o.instant_booking_enabled, o.deposit_required,
        o.deposit_percentage, o.longest_interval_minutes)));
  return null;
end $$;

CREATE FUNCTION public.search_result(doc text, offers text[], facets smallint[], facet smallint, head text, metres double precision, slug text, flags smallint, booking_path text, base_url text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select doc || (
    coalesce(head || offers[array_position(facets, facet)], ',"matchedService":null')
    || ',"distance":' || coalesce(round(metres / 1609.344 * 100) / 100 || '', 'null')
    || ',"profileUrl":"' || base_url || '/pros/' || slug
    || case when flags & 2 = 2 then '","bookingUrl":"' || base_url || '/pros/' || slug || booking_path || '"}'
      else '","bookingUrl":null}' end)
$$;

CREATE FUNCTION public.search_service_head(searched public.services) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select ',"matchedService":{"id":"' || searched.id || '","name":' || to_json(searched.name) || ',"slug":"' || searched.slug || '",'
$$;

CREATE FUNCTION public.search_services_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_search(array(
    select distinct ps.professional_id
    from new_rows n join old_rows o on o.id = n.id join professional_services ps on ps.service_id = n.id
    where (n.ordinal, n.category_id, n.name, n.slug, n.active, n.duration_minutes)
      is distinct from (o.ordinal, o.category_id, o.name, o.slug, o.active, o.duration_minutes)));
  return null;
end $$;

CREATE FUNCTION public.search_standing(rating_sum integer, review_count integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select floor((rating_sum + 40) / (review_count + 10)::double precision * 1e9)::bigint << 22
    | least(review_count, 4194303)
$$;

CREATE FUNCTION public.service_minutes(offer public.professional_services, service public.services) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select coalesce(offer.duration_minutes, service.duration_minutes)
$$;

CREATE FUNCTION public.settle_job_revenue() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform settle_revenue(array(
    select y.id from payments y where y.professional_id = new.professional_id and y.quote_id = new.quote_id));
  return null;
end $$;

CREATE FUNCTION public.settle_payment_revenue() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform settle_revenue(array[new.payment_id]);
  return null;
end $$;

CREATE FUNCTION public.settle_revenue(paid_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform from payments y where y.id = any (paid_ids) order by y.id for update;
  update payments y set revenue_cents = payment_revenue_cents(y)
  where y.id = any (paid_ids) and y.revenue_cents <> payment_revenue_cents(y);
end $$;

CREATE FUNCTION public.slot_fits(pro public.professionals, day date, starts_at timestamp with time zone, ends_at timestamp with time zone, as_of timestamp with time zone, except_booking uuid DEFAULT NULL::uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
begin
  return starts_at is not null
    and exists (
      select from working_time(pro.business_hours, day, pro.time_zone) w
      where w.opens_at <= starts_at and ends_at <= w.closes_at)
    and slot_is_open(starts_at, ends_at, earliest_start(pro, as_of),
      busy_time(pro.id, pro.buffer_minutes, tstzrange(starts_at, ends_at), as_of, except_booking));
end $$;

CREATE FUNCTION public.slot_is_open(starts_at timestamp with time zone, ends_at timestamp with time zone, earliest timestamp with time zone, busy tstzmultirange) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select starts_at >= earliest and not tstzrange(starts_at, ends_at) && busy
$$;

CREATE FUNCTION public.slot_text(starts_at timestamp with time zone, starts text, ends text, available boolean) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select '{"start":"' || starts || '","end":"' || ends || '","startDateTime":"' || iso_second(starts_at)
    || '","available":' || available || '}'
$$;

CREATE FUNCTION public.start_payment(payment_id uuid, booking public.bookings, fee_cents integer, deposit_cents integer, provider text, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
begin
  insert into payments (
    id, booking_id, professional_id, status, fee_cents, deposit_cents, amount_cents, provider, expires_at, created_at)
  values (
    payment_id, booking.id, booking.professional_id, 'requires_payment', fee_cents, deposit_cents,
    fee_cents + deposit_cents, provider, booking.hold_expires_at, as_of);
  return json_build_object('id', payment_id, 'amountCents', fee_cents + deposit_cents, 'currency', 'USD',
    'expiresAt', iso_instant(booking.hold_expires_at));
end $$;

CREATE FUNCTION public.test_account(wanted_id uuid) RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select a.id from accounts a where a.id = wanted_id and a.test_of is not null
$$;

CREATE FUNCTION public.told_start(wanted_id uuid, sequence integer) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select m.data #>> '{booking,startsAt}' from messages m
  where m.booking_id = wanted_id and (m.data #>> '{booking,sequence}')::integer = told_start.sequence limit 1
$$;

CREATE FUNCTION public.uncount_review() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update professionals set review_count = review_count - 1, rating_sum = rating_sum - old.rating
  where id = old.professional_id;
  update review_stats s set
    rated_1 = s.rated_1 - (old.rating = 1)::integer, rated_2 = s.rated_2 - (old.rating = 2)::integer,
    rated_3 = s.rated_3 - (old.rating = 3)::integer, rated_4 = s.rated_4 - (old.rating = 4)::integer,
    rated_5 = s.rated_5 - (old.rating = 5)::integer,
    punctuality_sum = s.punctuality_sum - coalesce(old.punctuality, 0),
    communication_sum = s.communication_sum - coalesce(old.communication, 0),
    quality_sum = s.quality_sum - coalesce(old.quality, 0), value_sum = s.value_sum - coalesce(old.value, 0),
    punctuality_count = s.punctuality_count - (old.punctuality is not null)::integer,
    communication_count = s.communication_count - (old.communication is not null)::integer,
    quality_count = s.quality_count - (old.quality is not null)::integer,
    value_count = s.value_count - (old.value is not null)::integer
  where s.professional_id = old.professional_id;
  return null;
end $$;

CREATE FUNCTION public.verify_reviews() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update reviews r set verified = true
  where professional_id = new.professional_id and not verified and proven_at is not null
    and (booking_id = new.id or job_id = new.id) and is_of_completed_work(r);
  return null;
end $$;

CREATE FUNCTION public.visit_minutes(pro public.professionals, job public.jobs) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select least(coalesce(o.duration_minutes, s.duration_minutes), pro.longest_interval_minutes / 5 * 5)
    from services s
    left join professional_services o on o.professional_id = pro.id and o.service_id = s.id
    where s.id = job.service_id and pro.longest_interval_minutes >= 15);
end $$;

CREATE FUNCTION public.webhook_body(event_id uuid, type text, created_at timestamp with time zone, sequence integer, data jsonb) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select json_build_object('id', public_event_id(event_id), 'type', type, 'createdAt', iso_instant(created_at),
    'sequence', sequence, 'data', data)::text
$$;

CREATE TABLE public.webhook_events (
    id uuid NOT NULL,
    type text NOT NULL,
    body text NOT NULL,
    traceparent text,
    created_at timestamp with time zone NOT NULL,
    aggregate_id uuid,
    customer_url text,
    customer_account_id uuid
);

CREATE FUNCTION public.webhook_body_for(event public.webhook_events, account uuid) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select case when (event).customer_account_id = account
    then overlay((event).body placing '"data" : {"object": {"customerUrl": ' || to_json((event).customer_url) || ', '
      from position('"data" : {"object": {' in (event).body) for length('"data" : {"object": {'))
    else (event).body end
$$;

CREATE FUNCTION public.with_deposit(offer text, deposit_cents integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case when deposit_cents > 0 then concat(left(offer, -2), ',"deposit":', dollars(deposit_cents), '}}') else offer end
$$;

CREATE FUNCTION public.working_time(business_hours jsonb, day date, zone text) RETURNS TABLE(from_minute integer, to_minute integer, opens_at timestamp with time zone, closes_at timestamp with time zone)
    LANGUAGE sql STABLE ROWS 2 PARALLEL SAFE
    AS $$
  select h.from_minute, h.to_minute, clock_reaches(day, h.from_minute, zone), clock_reaches(day, h.to_minute, zone)
  from (
    select clock_minute(hours ->> 'start') as from_minute, clock_minute(hours ->> 'end') as to_minute
    from jsonb_array_elements(business_hours -> to_char(day, 'fmday')) hours
    offset 0
  ) h
$$;

CREATE FUNCTION public.write_credit_notices(notice_ids uuid[], as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  due record;
  written integer := 0;
begin
  for due in
    select l.professional_id, l.notice_due, l.full_tasks, l.month, l.month_ends_at from credit_ledgers l
    where l.notice_due is not null and l.month_ends_at > as_of
    order by l.professional_id limit cardinality(notice_ids) for update skip locked
  loop
    written := written + 1;
    insert into notices (id, account_id, kind, data, created_at)
    select notice_ids[written], p.account_id,
      case due.notice_due when 0 then 'agent_tasks_exhausted' else 'agent_tasks_low' end,
      jsonb_build_object('month', due.month, 'resetsAt', iso_instant(due.month_ends_at), 'of', due.full_tasks,
        'left', (
          select coalesce(sum(a.balance), 0) from credit_accounts a
          where a.professional_id = due.professional_id and a.name in ('prepaid', 'allowance ' || due.month))),
      as_of
    from professionals p where p.id = due.professional_id;
    if due.notice_due = 0 then
      insert into messages (key, kind, recipient, data, professional_id, send_at, next_attempt_at, created_at)
      select 'notice:' || notice_ids[written], 'tasks-used-up', a.email, jsonb_build_object(
          'allowance', plan_allowance(p.plan), 'renewsAt', iso_instant(due.month_ends_at), 'timeZone', p.time_zone),
        p.id, as_of, as_of, as_of
      from professionals p join accounts a on a.id = p.account_id where p.id = due.professional_id
      on conflict on constraint messages_once do nothing;
    end if;
    update credit_ledgers l set notice_due = null where l.professional_id = due.professional_id;
  end loop;
  return written;
end $$;

CREATE FUNCTION public.zone_offset(at timestamp with time zone, zone text) RETURNS integer
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select extract(epoch from (at at time zone zone) - (at at time zone 'UTC'))::integer
$$;

CREATE FUNCTION public.zone_offsets(zone text, since timestamp with time zone, until timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
declare
  changes text := '';
  shown integer;
  reached timestamptz := since;
  ahead timestamptz;
  low timestamptz;
  high timestamptz;
begin
  shown := zone_offset(since, zone);
  changes := format('[%s,%s]', (extract(epoch from since) * 1000)::bigint, shown * 1000);
  while reached < until loop
    ahead := reached + interval '192 hours';
    if zone_offset(ahead, zone) <> shown then
      low := reached;
      high := ahead;
      while high - low > interval '1 second' loop
        ahead := date_trunc('second', low + (high - low) / 2);
        if zone_offset(ahead, zone) = shown then
          low := ahead;
        else
          high := ahead;
        end if;
      end loop;
      ahead := high;
      shown := zone_offset(high, zone);
      changes := changes || format(',[%s,%s]', (extract(epoch from high) * 1000)::bigint, shown * 1000);
    end if;
    reached := ahead;
  end loop;
  return json_build_object('name', zone, 'until', (extract(epoch from until) * 1000)::bigint,
    'changes', format('[%s]', changes)::json);
end $$;

CREATE TABLE public.accounts (
    id uuid NOT NULL,
    kind text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    test_of uuid,
    CONSTRAINT accounts_email_check CHECK (((email = lower((email COLLATE "C"))) AND ((length(email) >= 3) AND (length(email) <= 320)))),
    CONSTRAINT accounts_kind_check CHECK ((kind = ANY (ARRAY['developer'::text, 'pro'::text, 'client'::text, 'customer'::text]))),
    CONSTRAINT accounts_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

CREATE TABLE public.agent_runs (
    professional_id uuid NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    kind text NOT NULL,
    thread_id uuid,
    goal_position integer,
    goal text NOT NULL,
    status text NOT NULL,
    attempt smallint DEFAULT 0 NOT NULL,
    held_until timestamp with time zone,
    model text,
    answer text,
    failure text,
    step_count smallint DEFAULT 0 NOT NULL,
    input_tokens integer DEFAULT 0 NOT NULL,
    output_tokens integer DEFAULT 0 NOT NULL,
    traceparent text,
    queued_at timestamp with time zone NOT NULL,
    deadline_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT agent_runs_answer_check CHECK (((length(answer) >= 1) AND (length(answer) <= 5000))),
    CONSTRAINT agent_runs_attempt_check CHECK ((attempt >= 0)),
    CONSTRAINT agent_runs_chat CHECK (((kind = 'run_agent'::text) OR (thread_id IS NOT NULL))),
    CONSTRAINT agent_runs_check CHECK ((deadline_at > queued_at)),
    CONSTRAINT agent_runs_failure_check CHECK ((failure ~ '^[a-z_]{1,50}$'::text)),
    CONSTRAINT agent_runs_goal CHECK (((thread_id IS NULL) = (goal_position IS NULL))),
    CONSTRAINT agent_runs_goal_check CHECK (((length(goal) >= 1) AND (length(goal) <= 5000))),
    CONSTRAINT agent_runs_input_tokens_check CHECK ((input_tokens >= 0)),
    CONSTRAINT agent_runs_kind_check CHECK ((kind = ANY (ARRAY['run_agent'::text, 'chat_on_thread'::text]))),
    CONSTRAINT agent_runs_model_check CHECK (((length(model) >= 1) AND (length(model) <= 200))),
    CONSTRAINT agent_runs_output_tokens_check CHECK ((output_tokens >= 0)),
    CONSTRAINT agent_runs_started CHECK ((((started_at IS NULL) = (attempt = 0)) AND ((started_at IS NULL) = (model IS NULL)))),
    CONSTRAINT agent_runs_state CHECK ((((status = 'running'::text) = (held_until IS NOT NULL)) AND ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (finished_at IS NULL)) AND ((status = 'succeeded'::text) = (answer IS NOT NULL)) AND ((status = ANY (ARRAY['failed'::text, 'cancelled'::text])) = (failure IS NOT NULL)) AND
CASE status
    WHEN 'queued'::text THEN (started_at IS NULL)
    WHEN 'cancelled'::text THEN true
    ELSE (started_at IS NOT NULL)
END)),
    CONSTRAINT agent_runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT agent_runs_step_count_check CHECK ((step_count >= 0))
);

CREATE TABLE public.agent_steps (
    professional_id uuid NOT NULL,
    run_id uuid NOT NULL,
    number smallint NOT NULL,
    turn smallint NOT NULL,
    call_id text NOT NULL,
    remark text,
    tool text NOT NULL,
    input text NOT NULL,
    status text NOT NULL,
    result text,
    summary text,
    duration_ms integer,
    input_tokens integer DEFAULT 0 NOT NULL,
    output_tokens integer DEFAULT 0 NOT NULL,
    planned_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT agent_steps_call_id_check CHECK (((length(call_id) >= 1) AND (length(call_id) <= 200))),
    CONSTRAINT agent_steps_check CHECK (((turn >= 1) AND (turn <= number))),
    CONSTRAINT agent_steps_duration_ms_check CHECK ((duration_ms >= 0)),
    CONSTRAINT agent_steps_input_check CHECK ((length(input) <= 20000)),
    CONSTRAINT agent_steps_input_tokens_check CHECK ((input_tokens >= 0)),
    CONSTRAINT agent_steps_number_check CHECK (((number >= 1) AND (number <= 100))),
    CONSTRAINT agent_steps_output_tokens_check CHECK ((output_tokens >= 0)),
    CONSTRAINT agent_steps_remark_check CHECK (((length(remark) >= 1) AND (length(remark) <= 5000))),
    CONSTRAINT agent_steps_result_check CHECK ((length(result) <= 20000)),
    CONSTRAINT agent_steps_state CHECK ((((status = 'planned'::text) = (result IS NULL)) AND ((result IS NULL) = (summary IS NULL)) AND ((result IS NULL) = (duration_ms IS NULL)) AND ((result IS NULL) = (finished_at IS NULL)))),
    CONSTRAINT agent_steps_status_check CHECK ((status = ANY (ARRAY['planned'::text, 'done'::text, 'refused'::text]))),
    CONSTRAINT agent_steps_summary_check CHECK (((length(summary) >= 1) AND (length(summary) <= 500))),
    CONSTRAINT agent_steps_tool_check CHECK (((length(tool) >= 1) AND (length(tool) <= 100)))
);

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    name text NOT NULL,
    mode text NOT NULL,
    hash bytea NOT NULL,
    last_four text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    origin text,
    rate_multiplier numeric DEFAULT 1 NOT NULL,
    replaced_by uuid,
    is_grant boolean DEFAULT false NOT NULL,
    CONSTRAINT api_keys_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT api_keys_last_four_check CHECK ((length(last_four) = 4)),
    CONSTRAINT api_keys_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT api_keys_origin_check CHECK ((origin ~ '^https?://[^/?#]+$'::text)),
    CONSTRAINT api_keys_rate_multiplier_check CHECK (((rate_multiplier > (0)::numeric) AND (rate_multiplier <= (1000000)::numeric))),
    CONSTRAINT api_keys_scopes_check CHECK ((cardinality(scopes) > 0)),
    CONSTRAINT api_keys_widget_origin CHECK (((origin IS NOT NULL) OR (NOT (scopes && ARRAY['widget:public'::text, 'widget:book'::text]))))
);

CREATE TABLE public.booking_proposed_times (
    booking_id uuid NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    message text,
    created_at timestamp with time zone NOT NULL,
    declined_at timestamp with time zone,
    CONSTRAINT booking_proposed_times_check CHECK ((declined_at >= created_at)),
    CONSTRAINT booking_proposed_times_message_check CHECK ((length(message) <= 5000))
);

CREATE TABLE public.calendar_feeds (
    id uuid NOT NULL,
    professional_id uuid NOT NULL,
    member_id uuid,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT calendar_feeds_token_hash_check CHECK ((length(token_hash) = 32))
);

CREATE TABLE public.categories (
    id uuid NOT NULL,
    ordinal smallint NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    synonyms text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT categories_ordinal_range CHECK (((ordinal >= 1) AND (ordinal <= 99)))
);

CREATE TABLE public.cities (
    id integer NOT NULL,
    name text NOT NULL,
    state text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    time_zone text NOT NULL,
    population integer NOT NULL,
    CONSTRAINT cities_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT cities_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
    CONSTRAINT cities_population_check CHECK ((population >= 0))
);

CREATE TABLE public.credit_accounts (
    professional_id uuid NOT NULL,
    name text NOT NULL,
    balance bigint DEFAULT 0 NOT NULL,
    CONSTRAINT credit_accounts_balance CHECK (
CASE
    WHEN (name = ANY (ARRAY['granted'::text, 'sold'::text])) THEN (balance <= 0)
    ELSE (balance >= 0)
END),
    CONSTRAINT credit_accounts_name_check CHECK ((name ~ '^(granted|sold|prepaid|reserved|spent|allowance \d{4}-(0[1-9]|1[0-2]))$'::text))
);

CREATE TABLE public.credit_transfers (
    id bigint NOT NULL,
    professional_id uuid NOT NULL,
    kind text NOT NULL,
    from_account text NOT NULL,
    to_account text NOT NULL,
    amount integer NOT NULL,
    task_id uuid,
    reference text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT credit_transfers_amount CHECK ((amount > 0)),
    CONSTRAINT credit_transfers_cause CHECK (
CASE
    WHEN (kind = ANY (ARRAY['grant'::text, 'top_up'::text])) THEN ((reference IS NOT NULL) AND (task_id IS NULL))
    ELSE ((task_id IS NOT NULL) AND (reference IS NULL) AND (amount = 1))
END),
    CONSTRAINT credit_transfers_kind CHECK (
CASE kind
    WHEN 'grant'::text THEN ((from_account = 'granted'::text) AND (to_account ~~ 'allowance %'::text))
    WHEN 'top_up'::text THEN ((from_account = 'sold'::text) AND (to_account = 'prepaid'::text))
    WHEN 'reserve'::text THEN (((from_account = 'prepaid'::text) OR (from_account ~~ 'allowance %'::text)) AND (to_account = 'reserved'::text))
    WHEN 'settle'::text THEN ((from_account = 'reserved'::text) AND (to_account = 'spent'::text))
    WHEN 'release'::text THEN ((from_account = 'reserved'::text) AND ((to_account = 'prepaid'::text) OR (to_account ~~ 'allowance %'::text)))
    ELSE false
END),
    CONSTRAINT credit_transfers_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 200)))
);

CREATE VIEW public.credit_legs AS
 SELECT credit_transfers.id AS transfer_id,
    credit_transfers.professional_id,
    credit_transfers.from_account AS account,
    (- credit_transfers.amount) AS amount
   FROM public.credit_transfers
UNION ALL
 SELECT credit_transfers.id AS transfer_id,
    credit_transfers.professional_id,
    credit_transfers.to_account AS account,
    credit_transfers.amount
   FROM public.credit_transfers;

ALTER TABLE public.credit_transfers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.credit_transfers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.customer_blocks (
    professional_id uuid NOT NULL,
    email text NOT NULL,
    reason text,
    created_at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    CONSTRAINT customer_blocks_email_check CHECK (((email = lower((email COLLATE "C"))) AND ((length(email) >= 3) AND (length(email) <= 320)))),
    CONSTRAINT customer_blocks_reason_check CHECK ((length(reason) <= 5000))
);

CREATE TABLE public.customer_erasures (
    id uuid NOT NULL,
    email_digest text NOT NULL,
    pseudonym text NOT NULL,
    requested_by text NOT NULL,
    erased_at timestamp with time zone NOT NULL,
    counts jsonb NOT NULL,
    look_again_at timestamp with time zone,
    CONSTRAINT customer_erasures_counts_check CHECK ((jsonb_typeof(counts) = 'object'::text)),
    CONSTRAINT customer_erasures_email_digest_check CHECK ((length(email_digest) = 43)),
    CONSTRAINT customer_erasures_requested_by_check CHECK (((length(requested_by) >= 1) AND (length(requested_by) <= 200)))
);

CREATE TABLE public.customer_sessions (
    token_hash bytea NOT NULL,
    account_id uuid NOT NULL,
    email text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT customer_sessions_check CHECK ((expires_at <= ends_at)),
    CONSTRAINT customer_sessions_email_check CHECK ((email = lower((email COLLATE "C")))),
    CONSTRAINT customer_sessions_token_hash_check CHECK ((length(token_hash) = 32))
);

CREATE TABLE public.customers (
    account_id uuid NOT NULL,
    email text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT customers_email_check CHECK (((email = lower((email COLLATE "C"))) AND ((length(email) >= 3) AND (length(email) <= 320))))
);

CREATE TABLE public.dead_letters (
    id uuid NOT NULL,
    actor text NOT NULL,
    message_id text NOT NULL,
    data jsonb NOT NULL,
    error text NOT NULL,
    attempts integer NOT NULL,
    traceparent text,
    failed_at timestamp with time zone NOT NULL,
    retried_at timestamp with time zone,
    CONSTRAINT dead_letters_attempts_check CHECK ((attempts > 0))
);

CREATE TABLE public.erasure_requests (
    account_id uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    open_work jsonb,
    CONSTRAINT erasure_requests_attempts_check CHECK ((attempts >= 0))
);

CREATE TABLE public.former_time_zones (
    professional_id uuid NOT NULL,
    until timestamp with time zone NOT NULL,
    time_zone text NOT NULL
);

CREATE TABLE public.idempotency_records (
    account_id uuid NOT NULL,
    operation text NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    result json NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotency_records_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
    CONSTRAINT idempotency_records_request_hash_check CHECK ((length(request_hash) = 32))
);

CREATE TABLE public.imported_busy (
    professional_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT imported_busy_check CHECK (((starts_at < ends_at) AND (ends_at <= (starts_at + '24:00:00'::interval))))
);

CREATE TABLE public.imported_conflicts (
    calendar_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    told_at timestamp with time zone NOT NULL
);

CREATE TABLE public.key_usage (
    key_id uuid NOT NULL,
    day date NOT NULL,
    requests bigint NOT NULL,
    refused bigint DEFAULT 0 NOT NULL,
    limited bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    CONSTRAINT key_usage_parts CHECK (((refused >= 0) AND (limited >= 0) AND (failed >= 0) AND (((refused + limited) + failed) <= requests))),
    CONSTRAINT key_usage_requests_check CHECK ((requests > 0))
)
PARTITION BY RANGE (day);

CREATE TABLE public.key_usage_default (
    key_id uuid NOT NULL,
    day date NOT NULL,
    requests bigint NOT NULL,
    refused bigint DEFAULT 0 NOT NULL,
    limited bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    CONSTRAINT key_usage_parts CHECK (((refused >= 0) AND (limited >= 0) AND (failed >= 0) AND (((refused + limited) + failed) <= requests))),
    CONSTRAINT key_usage_requests_check CHECK ((requests > 0))
);

CREATE TABLE public.mailbox (
    id bigint NOT NULL,
    message_id bigint,
    sender text NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    text text NOT NULL,
    html text NOT NULL,
    source bytea NOT NULL,
    received_at timestamp with time zone NOT NULL
);

ALTER TABLE public.mailbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.mailbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.members (
    id uuid NOT NULL,
    professional_id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone NOT NULL,
    removed_at timestamp with time zone,
    CONSTRAINT members_check CHECK ((active = (removed_at IS NULL))),
    CONSTRAINT members_email_check CHECK (((email = lower((email COLLATE "C"))) AND ((length(email) >= 3) AND (length(email) <= 320)))),
    CONSTRAINT members_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['manager'::text, 'crew'::text, 'office'::text])))
);

CREATE TABLE public.message_suppressions (
    email text NOT NULL,
    reason text NOT NULL,
    detail text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT message_suppressions_detail_check CHECK ((length(detail) <= 1000)),
    CONSTRAINT message_suppressions_email_check CHECK ((email = lower((email COLLATE "C")))),
    CONSTRAINT message_suppressions_reason_check CHECK ((reason = ANY (ARRAY['bounced'::text, 'unsubscribed'::text])))
);

ALTER TABLE public.messages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.metered_tasks (
    professional_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    funded_by text NOT NULL,
    reserved_at timestamp with time zone NOT NULL,
    deadline_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT metered_tasks_deadline CHECK ((deadline_at > reserved_at)),
    CONSTRAINT metered_tasks_funded_by_check CHECK (((funded_by = 'prepaid'::text) OR (funded_by ~~ 'allowance %'::text))),
    CONSTRAINT metered_tasks_kind_check CHECK ((kind ~ '^(run_agent|chat_on_thread|prepare_[a-z_]{1,50})$'::text)),
    CONSTRAINT metered_tasks_state CHECK (((status = 'reserved'::text) = (ended_at IS NULL))),
    CONSTRAINT metered_tasks_status_check CHECK ((status = ANY (ARRAY['reserved'::text, 'settled'::text, 'released'::text])))
);

CREATE TABLE public.network_bookings (
    network_digest text NOT NULL,
    booked_at timestamp with time zone NOT NULL,
    free_at timestamp with time zone,
    held uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    CONSTRAINT network_bookings_network_digest_check CHECK ((length(network_digest) = 43))
);

CREATE TABLE public.notices (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    kind text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    read_at timestamp with time zone,
    CONSTRAINT notices_data_check CHECK ((jsonb_typeof(data) = 'object'::text)),
    CONSTRAINT notices_kind_check CHECK ((kind ~ '^[a-z][a-z_]{0,49}$'::text))
);

CREATE TABLE public.oauth_clients (
    id text NOT NULL,
    name text NOT NULL,
    redirect_uris text[] NOT NULL,
    uri text,
    created_at timestamp with time zone NOT NULL,
    read_at timestamp with time zone,
    used_at timestamp with time zone NOT NULL,
    fresh_seconds integer DEFAULT 3600 NOT NULL,
    stale_seconds integer DEFAULT 86400 NOT NULL,
    etag text,
    CONSTRAINT oauth_clients_etag_check CHECK (((length(etag) >= 1) AND (length(etag) <= 500))),
    CONSTRAINT oauth_clients_fresh_seconds_check CHECK (((fresh_seconds >= 0) AND (fresh_seconds <= 86400))),
    CONSTRAINT oauth_clients_id_check CHECK (((length(id) >= 1) AND (length(id) <= 2048))),
    CONSTRAINT oauth_clients_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT oauth_clients_redirect_uris_check CHECK (((cardinality(redirect_uris) >= 1) AND (cardinality(redirect_uris) <= 20))),
    CONSTRAINT oauth_clients_stale_seconds_check CHECK (((stale_seconds >= 0) AND (stale_seconds <= 86400))),
    CONSTRAINT oauth_clients_uri_check CHECK ((length(uri) <= 2048))
);

CREATE TABLE public.oauth_grants (
    key_id uuid NOT NULL,
    client_id text NOT NULL,
    resource text NOT NULL,
    user_id uuid,
    email_digest text,
    CONSTRAINT oauth_grants_check CHECK (((user_id IS NULL) = (email_digest IS NOT NULL))),
    CONSTRAINT oauth_grants_email_digest_check CHECK ((length(email_digest) = 43)),
    CONSTRAINT oauth_grants_resource_check CHECK ((resource = ANY (ARRAY['pro-agent'::text, 'customer-agent'::text, 'rest'::text])))
);

CREATE TABLE public.oauth_requests (
    id uuid NOT NULL,
    client_id text NOT NULL,
    redirect_uri text NOT NULL,
    state text,
    resource text NOT NULL,
    side text NOT NULL,
    scopes text[] NOT NULL,
    code_challenge text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    code_hash bytea,
    account_id uuid,
    user_id uuid,
    email_digest text,
    key_id uuid,
    CONSTRAINT oauth_requests_check CHECK (((code_hash IS NULL) = (account_id IS NULL))),
    CONSTRAINT oauth_requests_check1 CHECK (((key_id IS NULL) OR (code_hash IS NOT NULL))),
    CONSTRAINT oauth_requests_code_challenge_check CHECK ((length(code_challenge) = 43)),
    CONSTRAINT oauth_requests_code_hash_check CHECK ((length(code_hash) = 32)),
    CONSTRAINT oauth_requests_email_digest_check CHECK ((length(email_digest) = 43)),
    CONSTRAINT oauth_requests_redirect_uri_check CHECK ((length(redirect_uri) <= 2048)),
    CONSTRAINT oauth_requests_resource_check CHECK ((resource = ANY (ARRAY['pro-agent'::text, 'customer-agent'::text, 'rest'::text]))),
    CONSTRAINT oauth_requests_scopes_check CHECK ((cardinality(scopes) > 0)),
    CONSTRAINT oauth_requests_side_check CHECK ((side = ANY (ARRAY['pro'::text, 'customer'::text]))),
    CONSTRAINT oauth_requests_state_check CHECK ((length(state) <= 4096))
);

CREATE TABLE public.oauth_tokens (
    hash bytea NOT NULL,
    key_id uuid NOT NULL,
    kind text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT oauth_tokens_check CHECK (((used_at IS NULL) OR (kind = 'refresh'::text))),
    CONSTRAINT oauth_tokens_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT oauth_tokens_kind_check CHECK ((kind = ANY (ARRAY['access'::text, 'refresh'::text]))),
    CONSTRAINT oauth_tokens_scopes_check CHECK ((cardinality(scopes) > 0))
);

CREATE TABLE public.operator_actions (
    id uuid NOT NULL,
    action text NOT NULL,
    subject_id uuid NOT NULL,
    professional_id uuid NOT NULL,
    by_user_id uuid,
    reason text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT operator_actions_action_check CHECK ((action = ANY (ARRAY['review.approved'::text, 'review.rejected'::text, 'payment.refunded'::text, 'pro.verification'::text, 'refund.resent'::text, 'refund.returned'::text, 'booking.disowned'::text, 'request.disowned'::text, 'review.disowned'::text]))),
    CONSTRAINT operator_actions_details_check CHECK ((jsonb_typeof(details) = 'object'::text)),
    CONSTRAINT operator_actions_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 5000)))
);

ALTER TABLE public.outbox_events ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_events_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.password_links (
    user_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT password_links_times CHECK ((created_at < expires_at)),
    CONSTRAINT password_links_token_hash_check CHECK ((length(token_hash) = 32))
);

CREATE TABLE public.payment_differences (
    intent_id text NOT NULL,
    payment_id uuid,
    provider_cents integer NOT NULL,
    our_cents integer NOT NULL,
    found_at timestamp with time zone NOT NULL,
    CONSTRAINT payment_differences_intent_id_check CHECK (((length(intent_id) >= 1) AND (length(intent_id) <= 255)))
);

CREATE TABLE public.payment_disputes (
    id uuid NOT NULL,
    payment_id uuid NOT NULL,
    professional_id uuid NOT NULL,
    provider_dispute_id text NOT NULL,
    amount_cents integer NOT NULL,
    reason text NOT NULL,
    state text NOT NULL,
    is_inquiry boolean NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    reading integer NOT NULL,
    CONSTRAINT payment_disputes_amount_cents_check CHECK ((amount_cents > 0)),
    CONSTRAINT payment_disputes_closed CHECK (((state = 'open'::text) = (closed_at IS NULL))),
    CONSTRAINT payment_disputes_provider_dispute_id_check CHECK (((length(provider_dispute_id) >= 1) AND (length(provider_dispute_id) <= 255))),
    CONSTRAINT payment_disputes_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 255))),
    CONSTRAINT payment_disputes_state_check CHECK ((state = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);

CREATE TABLE public.payment_notifications (
    provider text NOT NULL,
    id text NOT NULL,
    received_at timestamp with time zone NOT NULL,
    CONSTRAINT payment_notifications_id_check CHECK ((length(id) <= 255))
);

CREATE TABLE public.payment_reconciliations (
    provider text NOT NULL,
    step text NOT NULL,
    after_id text,
    started_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    next_at timestamp with time zone NOT NULL,
    CONSTRAINT payment_reconciliations_after_id_check CHECK (((length(after_id) >= 1) AND (length(after_id) <= 255))),
    CONSTRAINT payment_reconciliations_provider_check CHECK ((provider = 'stripe'::text)),
    CONSTRAINT payment_reconciliations_step_check CHECK ((step = ANY (ARRAY['intents'::text, 'refunds'::text, 'disputes'::text, 'ours'::text])))
);

CREATE TABLE public.prepared_work (
    id uuid NOT NULL,
    professional_id uuid NOT NULL,
    kind text NOT NULL,
    rfq_id uuid,
    booking_id uuid,
    job_id uuid,
    day date,
    quote_id uuid,
    content jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT prepared_work_content_check CHECK ((jsonb_typeof(content) = 'object'::text)),
    CONSTRAINT prepared_work_day CHECK (((kind = 'day_brief'::text) = (day IS NOT NULL))),
    CONSTRAINT prepared_work_kind_check CHECK ((kind = ANY (ARRAY['quote_draft'::text, 'assessment_notes'::text, 'day_brief'::text, 'job_spec'::text, 'customer_message'::text]))),
    CONSTRAINT prepared_work_quote CHECK (((kind = 'quote_draft'::text) = (quote_id IS NOT NULL))),
    CONSTRAINT prepared_work_subject CHECK ((num_nonnulls(rfq_id, booking_id, job_id, day) = 1))
);

CREATE TABLE public.price_lists (
    service_id uuid NOT NULL,
    state text NOT NULL,
    city_id integer NOT NULL,
    cents double precision[] NOT NULL,
    professional_ids uuid[] NOT NULL,
    sources smallint[] NOT NULL,
    ranks smallint[] NOT NULL,
    pros integer NOT NULL,
    CONSTRAINT price_lists_length CHECK ((((pros >= 1) AND (pros <= cardinality(cents))) AND ((cardinality(professional_ids) = cardinality(cents)) AND (cardinality(sources) = cardinality(cents)) AND (cardinality(ranks) = cardinality(cents)))))
);

CREATE VIEW public.price_points AS
 SELECT n.service_id,
    n.professional_id,
    n.source,
    n.cents,
    (row_number() OVER (PARTITION BY n.service_id, n.professional_id ORDER BY n.nth, n.source DESC))::smallint AS rank
   FROM ( SELECT p.service_id,
            p.professional_id,
            p.source,
            p.cents,
            p.agreed_at,
            p.id,
            row_number() OVER (PARTITION BY p.service_id, p.professional_id, p.source ORDER BY p.agreed_at DESC, p.id DESC) AS nth
           FROM ( SELECT ps.service_id,
                    ps.professional_id,
                    (1)::smallint AS source,
                    (COALESCE((ps.base_price_cents)::numeric, (((ps.min_price_cents + ps.max_price_cents))::numeric / 2.0)))::double precision AS cents,
                    NULL::timestamp with time zone AS agreed_at,
                    NULL::uuid AS id
                   FROM (public.professional_services ps
                     JOIN public.services s ON ((s.id = ps.service_id)))
                  WHERE ((ps.price_type = s.price_type) AND (NOT (ps.unit IS DISTINCT FROM s.unit)) AND ((ps.base_price_cents IS NOT NULL) OR ((ps.min_price_cents IS NOT NULL) AND (ps.max_price_cents IS NOT NULL))))
                UNION ALL
                 SELECT r.service_id,
                    q.professional_id,
                    (2)::smallint AS int2,
                    ((COALESCE(q.units_cents, q.amount_cents))::double precision / (COALESCE(q.units, (1)::numeric))::double precision),
                    q.accepted_at,
                    q.id
                   FROM ((public.quotes q
                     JOIN public.rfqs r ON (((r.professional_id = q.professional_id) AND (r.id = q.rfq_id))))
                     JOIN public.services s ON ((s.id = r.service_id)))
                  WHERE ((q.status = 'accepted'::text) AND ((q.units IS NOT NULL) OR (s.unit IS NULL)) AND (NOT (EXISTS ( SELECT
                           FROM public.jobs j
                          WHERE ((j.professional_id = q.professional_id) AND (j.quote_id = q.id) AND (j.status = 'completed'::text))))))
                UNION ALL
                 SELECT j.service_id,
                    j.professional_id,
                    (3)::smallint AS int2,
                    (((j.amount_cents)::double precision * COALESCE(((q.units_cents)::double precision / (q.amount_cents)::double precision), (1)::double precision)) / (COALESCE(j.units, (1)::numeric))::double precision),
                    j.completed_at,
                    j.id
                   FROM ((public.jobs j
                     JOIN public.services s ON ((s.id = j.service_id)))
                     LEFT JOIN public.quotes q ON (((q.professional_id = j.professional_id) AND (q.id = j.quote_id))))
                  WHERE ((j.status = 'completed'::text) AND ((j.units IS NOT NULL) OR (s.unit IS NULL)))) p) n
  WHERE (n.nth <= 3);

CREATE TABLE public.pricing_aggregates (
    service_id uuid NOT NULL,
    state text NOT NULL,
    city_id integer NOT NULL,
    average_cents integer NOT NULL,
    median_cents integer NOT NULL,
    min_cents integer NOT NULL,
    max_cents integer NOT NULL,
    professional_listings integer NOT NULL,
    accepted_quotes integer NOT NULL,
    completed_projects integer NOT NULL,
    last_updated date NOT NULL,
    CONSTRAINT pricing_aggregates_check CHECK (((city_id = 0) OR (state <> ''::text))),
    CONSTRAINT pricing_aggregates_check1 CHECK (((min_cents <= median_cents) AND (median_cents <= max_cents)))
);

CREATE TABLE public.pricing_changes (
    "position" bigint NOT NULL,
    service_id uuid,
    city_id integer,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    professional_id uuid,
    CONSTRAINT pricing_changes_kind CHECK ((((service_id IS NOT NULL) AND (city_id IS NULL)) OR ((service_id IS NULL) AND (city_id IS NOT NULL) AND (professional_id IS NOT NULL))))
);

ALTER TABLE public.pricing_changes ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.pricing_changes_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.pricing_passes (
    day date NOT NULL,
    drift integer NOT NULL,
    finished_at timestamp with time zone NOT NULL
);

CREATE TABLE public.pro_business_entities (
    professional_id uuid NOT NULL,
    legal_name text,
    license_number text,
    license_state text,
    founded_year integer,
    insurance_carrier text,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT pro_business_entities_founded_year_check CHECK (((founded_year >= 1800) AND (founded_year <= 2100))),
    CONSTRAINT pro_business_entities_insurance_carrier_check CHECK (((length(insurance_carrier) >= 1) AND (length(insurance_carrier) <= 200))),
    CONSTRAINT pro_business_entities_legal_name_check CHECK (((length(legal_name) >= 1) AND (length(legal_name) <= 200))),
    CONSTRAINT pro_business_entities_license CHECK (((license_number IS NULL) = (license_state IS NULL))),
    CONSTRAINT pro_business_entities_license_number_check CHECK (((length(license_number) >= 1) AND (length(license_number) <= 100)))
);

CREATE TABLE public.pro_counts (
    professional_id uuid NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    total bigint NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE public.pro_days (
    professional_id uuid NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    service_id uuid,
    status text NOT NULL,
    total bigint NOT NULL,
    cents bigint NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE public.pro_public_profiles (
    professional_id uuid NOT NULL,
    headline text,
    about text,
    highlights text[] DEFAULT '{}'::text[] NOT NULL,
    service_areas text,
    faq jsonb DEFAULT '[]'::jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT pro_public_profiles_about_check CHECK ((length(about) <= 5000)),
    CONSTRAINT pro_public_profiles_faq_check CHECK (((jsonb_typeof(faq) = 'array'::text) AND (jsonb_array_length(faq) <= 20))),
    CONSTRAINT pro_public_profiles_headline_check CHECK (((length(headline) >= 1) AND (length(headline) <= 200))),
    CONSTRAINT pro_public_profiles_highlights_check CHECK ((cardinality(highlights) <= 10)),
    CONSTRAINT pro_public_profiles_service_areas_check CHECK ((length(service_areas) <= 1000))
);

CREATE TABLE public.pro_search_area (
    area integer NOT NULL,
    facet smallint NOT NULL,
    pros integer NOT NULL,
    verified integer NOT NULL,
    instant integer NOT NULL,
    verified_instant integer NOT NULL
);

CREATE TABLE public.pro_search_cell (
    cell bigint NOT NULL,
    pros integer NOT NULL,
    verified integer NOT NULL,
    instant integer NOT NULL,
    verified_instant integer NOT NULL
);

CREATE TABLE public.pro_search_kept_slots (
    professional_id uuid NOT NULL,
    slot integer NOT NULL
);

ALTER TABLE public.pro_search ALTER COLUMN slot ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.pro_search_slot_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.pro_site_configs (
    professional_id uuid NOT NULL,
    theme_color text,
    hero_title text,
    hero_text text,
    call_to_action text,
    call_to_action_label text,
    sections text[],
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT pro_site_configs_call_to_action_check CHECK ((call_to_action = ANY (ARRAY['book'::text, 'quote'::text, 'call'::text]))),
    CONSTRAINT pro_site_configs_call_to_action_label_check CHECK (((length(call_to_action_label) >= 1) AND (length(call_to_action_label) <= 60))),
    CONSTRAINT pro_site_configs_hero_text_check CHECK ((length(hero_text) <= 500)),
    CONSTRAINT pro_site_configs_hero_title_check CHECK (((length(hero_title) >= 1) AND (length(hero_title) <= 200))),
    CONSTRAINT pro_site_configs_sections_check CHECK ((((cardinality(sections) >= 1) AND (cardinality(sections) <= 8)) AND (sections <@ ARRAY['about'::text, 'highlights'::text, 'services'::text, 'packages'::text, 'service_areas'::text, 'reviews'::text, 'faq'::text, 'contact'::text]))),
    CONSTRAINT pro_site_configs_theme_color_check CHECK ((theme_color ~ '^#[0-9a-f]{6}$'::text))
);

CREATE UNLOGGED TABLE public.process_reports (
    id bigint NOT NULL,
    process uuid NOT NULL,
    service text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    at timestamp with time zone NOT NULL,
    seconds real NOT NULL,
    figures jsonb NOT NULL
);

ALTER TABLE public.process_reports ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.process_reports_id_seq
    LOGGED
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.restorations (
    target text NOT NULL,
    declared_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.review_votes (
    review_id uuid NOT NULL,
    account_id uuid NOT NULL,
    helpful boolean NOT NULL,
    voted_at timestamp with time zone NOT NULL
);

CREATE TABLE public.sessions (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    test_account_id uuid,
    CONSTRAINT sessions_times CHECK (((created_at < expires_at) AND (expires_at <= ends_at))),
    CONSTRAINT sessions_token_hash_check CHECK ((length(token_hash) = 32))
);

CREATE TABLE public.sign_in_codes (
    browser_hash bytea NOT NULL,
    email text NOT NULL,
    code_digest text NOT NULL,
    tries_left integer NOT NULL,
    return_to text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_codes_browser_hash_check CHECK ((length(browser_hash) = 32)),
    CONSTRAINT sign_in_codes_code_digest_check CHECK ((length(code_digest) = 43)),
    CONSTRAINT sign_in_codes_email_check CHECK (((email = lower((email COLLATE "C"))) AND ((length(email) >= 3) AND (length(email) <= 320)))),
    CONSTRAINT sign_in_codes_return_to_check CHECK ((length(return_to) <= 2048)),
    CONSTRAINT sign_in_codes_tries_left_check CHECK ((tries_left >= 0))
);

CREATE TABLE public.state_transitions (
    aggregate text NOT NULL,
    from_state text NOT NULL,
    to_state text NOT NULL
);

CREATE TABLE public.states (
    code text NOT NULL,
    name text NOT NULL,
    ordinal smallint NOT NULL,
    CONSTRAINT states_code_check CHECK ((code ~ '^[A-Z]{2}$'::text))
);

CREATE TABLE public.thread_messages (
    professional_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    "position" integer NOT NULL,
    role text NOT NULL,
    content text NOT NULL,
    run_id uuid NOT NULL,
    step smallint,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT thread_messages_content_check CHECK (((length(content) >= 1) AND (length(content) <= 5000))),
    CONSTRAINT thread_messages_position_check CHECK (("position" > 0)),
    CONSTRAINT thread_messages_role_check CHECK ((role = ANY (ARRAY['person'::text, 'agent'::text, 'tool'::text, 'system'::text]))),
    CONSTRAINT thread_messages_step CHECK (((role = 'tool'::text) = (step IS NOT NULL)))
);

CREATE TABLE public.threads (
    professional_id uuid NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL,
    message_count integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_activity_at timestamp with time zone NOT NULL,
    CONSTRAINT threads_check CHECK ((last_activity_at >= created_at)),
    CONSTRAINT threads_message_count_check CHECK ((message_count >= 0)),
    CONSTRAINT threads_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200)))
);

CREATE TABLE public.time_zones (
    name text NOT NULL
);

CREATE UNLOGGED TABLE public.trace_parts (
    id bigint NOT NULL,
    trace_id text NOT NULL,
    because text NOT NULL,
    service text NOT NULL,
    name text NOT NULL,
    method text,
    route text,
    status smallint,
    started_at timestamp with time zone NOT NULL,
    duration_us bigint NOT NULL,
    spans jsonb NOT NULL,
    left_out integer NOT NULL,
    CONSTRAINT trace_parts_because_check CHECK ((because = ANY (ARRAY['sampled'::text, 'failed'::text, 'refused'::text]))),
    CONSTRAINT trace_parts_trace_id_check CHECK ((trace_id ~ '^[0-9a-f]{32}$'::text))
);

ALTER TABLE public.trace_parts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.trace_parts_id_seq
    LOGGED
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.user_changes (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    action text NOT NULL,
    by_user_id uuid,
    at timestamp with time zone NOT NULL,
    CONSTRAINT user_changes_action_check CHECK ((action = ANY (ARRAY['created'::text, 'disabled'::text, 'enabled'::text, 'logged_out'::text, 'link_made'::text, 'password_set'::text])))
);

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    role text NOT NULL,
    account_id uuid,
    created_at timestamp with time zone NOT NULL,
    last_login_at timestamp with time zone,
    disabled_at timestamp with time zone,
    CONSTRAINT users_account CHECK (((account_id IS NULL) = (role = 'operator'::text))),
    CONSTRAINT users_email_check CHECK (((email = lower((email COLLATE "C"))) AND ((length(email) >= 3) AND (length(email) <= 320)))),
    CONSTRAINT users_password_hash_check CHECK ((password_hash ~~ '$argon2id$%'::text)),
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['operator'::text, 'developer'::text, 'pro'::text])))
);

CREATE TABLE public.verification_requests (
    professional_id uuid NOT NULL,
    license_number text,
    license_state text,
    note text,
    asked_at timestamp with time zone NOT NULL,
    refusal text,
    refused_at timestamp with time zone,
    CONSTRAINT verification_requests_license CHECK (((license_number IS NULL) = (license_state IS NULL))),
    CONSTRAINT verification_requests_license_number_check CHECK (((length(license_number) >= 1) AND (length(license_number) <= 100))),
    CONSTRAINT verification_requests_license_state_check CHECK ((license_state ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT verification_requests_note_check CHECK (((length(note) >= 1) AND (length(note) <= 5000))),
    CONSTRAINT verification_requests_refusal CHECK (((refusal IS NULL) = (refused_at IS NULL))),
    CONSTRAINT verification_requests_refusal_check CHECK (((length(refusal) >= 1) AND (length(refusal) <= 5000)))
);

CREATE TABLE public.webhook_attempts (
    delivery_id bigint NOT NULL,
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    status integer,
    error text,
    response text,
    request_headers jsonb,
    CONSTRAINT webhook_attempts_duration_ms_check CHECK ((duration_ms >= 0)),
    CONSTRAINT webhook_attempts_number_check CHECK ((number > 0)),
    CONSTRAINT webhook_attempts_outcome CHECK (((status IS NULL) = (error IS NOT NULL))),
    CONSTRAINT webhook_attempts_response_check CHECK ((octet_length(response) <= 16384))
)
PARTITION BY RANGE (delivery_id);

CREATE TABLE public.webhook_attempts_default (
    delivery_id bigint NOT NULL,
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    status integer,
    error text,
    response text,
    request_headers jsonb,
    CONSTRAINT webhook_attempts_duration_ms_check CHECK ((duration_ms >= 0)),
    CONSTRAINT webhook_attempts_number_check CHECK ((number > 0)),
    CONSTRAINT webhook_attempts_outcome CHECK (((status IS NULL) = (error IS NOT NULL))),
    CONSTRAINT webhook_attempts_response_check CHECK ((octet_length(response) <= 16384))
);

CREATE TABLE public.webhook_attempts_first (
    delivery_id bigint NOT NULL,
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    status integer,
    error text,
    response text,
    request_headers jsonb,
    CONSTRAINT webhook_attempts_duration_ms_check CHECK ((duration_ms >= 0)),
    CONSTRAINT webhook_attempts_number_check CHECK ((number > 0)),
    CONSTRAINT webhook_attempts_outcome CHECK (((status IS NULL) = (error IS NOT NULL))),
    CONSTRAINT webhook_attempts_response_check CHECK ((octet_length(response) <= 16384))
);

CREATE TABLE public.webhook_couriers (
    id uuid NOT NULL,
    enlisted_at timestamp with time zone NOT NULL
);

CREATE TABLE public.webhook_deliveries (
    id bigint NOT NULL,
    endpoint_id uuid NOT NULL,
    event_id uuid NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    round integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    courier_id uuid,
    interruptions smallint DEFAULT 0 NOT NULL,
    CONSTRAINT webhook_deliveries_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT webhook_deliveries_check CHECK (((round >= 0) AND (round <= attempts))),
    CONSTRAINT webhook_deliveries_interruptions_check CHECK ((interruptions >= 0)),
    CONSTRAINT webhook_deliveries_state CHECK ((((state = 'pending'::text) = (next_attempt_at IS NOT NULL)) AND ((state = 'pending'::text) = (finished_at IS NULL)))),
    CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

ALTER TABLE public.webhook_deliveries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.webhook_endpoints (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    name text NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    ordered boolean NOT NULL,
    max_retries integer NOT NULL,
    secret_sealed text NOT NULL,
    previous_secret_sealed text,
    previous_secret_until timestamp with time zone,
    status text DEFAULT 'enabled'::text NOT NULL,
    disabled_reason text,
    disabled_at timestamp with time zone,
    failing_since timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT webhook_endpoints_disabled CHECK ((((status = 'disabled'::text) = (disabled_reason IS NOT NULL)) AND ((disabled_reason IS NULL) = (disabled_at IS NULL)))),
    CONSTRAINT webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['by_owner'::text, 'gone'::text, 'failing'::text]))),
    CONSTRAINT webhook_endpoints_events_check CHECK (((cardinality(events) >= 1) AND (cardinality(events) <= 50))),
    CONSTRAINT webhook_endpoints_max_retries_check CHECK (((max_retries >= 0) AND (max_retries <= 15))),
    CONSTRAINT webhook_endpoints_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT webhook_endpoints_previous_secret CHECK (((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL))),
    CONSTRAINT webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text]))),
    CONSTRAINT webhook_endpoints_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2048)))
);

ALTER TABLE ONLY public.key_usage ATTACH PARTITION public.key_usage_default DEFAULT;

ALTER TABLE ONLY public.webhook_attempts ATTACH PARTITION public.webhook_attempts_default DEFAULT;

ALTER TABLE ONLY public.webhook_attempts ATTACH PARTITION public.webhook_attempts_first FOR VALUES FROM (MINVALUE) TO ('10000000000');

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_email_key UNIQUE (email);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.agent_runs
    ADD CONSTRAINT agent_runs_pkey PRIMARY KEY (professional_id, id);

ALTER TABLE ONLY public.agent_steps
    ADD CONSTRAINT agent_steps_pkey PRIMARY KEY (professional_id, run_id, number);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.availability_blocks
    ADD CONSTRAINT availability_blocks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.booking_proposed_times
    ADD CONSTRAINT booking_proposed_times_pkey PRIMARY KEY (booking_id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_confirmation_code_key UNIQUE (confirmation_code);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_no_overlap EXCLUDE USING gist (professional_id WITH =, holds WITH &&) WHERE ((status = ANY (ARRAY['pending'::text, 'confirmed'::text])));

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.calendar_feeds
    ADD CONSTRAINT calendar_feeds_one_each UNIQUE NULLS NOT DISTINCT (professional_id, member_id);

ALTER TABLE ONLY public.calendar_feeds
    ADD CONSTRAINT calendar_feeds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.calendar_feeds
    ADD CONSTRAINT calendar_feeds_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_ordinal_key UNIQUE (ordinal);

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_slug_key UNIQUE (slug);

ALTER TABLE ONLY public.cities
    ADD CONSTRAINT cities_name_state_key UNIQUE (state, name);

ALTER TABLE ONLY public.cities
    ADD CONSTRAINT cities_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.credit_accounts
    ADD CONSTRAINT credit_accounts_pkey PRIMARY KEY (professional_id, name);

ALTER TABLE ONLY public.credit_ledgers
    ADD CONSTRAINT credit_ledgers_pkey PRIMARY KEY (professional_id);

ALTER TABLE ONLY public.credit_transfers
    ADD CONSTRAINT credit_transfers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.customer_blocks
    ADD CONSTRAINT customer_blocks_id_key UNIQUE (id);

ALTER TABLE ONLY public.customer_blocks
    ADD CONSTRAINT customer_blocks_pkey PRIMARY KEY (professional_id, email);

ALTER TABLE ONLY public.customer_erasures
    ADD CONSTRAINT customer_erasures_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.customer_erasures
    ADD CONSTRAINT customer_erasures_pseudonym_key UNIQUE (pseudonym);

ALTER TABLE ONLY public.customer_sessions
    ADD CONSTRAINT customer_sessions_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_email_key UNIQUE (email);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.dead_letters
    ADD CONSTRAINT dead_letters_message_key UNIQUE (actor, message_id);

ALTER TABLE ONLY public.dead_letters
    ADD CONSTRAINT dead_letters_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.erasure_requests
    ADD CONSTRAINT erasure_requests_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.former_time_zones
    ADD CONSTRAINT former_time_zones_pkey PRIMARY KEY (professional_id, until);

ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_pkey PRIMARY KEY (account_id, operation, key);

ALTER TABLE ONLY public.imported_busy
    ADD CONSTRAINT imported_busy_pkey PRIMARY KEY (professional_id, starts_at, calendar_id) INCLUDE (ends_at);

ALTER TABLE ONLY public.imported_calendars
    ADD CONSTRAINT imported_calendars_of_professional UNIQUE (professional_id, id);

ALTER TABLE ONLY public.imported_calendars
    ADD CONSTRAINT imported_calendars_once UNIQUE (professional_id, address_digest);

ALTER TABLE ONLY public.imported_calendars
    ADD CONSTRAINT imported_calendars_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.imported_conflicts
    ADD CONSTRAINT imported_conflicts_pkey PRIMARY KEY (calendar_id, booking_id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.key_usage
    ADD CONSTRAINT key_usage_pkey PRIMARY KEY (key_id, day);

ALTER TABLE ONLY public.key_usage_default
    ADD CONSTRAINT key_usage_default_pkey PRIMARY KEY (key_id, day);

ALTER TABLE ONLY public.mailbox
    ADD CONSTRAINT mailbox_message_id_key UNIQUE (message_id);

ALTER TABLE ONLY public.mailbox
    ADD CONSTRAINT mailbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_of_professional UNIQUE (professional_id, id);

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.message_suppressions
    ADD CONSTRAINT message_suppressions_pkey PRIMARY KEY (email, reason);

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_once UNIQUE (key, recipient);

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.metered_tasks
    ADD CONSTRAINT metered_tasks_pkey PRIMARY KEY (professional_id, id);

ALTER TABLE ONLY public.network_bookings
    ADD CONSTRAINT network_bookings_pkey PRIMARY KEY (network_digest);

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.oauth_clients
    ADD CONSTRAINT oauth_clients_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_code_hash_key UNIQUE (code_hash);

ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.oauth_tokens
    ADD CONSTRAINT oauth_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.operator_actions
    ADD CONSTRAINT operator_actions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.outbox_events
    ADD CONSTRAINT outbox_events_id_key UNIQUE (id);

ALTER TABLE ONLY public.outbox_events
    ADD CONSTRAINT outbox_events_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY public.outbox_events
    ADD CONSTRAINT outbox_events_sequence_key UNIQUE (aggregate_id, sequence);

ALTER TABLE ONLY public.packages
    ADD CONSTRAINT packages_offer_key UNIQUE (professional_id, service_id);

ALTER TABLE ONLY public.packages
    ADD CONSTRAINT packages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.packages
    ADD CONSTRAINT packages_sku_key UNIQUE (sku);

ALTER TABLE ONLY public.password_links
    ADD CONSTRAINT password_links_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.password_links
    ADD CONSTRAINT password_links_token_key UNIQUE (token_hash);

ALTER TABLE ONLY public.payment_differences
    ADD CONSTRAINT payment_differences_pkey PRIMARY KEY (intent_id);

ALTER TABLE ONLY public.payment_disputes
    ADD CONSTRAINT payment_disputes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.payment_disputes
    ADD CONSTRAINT payment_disputes_provider_key UNIQUE (provider_dispute_id);

ALTER TABLE ONLY public.payment_notifications
    ADD CONSTRAINT payment_notifications_pkey PRIMARY KEY (provider, id);

ALTER TABLE ONLY public.payment_reconciliations
    ADD CONSTRAINT payment_reconciliations_pkey PRIMARY KEY (provider);

ALTER TABLE ONLY public.payment_refunds
    ADD CONSTRAINT payment_refunds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_booking_key UNIQUE (booking_id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_client_secret_key UNIQUE (client_secret);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_intent_key UNIQUE (intent_id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.prepared_work
    ADD CONSTRAINT prepared_work_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.price_lists
    ADD CONSTRAINT price_lists_pkey PRIMARY KEY (service_id, state, city_id);

ALTER TABLE ONLY public.pricing_aggregates
    ADD CONSTRAINT pricing_aggregates_pkey PRIMARY KEY (service_id, state, city_id);

ALTER TABLE ONLY public.pricing_changes
    ADD CONSTRAINT pricing_changes_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY public.pricing_passes
    ADD CONSTRAINT pricing_passes_pkey PRIMARY KEY (day);

ALTER TABLE ONLY public.pro_business_entities
    ADD CONSTRAINT pro_business_entities_pkey PRIMARY KEY (professional_id);

ALTER TABLE ONLY public.pro_counts
    ADD CONSTRAINT pro_counts_pkey PRIMARY KEY (professional_id, kind, status);

ALTER TABLE ONLY public.pro_public_profiles
    ADD CONSTRAINT pro_public_profiles_pkey PRIMARY KEY (professional_id);

ALTER TABLE ONLY public.pro_search_kept_slots
    ADD CONSTRAINT pro_search_kept_slots_pkey PRIMARY KEY (professional_id);

ALTER TABLE ONLY public.pro_search
    ADD CONSTRAINT pro_search_pkey PRIMARY KEY (professional_id);

ALTER TABLE ONLY public.pro_search
    ADD CONSTRAINT pro_search_slot UNIQUE (slot);

ALTER TABLE ONLY public.pro_site_configs
    ADD CONSTRAINT pro_site_configs_pkey PRIMARY KEY (professional_id);

ALTER TABLE ONLY public.process_reports
    ADD CONSTRAINT process_reports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.professional_services
    ADD CONSTRAINT professional_services_pkey PRIMARY KEY (professional_id, service_id);

ALTER TABLE ONLY public.professionals
    ADD CONSTRAINT professionals_account_key UNIQUE (account_id);

ALTER TABLE ONLY public.professionals
    ADD CONSTRAINT professionals_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.professionals
    ADD CONSTRAINT professionals_slug_key UNIQUE (slug);

ALTER TABLE ONLY public.properties
    ADD CONSTRAINT properties_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT proposals_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.restorations
    ADD CONSTRAINT restorations_declared_at_key UNIQUE (declared_at);

ALTER TABLE ONLY public.restorations
    ADD CONSTRAINT restorations_pkey PRIMARY KEY (target);

ALTER TABLE ONLY public.review_stats
    ADD CONSTRAINT review_stats_pkey PRIMARY KEY (professional_id);

ALTER TABLE ONLY public.review_votes
    ADD CONSTRAINT review_votes_pkey PRIMARY KEY (review_id, account_id);

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rfqs
    ADD CONSTRAINT rfqs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_ordinal_key UNIQUE (ordinal);

ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_slug_key UNIQUE (slug);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.sign_in_codes
    ADD CONSTRAINT sign_in_codes_pkey PRIMARY KEY (browser_hash);

ALTER TABLE ONLY public.state_transitions
    ADD CONSTRAINT state_transitions_pkey PRIMARY KEY (aggregate, from_state, to_state);

ALTER TABLE ONLY public.states
    ADD CONSTRAINT states_name_key UNIQUE (name);

ALTER TABLE ONLY public.states
    ADD CONSTRAINT states_ordinal_key UNIQUE (ordinal);

ALTER TABLE ONLY public.states
    ADD CONSTRAINT states_pkey PRIMARY KEY (code);

ALTER TABLE ONLY public.thread_messages
    ADD CONSTRAINT thread_messages_pkey PRIMARY KEY (professional_id, thread_id, "position");

ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_pkey PRIMARY KEY (professional_id, id);

ALTER TABLE ONLY public.time_zones
    ADD CONSTRAINT time_zones_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.trace_parts
    ADD CONSTRAINT trace_parts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.user_changes
    ADD CONSTRAINT user_changes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.verification_requests
    ADD CONSTRAINT verification_requests_pkey PRIMARY KEY (professional_id);

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number);

ALTER TABLE ONLY public.webhook_attempts_default
    ADD CONSTRAINT webhook_attempts_default_pkey PRIMARY KEY (delivery_id, number);

ALTER TABLE ONLY public.webhook_attempts_first
    ADD CONSTRAINT webhook_attempts_first_pkey PRIMARY KEY (delivery_id, number);

ALTER TABLE ONLY public.webhook_couriers
    ADD CONSTRAINT webhook_couriers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_event_key UNIQUE (event_id, endpoint_id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_events
    ADD CONSTRAINT webhook_events_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX accounts_test_of ON public.accounts USING btree (test_of) WHERE (kind <> 'pro'::text);

CREATE INDEX accounts_tests ON public.accounts USING btree (test_of) WHERE (test_of IS NOT NULL);

CREATE INDEX agent_runs_deadlines ON public.agent_runs USING btree (deadline_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE UNIQUE INDEX agent_runs_one_at_a_time ON public.agent_runs USING btree (professional_id) WHERE (status = 'running'::text);

CREATE INDEX agent_runs_open ON public.agent_runs USING btree (professional_id, queued_at, id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX agent_runs_past ON public.agent_runs USING btree (finished_at) WHERE ((thread_id IS NULL) AND (finished_at IS NOT NULL));

CREATE INDEX agent_runs_thread ON public.agent_runs USING btree (professional_id, thread_id) WHERE (thread_id IS NOT NULL);

CREATE INDEX agent_steps_records ON public.agent_steps USING gin (public.record_ids((input || COALESCE(result, ''::text))));

CREATE INDEX api_keys_account ON public.api_keys USING btree (account_id, created_at);

CREATE INDEX api_keys_expiring_grants ON public.api_keys USING btree (expires_at) WHERE (is_grant AND (revoked_at IS NULL));

CREATE INDEX api_keys_replaced_by ON public.api_keys USING btree (replaced_by) WHERE (replaced_by IS NOT NULL);

CREATE INDEX api_keys_revoked ON public.api_keys USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

CREATE INDEX availability_blocks_age ON public.availability_blocks USING btree (ends_at);

CREATE INDEX availability_blocks_listing ON public.availability_blocks USING btree (professional_id, starts_at, id);

CREATE INDEX availability_blocks_time ON public.availability_blocks USING gist (professional_id, tstzrange(starts_at, ends_at));

CREATE INDEX bookings_account ON public.bookings USING btree (account_id, created_at) WHERE (account_id IS NOT NULL);

CREATE INDEX bookings_assigned ON public.bookings USING btree (assigned_member_id) WHERE (assigned_member_id IS NOT NULL);

CREATE INDEX bookings_cancelled ON public.bookings USING btree (professional_id, starts_at DESC, id) WHERE (status = 'cancelled'::text);

CREATE INDEX bookings_customer ON public.bookings USING btree (customer_email);

CREATE INDEX bookings_hold ON public.bookings USING btree (hold_expires_at) WHERE (hold_expires_at IS NOT NULL);

CREATE INDEX bookings_made ON public.bookings USING btree (professional_id, created_at DESC, id DESC);

CREATE INDEX bookings_package ON public.bookings USING btree (package_id) WHERE (package_id IS NOT NULL);

CREATE INDEX bookings_professional ON public.bookings USING btree (professional_id, starts_at);

CREATE INDEX bookings_state ON public.bookings USING btree (professional_id, status, created_at DESC, id DESC);

CREATE INDEX bookings_unanswered ON public.bookings USING btree (starts_at) WHERE (status = 'pending'::text);

CREATE INDEX bookings_visit_of_job ON public.bookings USING btree (professional_id, job_id) WHERE (job_id IS NOT NULL);

CREATE INDEX cities_lower_name ON public.cities USING btree (lower(name));

CREATE INDEX credit_ledgers_month ON public.credit_ledgers USING btree (month_ends_at);

CREATE INDEX credit_ledgers_notices ON public.credit_ledgers USING btree (professional_id) WHERE (notice_due IS NOT NULL);

CREATE UNIQUE INDEX credit_transfers_begin ON public.credit_transfers USING btree (professional_id, task_id) WHERE (kind = 'reserve'::text);

CREATE UNIQUE INDEX credit_transfers_end ON public.credit_transfers USING btree (professional_id, task_id) WHERE (kind = ANY (ARRAY['settle'::text, 'release'::text]));

CREATE UNIQUE INDEX credit_transfers_reference ON public.credit_transfers USING btree (professional_id, to_account, reference) WHERE (reference IS NOT NULL);

CREATE INDEX customer_blocks_email ON public.customer_blocks USING btree (email);

CREATE INDEX customer_erasures_again ON public.customer_erasures USING btree (look_again_at) WHERE (look_again_at IS NOT NULL);

CREATE INDEX customer_erasures_digest ON public.customer_erasures USING btree (email_digest, erased_at DESC);

CREATE INDEX customer_sessions_account ON public.customer_sessions USING btree (account_id);

CREATE INDEX customer_sessions_expiry ON public.customer_sessions USING btree (expires_at);

CREATE INDEX dead_letters_age ON public.dead_letters USING btree (failed_at);

CREATE INDEX dead_letters_retried ON public.dead_letters USING btree (retried_at) WHERE (retried_at IS NOT NULL);

CREATE INDEX erasure_requests_due ON public.erasure_requests USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX idempotency_records_expiry ON public.idempotency_records USING btree (expires_at);

CREATE INDEX imported_calendars_due ON public.imported_calendars USING btree (next_read_at);

CREATE INDEX imported_conflicts_booking ON public.imported_conflicts USING btree (booking_id);

CREATE INDEX jobs_professional ON public.jobs USING btree (professional_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX jobs_quote ON public.jobs USING btree (quote_id);

CREATE INDEX jobs_state ON public.jobs USING btree (professional_id, status, created_at DESC, id DESC);

CREATE INDEX key_usage_day ON ONLY public.key_usage USING btree (day);

CREATE INDEX key_usage_default_day ON public.key_usage_default USING btree (day);

CREATE INDEX mailbox_age ON public.mailbox USING btree (received_at);

CREATE UNIQUE INDEX members_email_key ON public.members USING btree (professional_id, email) WHERE active;

CREATE INDEX members_professional ON public.members USING btree (professional_id, created_at DESC, id DESC) WHERE active;

CREATE INDEX messages_age ON public.messages USING btree (created_at);

CREATE INDEX messages_booking ON public.messages USING btree (booking_id, id) WHERE (booking_id IS NOT NULL);

CREATE INDEX messages_customer ON public.messages USING btree (customer_email) WHERE (customer_email IS NOT NULL);

CREATE INDEX messages_digests ON public.messages USING btree (recipient, send_at) WHERE (kind = 'digest'::text);

CREATE INDEX messages_due ON public.messages USING btree (next_attempt_at) WHERE (status = 'pending'::text);

CREATE INDEX messages_of_digest ON public.messages USING btree (digest_id) WHERE (digest_id IS NOT NULL);

CREATE UNIQUE INDEX messages_open_digest ON public.messages USING btree (recipient) WHERE ((kind = 'digest'::text) AND (status = 'pending'::text) AND (attempts = 0));

CREATE INDEX messages_recipient ON public.messages USING btree (recipient, finished_at);

CREATE INDEX messages_retrying ON public.messages USING btree (id) WHERE ((status = 'pending'::text) AND (outcome IS NOT NULL));

CREATE INDEX messages_waiting ON public.messages USING btree (recipient, id) WHERE (status = 'pending'::text);

CREATE INDEX metered_tasks_days ON public.metered_tasks USING btree (professional_id, reserved_at);

CREATE INDEX metered_tasks_deadlines ON public.metered_tasks USING btree (deadline_at) WHERE (status = 'reserved'::text);

CREATE INDEX network_bookings_age ON public.network_bookings USING btree (booked_at);

CREATE INDEX notices_account ON public.notices USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX notices_age ON public.notices USING btree (created_at);

CREATE INDEX notices_unread ON public.notices USING btree (account_id) WHERE (read_at IS NULL);

CREATE INDEX oauth_clients_used ON public.oauth_clients USING btree (used_at);

CREATE INDEX oauth_grants_client ON public.oauth_grants USING btree (client_id);

CREATE INDEX oauth_grants_user ON public.oauth_grants USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE INDEX oauth_requests_account ON public.oauth_requests USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX oauth_requests_client ON public.oauth_requests USING btree (client_id);

CREATE INDEX oauth_requests_expiry ON public.oauth_requests USING btree (expires_at);

CREATE INDEX oauth_requests_key ON public.oauth_requests USING btree (key_id) WHERE (key_id IS NOT NULL);

CREATE INDEX oauth_requests_user ON public.oauth_requests USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE INDEX oauth_tokens_expiry ON public.oauth_tokens USING btree (expires_at);

CREATE INDEX oauth_tokens_grant ON public.oauth_tokens USING btree (key_id);

CREATE INDEX operator_actions_disowned ON public.operator_actions USING btree (at DESC, id DESC) WHERE (action = ANY (ARRAY['booking.disowned'::text, 'request.disowned'::text, 'review.disowned'::text]));

CREATE INDEX operator_actions_professional ON public.operator_actions USING btree (professional_id);

CREATE INDEX operator_actions_subject ON public.operator_actions USING btree (subject_id, at DESC, id DESC);

CREATE INDEX outbox_events_waiting ON public.outbox_events USING btree (partition, professional_id, "position") WHERE (relayed_at IS NULL);

CREATE INDEX packages_listing ON public.packages USING btree (price_cents, id) WHERE active;

CREATE INDEX payment_disputes_open ON public.payment_disputes USING btree (opened_at) WHERE (state = 'open'::text);

CREATE INDEX payment_disputes_payment ON public.payment_disputes USING btree (payment_id);

CREATE INDEX payment_notifications_age ON public.payment_notifications USING btree (received_at);

CREATE INDEX payment_refunds_due ON public.payment_refunds USING btree (next_attempt_at) WHERE (status = 'pending'::text);

CREATE INDEX payment_refunds_failed ON public.payment_refunds USING btree (failed_at) WHERE (status = 'failed'::text);

CREATE INDEX payment_refunds_open ON public.payment_refunds USING btree (next_attempt_at) WHERE (status = ANY (ARRAY['pending'::text, 'part'::text, 'submitted'::text]));

CREATE INDEX payment_refunds_parts_due ON public.payment_refunds USING btree (next_attempt_at) WHERE (status = 'part'::text);

CREATE INDEX payment_refunds_payment ON public.payment_refunds USING btree (payment_id);

CREATE UNIQUE INDEX payment_refunds_provider ON public.payment_refunds USING btree (provider_refund_id);

CREATE INDEX payments_captured ON public.payments USING btree (created_at DESC, id DESC) WHERE (captured_at IS NOT NULL);

CREATE INDEX payments_open ON public.payments USING btree (provider, expires_at) WHERE (status = ANY (ARRAY['requires_payment'::text, 'failed'::text]));

CREATE INDEX payments_professional ON public.payments USING btree (professional_id, created_at);

CREATE INDEX payments_quote ON public.payments USING btree (quote_id, created_at) WHERE (quote_id IS NOT NULL);

CREATE UNIQUE INDEX payments_quote_open ON public.payments USING btree (quote_id) WHERE (status = ANY (ARRAY['requires_payment'::text, 'failed'::text, 'succeeded'::text]));

CREATE INDEX prepared_work_booking ON public.prepared_work USING btree (booking_id) WHERE (booking_id IS NOT NULL);

CREATE INDEX prepared_work_job ON public.prepared_work USING btree (job_id) WHERE (job_id IS NOT NULL);

CREATE INDEX prepared_work_listing ON public.prepared_work USING btree (professional_id, kind, created_at DESC, id DESC);

CREATE INDEX prepared_work_past ON public.prepared_work USING btree (created_at);

CREATE INDEX prepared_work_quote ON public.prepared_work USING btree (quote_id) WHERE (quote_id IS NOT NULL);

CREATE INDEX prepared_work_records ON public.prepared_work USING gin (public.record_ids((content)::text)) WHERE (kind = 'day_brief'::text);

CREATE INDEX prepared_work_rfq ON public.prepared_work USING btree (rfq_id) WHERE (rfq_id IS NOT NULL);

CREATE INDEX price_lists_city ON public.price_lists USING btree (city_id);

CREATE UNIQUE INDEX pro_days_key ON public.pro_days USING btree (professional_id, day, kind, service_id, status) NULLS NOT DISTINCT;

CREATE INDEX pro_search_area_cities ON public.pro_search_area USING btree (area) INCLUDE (pros) WHERE ((facet = 0) AND (area > 0));

CREATE INDEX pro_search_area_rows ON public.pro_search_area USING btree (area, facet);

CREATE INDEX pro_search_cell_rows ON public.pro_search_cell USING btree (cell) INCLUDE (pros, verified, instant, verified_instant);

CREATE INDEX pro_search_entry_city ON public.pro_search_entry USING btree (facet, city_id, standing DESC, professional_id) INCLUDE (flags);

CREATE INDEX pro_search_entry_everywhere ON public.pro_search_entry USING btree (facet, standing DESC, professional_id) INCLUDE (flags);

CREATE INDEX pro_search_entry_place ON public.pro_search_entry USING btree (place) INCLUDE ("position", flags);

CREATE INDEX pro_search_entry_position ON public.pro_search_entry USING gist (facet, "position" public.gist_geometry_ops_nd);

CREATE INDEX pro_search_entry_state ON public.pro_search_entry USING btree (facet, state, standing DESC, professional_id) INCLUDE (flags);

CREATE INDEX process_reports_at ON public.process_reports USING btree (at);

CREATE INDEX professional_services_service ON public.professional_services USING btree (service_id);

CREATE INDEX professionals_city ON public.professionals USING btree (city_id);

CREATE INDEX professionals_test_account ON public.professionals USING btree (test_account_id) WHERE (test_account_id IS NOT NULL);

CREATE INDEX properties_account ON public.properties USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX proposals_age ON public.proposals USING btree (created_at) WHERE (status <> 'open'::text);

CREATE INDEX proposals_due ON public.proposals USING btree (expires_at) WHERE (status = 'open'::text);

CREATE INDEX proposals_key ON public.proposals USING btree (key_id) WHERE (key_id IS NOT NULL);

CREATE INDEX proposals_open ON public.proposals USING btree (professional_id) WHERE (status = 'open'::text);

CREATE INDEX proposals_professional ON public.proposals USING btree (professional_id, created_at DESC, id DESC);

CREATE INDEX proposals_target ON public.proposals USING btree (target_id);

CREATE INDEX quotes_drafts ON public.quotes USING btree (rfq_id) WHERE (status = 'draft'::text);

CREATE INDEX quotes_due ON public.quotes USING btree (valid_until) WHERE (status = ANY (ARRAY['sent'::text, 'viewed'::text]));

CREATE UNIQUE INDEX quotes_one_accepted ON public.quotes USING btree (rfq_id) WHERE (status = 'accepted'::text);

CREATE UNIQUE INDEX quotes_one_open ON public.quotes USING btree (rfq_id) WHERE (status = ANY (ARRAY['sent'::text, 'viewed'::text]));

CREATE INDEX quotes_professional ON public.quotes USING btree (professional_id, created_at DESC, id DESC);

CREATE INDEX quotes_rfq ON public.quotes USING btree (rfq_id, created_at);

CREATE INDEX quotes_state ON public.quotes USING btree (professional_id, status, created_at DESC, id DESC);

CREATE INDEX reviews_booking ON public.reviews USING btree (booking_id) WHERE (booking_id IS NOT NULL);

CREATE INDEX reviews_customer ON public.reviews USING btree (customer_email);

CREATE INDEX reviews_helpful ON public.reviews USING btree (professional_id, ((helpful_yes - helpful_no)) DESC, created_at DESC, id DESC) WHERE (status = 'approved'::text);

CREATE INDEX reviews_job ON public.reviews USING btree (job_id) WHERE (job_id IS NOT NULL);

CREATE UNIQUE INDEX reviews_one_each ON public.reviews USING btree (professional_id, customer_email, booking_id, job_id) NULLS NOT DISTINCT WHERE (status <> 'rejected'::text);

CREATE INDEX reviews_professional ON public.reviews USING btree (professional_id, created_at DESC, id DESC);

CREATE INDEX reviews_rating ON public.reviews USING btree (professional_id, rating, created_at DESC, id DESC) WHERE (status = 'approved'::text);

CREATE INDEX reviews_recent ON public.reviews USING btree (professional_id, created_at DESC, id DESC) WHERE (status = 'approved'::text);

CREATE INDEX reviews_rejected_age ON public.reviews USING btree (rejected_at) WHERE (status = 'rejected'::text);

CREATE INDEX reviews_state ON public.reviews USING btree (professional_id, status, created_at DESC, id DESC);

CREATE INDEX reviews_to_moderate ON public.reviews USING btree (created_at, id) WHERE (status = 'pending'::text);

CREATE INDEX rfqs_account ON public.rfqs USING btree (account_id, customer_email, created_at DESC, id DESC) WHERE (account_id IS NOT NULL);

CREATE INDEX rfqs_customer ON public.rfqs USING btree (customer_email);

CREATE INDEX rfqs_professional ON public.rfqs USING btree (professional_id, created_at DESC, id DESC);

CREATE INDEX rfqs_service ON public.rfqs USING btree (service_id);

CREATE INDEX rfqs_state ON public.rfqs USING btree (professional_id, status, created_at DESC, id DESC);

CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

CREATE INDEX sign_in_codes_email ON public.sign_in_codes USING btree (email);

CREATE INDEX sign_in_codes_expiry ON public.sign_in_codes USING btree (expires_at);

CREATE INDEX thread_messages_run ON public.thread_messages USING btree (professional_id, run_id);

CREATE INDEX threads_listing ON public.threads USING btree (professional_id, last_activity_at DESC, id DESC);

CREATE INDEX threads_past ON public.threads USING btree (last_activity_at);

CREATE INDEX trace_parts_age ON public.trace_parts USING btree (started_at);

CREATE INDEX trace_parts_because ON public.trace_parts USING btree (because, id);

CREATE INDEX trace_parts_trace ON public.trace_parts USING btree (trace_id);

CREATE INDEX user_changes_user ON public.user_changes USING btree (user_id, at DESC, id DESC);

CREATE INDEX users_operators ON public.users USING btree (id) WHERE (role = 'operator'::text);

CREATE INDEX verification_requests_open ON public.verification_requests USING btree (asked_at) WHERE (refused_at IS NULL);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at, id) WHERE (state = 'pending'::text);

CREATE INDEX webhook_deliveries_listing ON public.webhook_deliveries USING btree (endpoint_id, id DESC);

CREATE INDEX webhook_deliveries_queue ON public.webhook_deliveries USING btree (endpoint_id, id) WHERE (state = 'pending'::text);

CREATE INDEX webhook_endpoints_account ON public.webhook_endpoints USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX webhook_events_age ON public.webhook_events USING btree (created_at);

CREATE INDEX webhook_events_aggregate ON public.webhook_events USING btree (aggregate_id) WHERE (aggregate_id IS NOT NULL);

ALTER INDEX public.key_usage_day ATTACH PARTITION public.key_usage_default_day;

ALTER INDEX public.key_usage_pkey ATTACH PARTITION public.key_usage_default_pkey;

ALTER INDEX public.webhook_attempts_pkey ATTACH PARTITION public.webhook_attempts_default_pkey;

ALTER INDEX public.webhook_attempts_pkey ATTACH PARTITION public.webhook_attempts_first_pkey;

CREATE TRIGGER agent_run_moved AFTER UPDATE OF status ON public.agent_runs FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION public.notify_agent_run();

CREATE TRIGGER agent_run_queued AFTER INSERT ON public.agent_runs FOR EACH ROW EXECUTE FUNCTION public.notify_agent_run();

CREATE TRIGGER agent_run_transition BEFORE INSERT OR UPDATE OF status ON public.agent_runs FOR EACH ROW EXECUTE FUNCTION public.check_transition('agent run');

CREATE TRIGGER agent_task_transition BEFORE INSERT OR UPDATE OF status ON public.metered_tasks FOR EACH ROW EXECUTE FUNCTION public.check_transition('agent task');

CREATE TRIGGER booking_agreed_start BEFORE INSERT ON public.bookings FOR EACH ROW EXECUTE FUNCTION public.keep_agreed_start();

CREATE TRIGGER booking_completed AFTER UPDATE OF status ON public.bookings FOR EACH ROW WHEN (((new.status = 'completed'::text) AND (old.status <> 'completed'::text))) EXECUTE FUNCTION public.verify_reviews();

CREATE TRIGGER booking_ends_proposed_time AFTER UPDATE OF status, starts_at ON public.bookings FOR EACH ROW WHEN (((old.status <> new.status) OR (old.starts_at <> new.starts_at))) EXECUTE FUNCTION public.end_proposed_time();

CREATE TRIGGER booking_mode BEFORE INSERT OR UPDATE OF professional_id, account_id ON public.bookings FOR EACH ROW EXECUTE FUNCTION public.check_test_mode();

CREATE TRIGGER booking_moved_start BEFORE UPDATE OF starts_at ON public.bookings FOR EACH ROW WHEN ((new.starts_at <> old.starts_at)) EXECUTE FUNCTION public.keep_agreed_start();

CREATE TRIGGER booking_transition BEFORE INSERT OR UPDATE OF status ON public.bookings FOR EACH ROW EXECUTE FUNCTION public.check_transition('booking');

CREATE TRIGGER bookings_counted AFTER INSERT ON public.bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_bookings_changed();

CREATE TRIGGER bookings_recounted AFTER UPDATE ON public.bookings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_bookings_changed();

CREATE TRIGGER bookings_uncounted AFTER DELETE ON public.bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_bookings_changed();

CREATE TRIGGER catalog_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.pro_search_area FOR EACH STATEMENT EXECUTE FUNCTION public.notify_catalog();

CREATE TRIGGER categories_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.categories FOR EACH STATEMENT EXECUTE FUNCTION public.notify_catalog_names();

CREATE TRIGGER cities_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.cities FOR EACH STATEMENT EXECUTE FUNCTION public.notify_catalog_names();

CREATE TRIGGER city_time_zone BEFORE INSERT OR UPDATE OF time_zone ON public.cities FOR EACH ROW EXECUTE FUNCTION public.check_time_zone();

CREATE TRIGGER credit_accounts_kept BEFORE TRUNCATE ON public.credit_accounts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_credit_change();

CREATE TRIGGER credit_accounts_law BEFORE DELETE OR UPDATE ON public.credit_accounts FOR EACH ROW EXECUTE FUNCTION public.refuse_credit_change();

CREATE TRIGGER credit_accounts_opened BEFORE INSERT ON public.credit_accounts FOR EACH ROW WHEN ((new.balance <> 0)) EXECUTE FUNCTION public.refuse_credit_change();

CREATE TRIGGER credit_transfers_kept BEFORE TRUNCATE ON public.credit_transfers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_credit_change();

CREATE TRIGGER credit_transfers_law BEFORE DELETE OR UPDATE ON public.credit_transfers FOR EACH ROW EXECUTE FUNCTION public.refuse_credit_change();

CREATE TRIGGER credit_transfers_of_tasks BEFORE INSERT ON public.credit_transfers FOR EACH ROW WHEN ((new.task_id IS NOT NULL)) EXECUTE FUNCTION public.refuse_credit_change();

CREATE CONSTRAINT TRIGGER dispute_revenue AFTER INSERT OR UPDATE OF state, amount_cents ON public.payment_disputes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.settle_payment_revenue();

CREATE CONSTRAINT TRIGGER dispute_updated AFTER INSERT OR UPDATE OF state, amount_cents ON public.payment_disputes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.emit_payment_update();

CREATE TRIGGER job_completed AFTER UPDATE OF status ON public.jobs FOR EACH ROW WHEN (((new.status = 'completed'::text) AND (old.status <> 'completed'::text))) EXECUTE FUNCTION public.verify_reviews();

CREATE CONSTRAINT TRIGGER job_revenue AFTER UPDATE OF status ON public.jobs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.status = ANY (ARRAY['completed'::text, 'cancelled'::text])) AND (new.status <> old.status))) EXECUTE FUNCTION public.settle_job_revenue();

CREATE TRIGGER job_transition BEFORE INSERT OR UPDATE OF status ON public.jobs FOR EACH ROW EXECUTE FUNCTION public.check_transition('job');

CREATE TRIGGER jobs_counted AFTER INSERT ON public.jobs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_jobs_changed();

CREATE TRIGGER jobs_recounted AFTER UPDATE ON public.jobs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_jobs_changed();

CREATE TRIGGER jobs_uncounted AFTER DELETE ON public.jobs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_jobs_changed();

CREATE TRIGGER key_mode BEFORE INSERT OR UPDATE OF mode, account_id ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.check_key_mode();

CREATE TRIGGER metered_tasks_kept BEFORE DELETE ON public.metered_tasks FOR EACH ROW EXECUTE FUNCTION public.refuse_credit_change();

CREATE TRIGGER metered_tasks_law BEFORE UPDATE ON public.metered_tasks FOR EACH ROW WHEN ((((((old.professional_id IS DISTINCT FROM new.professional_id) OR (old.id IS DISTINCT FROM new.id)) OR (old.kind IS DISTINCT FROM new.kind)) OR (old.funded_by IS DISTINCT FROM new.funded_by)) OR (old.reserved_at IS DISTINCT FROM new.reserved_at))) EXECUTE FUNCTION public.refuse_credit_change();

CREATE TRIGGER outbox_written AFTER INSERT ON public.outbox_events FOR EACH STATEMENT EXECUTE FUNCTION public.notify_outbox();

CREATE TRIGGER part_deleted AFTER DELETE ON public.messages FOR EACH ROW WHEN ((old.digest_id IS NOT NULL)) EXECUTE FUNCTION public.delete_sent_digest();

CREATE TRIGGER payment_provider BEFORE INSERT OR UPDATE OF provider, professional_id ON public.payments FOR EACH ROW EXECUTE FUNCTION public.choose_test_provider();

CREATE TRIGGER payment_revenue BEFORE INSERT OR UPDATE OF status, captured_at, captured_cents ON public.payments FOR EACH ROW EXECUTE FUNCTION public.keep_payment_revenue();

CREATE TRIGGER payment_transition BEFORE INSERT OR UPDATE OF status ON public.payments FOR EACH ROW EXECUTE FUNCTION public.check_transition('payment');

CREATE CONSTRAINT TRIGGER payment_updated AFTER UPDATE OF status, retained, captured_at ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.emit_payment_update();

CREATE TRIGGER payments_counted AFTER INSERT ON public.payments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_payments_changed();

CREATE TRIGGER payments_recounted AFTER UPDATE ON public.payments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_payments_changed();

CREATE TRIGGER payments_uncounted AFTER DELETE ON public.payments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_payments_changed();

CREATE TRIGGER price_deleted AFTER DELETE ON public.jobs FOR EACH ROW WHEN ((old.status = 'completed'::text)) EXECUTE FUNCTION public.note_job_price();

CREATE TRIGGER price_deleted AFTER DELETE ON public.quotes FOR EACH ROW WHEN ((old.status = 'accepted'::text)) EXECUTE FUNCTION public.note_quote_price();

CREATE TRIGGER price_inserted AFTER INSERT ON public.jobs FOR EACH ROW WHEN ((new.status = 'completed'::text)) EXECUTE FUNCTION public.note_job_price();

CREATE TRIGGER price_inserted AFTER INSERT ON public.quotes FOR EACH ROW WHEN ((new.status = 'accepted'::text)) EXECUTE FUNCTION public.note_quote_price();

CREATE TRIGGER price_updated AFTER UPDATE OF status, amount_cents, units ON public.jobs FOR EACH ROW WHEN ((((old.status = 'completed'::text) OR (new.status = 'completed'::text)) AND (((old.status IS DISTINCT FROM new.status) OR (old.amount_cents IS DISTINCT FROM new.amount_cents)) OR (old.units IS DISTINCT FROM new.units)))) EXECUTE FUNCTION public.note_job_price();

CREATE TRIGGER price_updated AFTER UPDATE OF status, amount_cents, units, units_cents ON public.quotes FOR EACH ROW WHEN ((((old.status = 'accepted'::text) OR (new.status = 'accepted'::text)) AND ((((old.status IS DISTINCT FROM new.status) OR (old.amount_cents IS DISTINCT FROM new.amount_cents)) OR (old.units IS DISTINCT FROM new.units)) OR (old.units_cents IS DISTINCT FROM new.units_cents)))) EXECUTE FUNCTION public.note_quote_price();

CREATE TRIGGER prices_deleted AFTER DELETE ON public.professional_services REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.note_offers_deleted();

CREATE TRIGGER prices_inserted AFTER INSERT ON public.professional_services REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.note_offers_inserted();

CREATE TRIGGER prices_of_deleted BEFORE DELETE ON public.professionals FOR EACH ROW EXECUTE FUNCTION public.note_pro_moved();

CREATE TRIGGER prices_of_moved BEFORE UPDATE OF active, city_id ON public.professionals FOR EACH ROW WHEN (((old.active IS DISTINCT FROM new.active) OR (old.city_id IS DISTINCT FROM new.city_id))) EXECUTE FUNCTION public.note_pro_moved();

CREATE TRIGGER prices_of_service AFTER UPDATE OF price_type, unit ON public.services FOR EACH ROW WHEN (((old.price_type IS DISTINCT FROM new.price_type) OR (old.unit IS DISTINCT FROM new.unit))) EXECUTE FUNCTION public.note_service_priced();

CREATE TRIGGER prices_touched AFTER INSERT ON public.pricing_changes FOR EACH STATEMENT EXECUTE FUNCTION public.notify_prices();

CREATE TRIGGER prices_updated AFTER UPDATE ON public.professional_services REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.note_offers_updated();

CREATE TRIGGER pricing_changed AFTER INSERT OR DELETE OR UPDATE ON public.pricing_aggregates FOR EACH STATEMENT EXECUTE FUNCTION public.notify_pricing();

CREATE TRIGGER professional_time_zone BEFORE INSERT OR UPDATE OF time_zone ON public.professionals FOR EACH ROW EXECUTE FUNCTION public.check_time_zone();

CREATE TRIGGER professional_zone_of_calendars AFTER UPDATE OF time_zone ON public.professionals FOR EACH ROW WHEN ((new.time_zone <> old.time_zone)) EXECUTE FUNCTION public.read_calendars_again();

CREATE TRIGGER proposal_transition BEFORE INSERT OR UPDATE OF status ON public.proposals FOR EACH ROW EXECUTE FUNCTION public.check_transition('proposal');

CREATE TRIGGER quote_deposit BEFORE UPDATE OF status ON public.quotes FOR EACH ROW WHEN (((new.status = 'accepted'::text) AND (old.status <> 'accepted'::text))) EXECUTE FUNCTION public.check_quote_deposit();

CREATE TRIGGER quote_transition BEFORE INSERT OR UPDATE OF status ON public.quotes FOR EACH ROW EXECUTE FUNCTION public.check_transition('quote');

CREATE TRIGGER quotes_counted AFTER INSERT ON public.quotes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_quotes_changed();

CREATE TRIGGER quotes_recounted AFTER UPDATE ON public.quotes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_quotes_changed();

CREATE TRIGGER quotes_uncounted AFTER DELETE ON public.quotes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_quotes_changed();

CREATE TRIGGER refund_amount BEFORE INSERT OR UPDATE OF amount_cents, payment_id ON public.payment_refunds FOR EACH ROW EXECUTE FUNCTION public.check_refund_amount();

CREATE CONSTRAINT TRIGGER refund_revenue AFTER INSERT OR UPDATE OF status, amount_cents ON public.payment_refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.settle_payment_revenue();

CREATE TRIGGER refund_transition BEFORE INSERT OR UPDATE OF status ON public.payment_refunds FOR EACH ROW EXECUTE FUNCTION public.check_transition('refund');

CREATE CONSTRAINT TRIGGER refund_updated AFTER INSERT OR UPDATE OF status, amount_cents ON public.payment_refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.emit_payment_update();

CREATE TRIGGER review_approved AFTER UPDATE OF status ON public.reviews FOR EACH ROW WHEN (((new.status = 'approved'::text) AND (old.status <> 'approved'::text))) EXECUTE FUNCTION public.count_approved_review();

CREATE TRIGGER review_mode BEFORE INSERT OR UPDATE OF professional_id, account_id ON public.reviews FOR EACH ROW EXECUTE FUNCTION public.check_test_mode();

CREATE TRIGGER review_transition BEFORE INSERT OR UPDATE OF status ON public.reviews FOR EACH ROW EXECUTE FUNCTION public.check_transition('review');

CREATE TRIGGER review_withdrawn AFTER UPDATE OF status ON public.reviews FOR EACH ROW WHEN (((old.status = 'approved'::text) AND (new.status <> 'approved'::text))) EXECUTE FUNCTION public.uncount_review();

CREATE TRIGGER reviews_counted AFTER INSERT ON public.reviews REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_reviews_changed();

CREATE TRIGGER reviews_recounted AFTER UPDATE ON public.reviews REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_reviews_changed();

CREATE TRIGGER reviews_uncounted AFTER DELETE ON public.reviews REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_reviews_changed();

CREATE TRIGGER rfq_mode BEFORE INSERT OR UPDATE OF professional_id, account_id ON public.rfqs FOR EACH ROW EXECUTE FUNCTION public.check_test_mode();

CREATE TRIGGER rfq_transition BEFORE INSERT OR UPDATE OF status ON public.rfqs FOR EACH ROW EXECUTE FUNCTION public.check_transition('rfq');

CREATE TRIGGER rfqs_counted AFTER INSERT ON public.rfqs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_rfqs_changed();

CREATE TRIGGER rfqs_recounted AFTER UPDATE ON public.rfqs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_rfqs_changed();

CREATE TRIGGER rfqs_uncounted AFTER DELETE ON public.rfqs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_rfqs_changed();

CREATE TRIGGER search_deleted AFTER DELETE ON public.professional_services REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.search_offers_deleted();

CREATE TRIGGER search_deleted AFTER DELETE ON public.professionals REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.search_pros_deleted();

CREATE TRIGGER search_inserted AFTER INSERT ON public.professional_services REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.search_offers_inserted();

CREATE TRIGGER search_inserted AFTER INSERT ON public.professionals REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.search_pros_inserted();

CREATE TRIGGER search_updated AFTER UPDATE ON public.categories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.search_categories_updated();

CREATE TRIGGER search_updated AFTER UPDATE ON public.cities REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.search_cities_updated();

CREATE TRIGGER search_updated AFTER UPDATE ON public.professional_services REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.search_offers_updated();

CREATE TRIGGER search_updated AFTER UPDATE ON public.professionals REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.search_pros_updated();

CREATE TRIGGER search_updated AFTER UPDATE ON public.services REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.search_services_updated();

CREATE TRIGGER services_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.services FOR EACH STATEMENT EXECUTE FUNCTION public.notify_catalog_names();

CREATE TRIGGER states_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.states FOR EACH STATEMENT EXECUTE FUNCTION public.notify_catalog_names();

CREATE TRIGGER task_ended AFTER UPDATE OF status ON public.metered_tasks FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION public.move_task_credit();

CREATE TRIGGER task_reserved AFTER INSERT ON public.metered_tasks FOR EACH ROW EXECUTE FUNCTION public.move_task_credit();

CREATE TRIGGER time_zone_counted AFTER UPDATE OF time_zone ON public.professionals FOR EACH ROW WHEN ((old.time_zone <> new.time_zone)) EXECUTE FUNCTION public.keep_former_time_zone();

CREATE TRIGGER transfer_applied AFTER INSERT ON public.credit_transfers FOR EACH ROW EXECUTE FUNCTION public.apply_credit_transfer();

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_test_of_fkey FOREIGN KEY (test_of) REFERENCES public.accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.agent_runs
    ADD CONSTRAINT agent_runs_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.agent_runs
    ADD CONSTRAINT agent_runs_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.agent_runs
    ADD CONSTRAINT agent_runs_task FOREIGN KEY (professional_id, id) REFERENCES public.metered_tasks(professional_id, id);

ALTER TABLE ONLY public.agent_runs
    ADD CONSTRAINT agent_runs_thread FOREIGN KEY (professional_id, thread_id) REFERENCES public.threads(professional_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.agent_steps
    ADD CONSTRAINT agent_steps_run FOREIGN KEY (professional_id, run_id) REFERENCES public.agent_runs(professional_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.availability_blocks
    ADD CONSTRAINT availability_blocks_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.booking_proposed_times
    ADD CONSTRAINT booking_proposed_times_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_assigned_member FOREIGN KEY (professional_id, assigned_member_id) REFERENCES public.members(professional_id, id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_package_id_fkey FOREIGN KEY (package_id) REFERENCES public.packages(id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id);

ALTER TABLE ONLY public.calendar_feeds
    ADD CONSTRAINT calendar_feeds_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.calendar_feeds
    ADD CONSTRAINT calendar_feeds_professional_id_member_id_fkey FOREIGN KEY (professional_id, member_id) REFERENCES public.members(professional_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.cities
    ADD CONSTRAINT cities_state_fkey FOREIGN KEY (state) REFERENCES public.states(code);

ALTER TABLE ONLY public.credit_accounts
    ADD CONSTRAINT credit_accounts_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.credit_ledgers(professional_id);

ALTER TABLE ONLY public.credit_ledgers
    ADD CONSTRAINT credit_ledgers_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.credit_transfers
    ADD CONSTRAINT credit_transfers_from FOREIGN KEY (professional_id, from_account) REFERENCES public.credit_accounts(professional_id, name);

ALTER TABLE ONLY public.credit_transfers
    ADD CONSTRAINT credit_transfers_task FOREIGN KEY (professional_id, task_id) REFERENCES public.metered_tasks(professional_id, id);

ALTER TABLE ONLY public.credit_transfers
    ADD CONSTRAINT credit_transfers_to FOREIGN KEY (professional_id, to_account) REFERENCES public.credit_accounts(professional_id, name);

ALTER TABLE ONLY public.customer_blocks
    ADD CONSTRAINT customer_blocks_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.customer_sessions
    ADD CONSTRAINT customer_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.customers(account_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.erasure_requests
    ADD CONSTRAINT erasure_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.customers(account_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.former_time_zones
    ADD CONSTRAINT former_time_zones_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.imported_busy
    ADD CONSTRAINT imported_busy_professional_id_calendar_id_fkey FOREIGN KEY (professional_id, calendar_id) REFERENCES public.imported_calendars(professional_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.imported_calendars
    ADD CONSTRAINT imported_calendars_member FOREIGN KEY (professional_id, member_id) REFERENCES public.members(professional_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.imported_calendars
    ADD CONSTRAINT imported_calendars_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.imported_conflicts
    ADD CONSTRAINT imported_conflicts_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.imported_conflicts
    ADD CONSTRAINT imported_conflicts_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES public.imported_calendars(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES public.quotes(id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id);

ALTER TABLE public.key_usage
    ADD CONSTRAINT key_usage_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.mailbox
    ADD CONSTRAINT mailbox_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_digest FOREIGN KEY (digest_id) REFERENCES public.messages(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.metered_tasks
    ADD CONSTRAINT metered_tasks_funded_by FOREIGN KEY (professional_id, funded_by) REFERENCES public.credit_accounts(professional_id, name);

ALTER TABLE ONLY public.metered_tasks
    ADD CONSTRAINT metered_tasks_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.credit_ledgers(professional_id);

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.oauth_clients(id);

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.oauth_clients(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oauth_tokens
    ADD CONSTRAINT oauth_tokens_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.oauth_grants(key_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.operator_actions
    ADD CONSTRAINT operator_actions_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.packages
    ADD CONSTRAINT packages_offer FOREIGN KEY (professional_id, service_id) REFERENCES public.professional_services(professional_id, service_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.password_links
    ADD CONSTRAINT password_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.payment_disputes
    ADD CONSTRAINT payment_disputes_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.payment_disputes
    ADD CONSTRAINT payment_disputes_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.payment_refunds
    ADD CONSTRAINT payment_refunds_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id);

ALTER TABLE ONLY public.payment_refunds
    ADD CONSTRAINT payment_refunds_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES public.quotes(id);

ALTER TABLE ONLY public.prepared_work
    ADD CONSTRAINT prepared_work_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id);

ALTER TABLE ONLY public.prepared_work
    ADD CONSTRAINT prepared_work_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.jobs(id);

ALTER TABLE ONLY public.prepared_work
    ADD CONSTRAINT prepared_work_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.prepared_work
    ADD CONSTRAINT prepared_work_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES public.quotes(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.prepared_work
    ADD CONSTRAINT prepared_work_rfq_id_fkey FOREIGN KEY (rfq_id) REFERENCES public.rfqs(id);

ALTER TABLE ONLY public.price_lists
    ADD CONSTRAINT price_lists_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pricing_aggregates
    ADD CONSTRAINT pricing_aggregates_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pricing_changes
    ADD CONSTRAINT pricing_changes_city_id_fkey FOREIGN KEY (city_id) REFERENCES public.cities(id);

ALTER TABLE ONLY public.pricing_changes
    ADD CONSTRAINT pricing_changes_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_business_entities
    ADD CONSTRAINT pro_business_entities_license_state_fkey FOREIGN KEY (license_state) REFERENCES public.states(code);

ALTER TABLE ONLY public.pro_business_entities
    ADD CONSTRAINT pro_business_entities_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_counts
    ADD CONSTRAINT pro_counts_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_days
    ADD CONSTRAINT pro_days_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_public_profiles
    ADD CONSTRAINT pro_public_profiles_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_search_kept_slots
    ADD CONSTRAINT pro_search_kept_slots_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_site_configs
    ADD CONSTRAINT pro_site_configs_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.professional_services
    ADD CONSTRAINT professional_services_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.professional_services
    ADD CONSTRAINT professional_services_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id);

ALTER TABLE ONLY public.professionals
    ADD CONSTRAINT professionals_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.professionals
    ADD CONSTRAINT professionals_city_id_fkey FOREIGN KEY (city_id) REFERENCES public.cities(id);

ALTER TABLE ONLY public.professionals
    ADD CONSTRAINT professionals_test_account_id_fkey FOREIGN KEY (test_account_id) REFERENCES public.accounts(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.properties
    ADD CONSTRAINT properties_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.properties
    ADD CONSTRAINT properties_state_fkey FOREIGN KEY (state) REFERENCES public.states(code);

ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT proposals_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT proposals_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_rfq_id_fkey FOREIGN KEY (rfq_id) REFERENCES public.rfqs(id);

ALTER TABLE ONLY public.review_stats
    ADD CONSTRAINT review_stats_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.review_votes
    ADD CONSTRAINT review_votes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.review_votes
    ADD CONSTRAINT review_votes_review_id_fkey FOREIGN KEY (review_id) REFERENCES public.reviews(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id);

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.jobs(id);

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.rfqs
    ADD CONSTRAINT rfqs_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.rfqs
    ADD CONSTRAINT rfqs_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.rfqs
    ADD CONSTRAINT rfqs_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id);

ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.categories(id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_test_account_id_fkey FOREIGN KEY (test_account_id) REFERENCES public.accounts(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.thread_messages
    ADD CONSTRAINT thread_messages_of_run FOREIGN KEY (professional_id, run_id) REFERENCES public.agent_runs(professional_id, id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.thread_messages
    ADD CONSTRAINT thread_messages_thread FOREIGN KEY (professional_id, thread_id) REFERENCES public.threads(professional_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id);

ALTER TABLE ONLY public.user_changes
    ADD CONSTRAINT user_changes_by_user_id_fkey FOREIGN KEY (by_user_id) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.user_changes
    ADD CONSTRAINT user_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.verification_requests
    ADD CONSTRAINT verification_requests_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.webhook_deliveries(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.webhook_events(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);
