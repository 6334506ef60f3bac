-- The schema as the migrations make it, without the bodies of functions, which stand in sql/functions. Written by
-- `npm run schema`; `npm run check` compares it. Do not edit.

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
    AS '';

CREATE FUNCTION public.add_credits(pro_id uuid, tasks integer, payment text, as_of timestamp with time zone) RETURNS text
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.add_pro_facts(added public.pro_fact[], removed public.pro_fact[]) RETURNS void
    LANGUAGE plpgsql
    AS '';

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
    offers text[] DEFAULT '{}'::text[] NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY public.pro_search ALTER COLUMN doc SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.pro_search ALTER COLUMN offers SET STORAGE EXTERNAL;

COMMENT ON COLUMN public.pro_search.flags IS 'As search_flags makes them.';

CREATE FUNCTION public.add_search_counts(p_old public.pro_search[], p_new public.pro_search[]) RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.add_time_zone(wanted text) RETURNS boolean
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.agreed_price_cents(price_type text, base_cents integer, min_cents integer, max_cents integer, duration_minutes integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

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
    in_service_area boolean,
    made_by text,
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
    CONSTRAINT bookings_made_by_check CHECK ((made_by = ANY (ARRAY['pro'::text, 'operator'::text]))),
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
    AS '';

CREATE FUNCTION public.apply_credit_transfer() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.ask_file_removal() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.ask_wake_up(channel text, payload text) RETURNS void
    LANGUAGE plpgsql
    AS '';

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
    CONSTRAINT payments_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'CAD'::text]))),
    CONSTRAINT payments_deposit_cents_check CHECK ((deposit_cents >= 0)),
    CONSTRAINT payments_fee_cents_check CHECK ((fee_cents >= 0)),
    CONSTRAINT payments_intent CHECK (((client_secret IS NULL) OR (intent_id IS NOT NULL))),
    CONSTRAINT payments_provider_check CHECK ((provider = ANY (ARRAY['sandbox'::text, 'stripe'::text]))),
    CONSTRAINT payments_purpose CHECK ((num_nonnulls(booking_id, quote_id) = 1)),
    CONSTRAINT payments_status_check CHECK ((status = ANY (ARRAY['requires_payment'::text, 'failed'::text, 'succeeded'::text, 'expired'::text, 'refunding'::text, 'refunded'::text])))
);

CREATE FUNCTION public.balance_object(payments_made public.payments[], price_cents integer, fee_cents integer, due_cents integer, deposit_due_cents integer, is_open boolean) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.begin_delivery_ids(day date) RETURNS void
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.begin_job_of_visit() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

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
    AS '';

CREATE FUNCTION public.book_visit(pro_id uuid, of_quote_id uuid, on_day date, at_minute integer, booking_id uuid, code text, event_ids uuid[], traceparent text, site_account_id uuid, as_of timestamp with time zone, OUT outcome text, OUT visit_id uuid) RETURNS record
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.longest_interval_minutes(business_hours jsonb) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS '';

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
    plan_until date,
    status text DEFAULT 'active'::text NOT NULL,
    paused_by_operator boolean DEFAULT false NOT NULL,
    external_id text,
    CONSTRAINT professionals_buffer_minutes_check CHECK (((buffer_minutes >= 0) AND (buffer_minutes <= 240))),
    CONSTRAINT professionals_business_name_check CHECK (((length(business_name) >= 1) AND (length(business_name) <= 200))),
    CONSTRAINT professionals_check CHECK (((rating_sum >= review_count) AND (rating_sum <= (review_count * 5)))),
    CONSTRAINT professionals_default_slot_minutes_check CHECK ((((default_slot_minutes >= 15) AND (default_slot_minutes <= 720)) AND ((default_slot_minutes % 5) = 0))),
    CONSTRAINT professionals_deposit CHECK ((deposit_required = (deposit_percentage IS NOT NULL))),
    CONSTRAINT professionals_deposit_percentage_check CHECK (((deposit_percentage > (0)::numeric) AND (deposit_percentage <= (100)::numeric))),
    CONSTRAINT professionals_description_check CHECK ((length(description) <= 5000)),
    CONSTRAINT professionals_external_id CHECK (((length(external_id) >= 1) AND (length(external_id) <= 200))),
    CONSTRAINT professionals_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT professionals_lead_time_hours_check CHECK (((lead_time_hours >= 0) AND (lead_time_hours <= 720))),
    CONSTRAINT professionals_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
    CONSTRAINT professionals_phone_check CHECK ((length(phone) <= 50)),
    CONSTRAINT professionals_reminder_hours CHECK (((reminder_hours >= 1) AND (reminder_hours <= 168))),
    CONSTRAINT professionals_review_count_check CHECK ((review_count >= 0)),
    CONSTRAINT professionals_service_radius_miles_check CHECK (((service_radius_miles >= 1) AND (service_radius_miles <= 500))),
    CONSTRAINT professionals_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 200))),
    CONSTRAINT professionals_status CHECK (((status = ANY (ARRAY['active'::text, 'paused'::text, 'closed'::text])) AND (active = ((status = 'active'::text) AND (test_account_id IS NULL))) AND ((status = 'paused'::text) OR (NOT paused_by_operator)))),
    CONSTRAINT professionals_test_hidden CHECK (((test_account_id IS NULL) OR (NOT active))),
    CONSTRAINT professionals_website_check CHECK ((length(website) <= 2048)),
    CONSTRAINT professionals_years_of_experience_check CHECK (((years_of_experience >= 0) AND (years_of_experience <= 120)))
);

CREATE FUNCTION public.bookable_time(pro public.professionals, starts_at timestamp with time zone, base_url text, chosen_service uuid, chosen_package uuid) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.booking_as_of(booking public.bookings, as_of timestamp with time zone) RETURNS public.bookings
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.booking_balance(booking public.bookings) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.booking_job(booking public.bookings) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

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
    AS '';

CREATE FUNCTION public.booking_object(booking public.bookings) RETURNS json
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    AS '';

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
    CONSTRAINT professional_services_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'CAD'::text]))),
    CONSTRAINT professional_services_description_check CHECK ((length(description) <= 5000)),
    CONSTRAINT professional_services_duration_minutes_check CHECK ((((duration_minutes >= 15) AND (duration_minutes <= 720)) AND ((duration_minutes % 5) = 0))),
    CONSTRAINT professional_services_min_price_cents_check CHECK ((min_price_cents >= 0)),
    CONSTRAINT professional_services_price_type_check CHECK ((price_type = ANY (ARRAY['flat'::text, 'hourly'::text, 'per_unit'::text]))),
    CONSTRAINT professional_services_unit CHECK ((((price_type = 'flat'::text) = (unit IS NULL)) AND ((length(unit) >= 1) AND (length(unit) <= 40))))
);

CREATE FUNCTION public.booking_obstacle(pro public.professionals, offer public.professional_services, minutes integer, has_price boolean DEFAULT false) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.booking_package(booking public.bookings) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.booking_payment(booking public.bookings) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.booking_price(booking public.bookings) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.booking_receipt(booking public.bookings, pro public.professionals, place text) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.booking_shown(booking public.bookings, pro public.professionals, place text, proposed json) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.busy_time(pro_id uuid, buffer_minutes integer, span tstzrange, as_of timestamp with time zone, except_booking uuid DEFAULT NULL::uuid) RETURNS tstzmultirange
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.category_facets(ordinals smallint[]) RETURNS smallint[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.check_key_mode() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.check_new_time_zones() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.check_quote_deposit() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.check_refund_amount() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.check_test_mode() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.check_time_zone() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.check_transition() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.check_visits_of_job() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.choose_test_provider() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.chosen_offer(pro public.professionals, chosen_service uuid, chosen_package uuid) RETURNS TABLE(service_id uuid, package_id uuid, minutes integer, obstacle text, terms json)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

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
    AS '';

CREATE FUNCTION public.claim_deliveries(endpoints uuid[], room integer[], worker_id uuid, as_of timestamp with time zone, lease_until timestamp with time zone) RETURNS TABLE(id bigint, endpoint_id uuid, event_id text, type text, body text, traceparent text, event_at text, attempts integer, round integer, url text, ordered boolean, max_retries integer, failing_since text, secrets text[])
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.claim_free_booking(network text, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.claim_hold(network text, booking_id uuid, max_holds integer, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.claim_messages(max integer, optional_kinds text[], urgent_kinds text[], reserved_kinds text[], hourly integer, as_of timestamp with time zone, lease_until timestamp with time zone) RETURNS TABLE(id bigint, kind text, recipient text, data jsonb, data_encrypted text, booking_id uuid, attempts integer, refusals integer, traceparent text, send_at timestamp with time zone, created_at timestamp with time zone, is_current boolean, suppression text, is_excess boolean, is_test boolean)
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.clock_minute(reading text) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.clock_reaches(day date, minute integer, zone text) RETURNS timestamp with time zone
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.clock_reading(minute integer) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.continue_search_refresh(at_most integer) RETURNS boolean
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.contradiction_of_job(pro_id uuid, of_job_id uuid) RETURNS text
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.copy_offers(from_id uuid, into_id uuid, at_most integer) RETURNS boolean
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.correct_prices(as_of timestamp with time zone, pass_day date) RETURNS integer
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.count_approved_review() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.count_bookings(pro_id uuid, states text[], as_of timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS '';

CREATE FUNCTION public.count_bookings_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.count_jobs_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.count_of_pro(pro_id uuid, of_kind text, state text) RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.count_payments_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.count_pro_facts(pro_ids uuid[], of_kind text) RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.count_quotes(pro_id uuid, state text, as_of timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE
    AS '';

CREATE FUNCTION public.count_quotes_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

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
    AS '';

CREATE FUNCTION public.count_reviews_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.count_rfqs_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.counted_zone(pro_id uuid, present text, at timestamp with time zone) RETURNS TABLE(time_zone text)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.current_message_booking(wanted_id uuid, as_of timestamp with time zone) RETURNS jsonb
    LANGUAGE sql STABLE
    AS '';

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
    AS '';

CREATE TABLE public.plans (
    id text NOT NULL,
    name text NOT NULL,
    price_cents integer,
    tasks integer NOT NULL,
    has_agent_server boolean NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT plans_id_check CHECK (((id ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(id) <= 50))),
    CONSTRAINT plans_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
    CONSTRAINT plans_none CHECK (((id <> 'none'::text) OR ((price_cents IS NULL) AND (tasks = 0) AND (NOT has_agent_server) AND (retired_at IS NULL)))),
    CONSTRAINT plans_price_cents_check CHECK (((price_cents >= 0) AND (price_cents <= 100000000))),
    CONSTRAINT plans_tasks_check CHECK (((tasks >= 0) AND (tasks <= 1000000)))
);

CREATE FUNCTION public.current_plan(pro public.professionals, as_of timestamp with time zone) RETURNS public.plans
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.customer_digest(profile_id uuid, email text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.day_slots(business_hours jsonb, zone text, day date, grid integer, minutes integer, earliest timestamp with time zone, busy tstzmultirange) RETURNS TABLE(starts_at timestamp with time zone, starts text, ends text, available boolean)
    LANGUAGE sql STABLE ROWS 10 PARALLEL SAFE
    AS '';

CREATE FUNCTION public.delete_sent_digest() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.delete_test_data(wanted_id uuid, OUT bookings integer, OUT requests integer, OUT reviews integer) RETURNS record
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.delivery_object(delivery_id bigint, in_full boolean) RETURNS json
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.deposit_for(pro public.professionals, price_cents integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.deposits_of(pro_id uuid, of_quote_id uuid) RETURNS public.payments[]
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.distinctive_text(given text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.dollars(cents integer) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.due_endpoints(as_of timestamp with time zone) RETURNS TABLE(endpoint_id uuid)
    LANGUAGE sql STABLE
    AS '';

CREATE FUNCTION public.due_work(as_of timestamp with time zone) RETURNS TABLE(work text)
    LANGUAGE sql STABLE
    AS '';

CREATE FUNCTION public.earliest_start(pro public.professionals, as_of timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.emit_booking_events(booking public.bookings, object json, types text[], event_ids uuid[], traceparent text, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.emit_event(event_id uuid, event_type text, pro_id uuid, aggregate text, aggregate_id uuid, sequence integer, object jsonb, traceparent text, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.emit_payment_update() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.end_proposed_time() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.end_task(pro_id uuid, task_id uuid, next_status text, as_of timestamp with time zone) RETURNS text
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.exact_cents(price_type text, base_cents integer, min_cents integer, max_cents integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.expire_proposals(as_of timestamp with time zone, max integer) RETURNS integer
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.expire_quotes(as_of timestamp with time zone, event_ids uuid[], traceparent text) RETURNS integer
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.facts_of_booking(pro_id uuid, state text, made_at timestamp with time zone, for_service_id uuid) RETURNS SETOF public.pro_fact
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.facts_of_job(pro_id uuid, state text, completed_at timestamp with time zone, for_service_id uuid, amount_cents integer) RETURNS SETOF public.pro_fact
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.facts_of_payment(pro_id uuid, of_booking_id uuid, of_quote_id uuid, captured_at timestamp with time zone, revenue_cents integer) RETURNS SETOF public.pro_fact
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.facts_of_quote(pro_id uuid, state text, sent_at timestamp with time zone, accepted_at timestamp with time zone, amount_cents integer) RETURNS SETOF public.pro_fact
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.facts_of_review(pro_id uuid, state text, approved_at timestamp with time zone, rating smallint) RETURNS SETOF public.pro_fact
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.facts_of_rfq(pro_id uuid, state text, made_at timestamp with time zone, for_service_id uuid) RETURNS SETOF public.pro_fact
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.facts_of_visit(pro_id uuid, state text, of_job_id uuid, completed_at timestamp with time zone, for_service_id uuid, price_cents integer, deposit_cents integer) RETURNS SETOF public.pro_fact
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE TABLE public.files (
    id uuid NOT NULL,
    name text NOT NULL,
    account_id uuid NOT NULL,
    professional_id uuid,
    purpose text NOT NULL,
    status text NOT NULL,
    private boolean NOT NULL,
    bytes integer,
    type text,
    refusal text,
    width integer,
    height integer,
    placeholder text,
    sizes jsonb,
    next_claim_at timestamp with time zone,
    claims integer DEFAULT 0 NOT NULL,
    rfq_id uuid,
    review_id uuid,
    job_id uuid,
    caption text,
    "position" integer,
    unused_since timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    open_until timestamp with time zone,
    CONSTRAINT files_check CHECK (((status = ANY (ARRAY['ready'::text, 'refused'::text])) = (decided_at IS NOT NULL))),
    CONSTRAINT files_check1 CHECK (((status = 'refused'::text) = (refusal IS NOT NULL))),
    CONSTRAINT files_check2 CHECK (((status = ANY (ARRAY['uploading'::text, 'refused'::text])) OR (bytes IS NOT NULL))),
    CONSTRAINT files_check3 CHECK (((status <> ALL (ARRAY['uploading'::text, 'waiting'::text, 'received'::text])) OR (sizes IS NULL))),
    CONSTRAINT files_open_until CHECK (((status <> 'waiting'::text) OR (open_until IS NOT NULL))),
    CONSTRAINT files_purpose_check CHECK ((purpose = ANY (ARRAY['pro_logo'::text, 'pro_cover'::text, 'pro_gallery'::text, 'member'::text, 'request'::text, 'review'::text, 'job'::text, 'package'::text, 'marketplace'::text, 'verification'::text]))),
    CONSTRAINT files_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'waiting'::text, 'received'::text, 'ready'::text, 'refused'::text])))
);

CREATE FUNCTION public.file_object(file public.files) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.find_idempotent(caller_id uuid, operation_name text, idempotency_key text, hash bytea, as_of timestamp with time zone, OUT outcome text, OUT result json) RETURNS record
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.finish_attempts(results jsonb) RETURNS void
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.first_delivery_id(day date) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS '';

CREATE FUNCTION public.first_open_time(pro public.professionals, minutes integer, from_day date, last_day date, as_of timestamp with time zone, except_booking uuid DEFAULT NULL::uuid) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS '';

CREATE FUNCTION public.first_open_within(pro public.professionals, minutes integer, from_day date, last_day date, as_of timestamp with time zone, except_booking uuid, from_clock text, until_clock text) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    AS '';

CREATE FUNCTION public.free_cancellation_until(booking public.bookings) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.free_deliveries(as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.grant_allowance(pro_id uuid, of_month text, plan text, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.guest_visit(booking jsonb, pro_slug text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS '';

CREATE FUNCTION public.has_bookable_service(pro public.professionals) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.has_customer_at_limit(pro public.professionals, max_unpaid integer, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    AS '';

CREATE FUNCTION public.has_deliveries_in_use(from_day date, to_day date, before date) RETURNS boolean
    LANGUAGE sql STABLE
    AS '';

CREATE FUNCTION public.has_drifted(booking public.bookings, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.has_time_zone(zone text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS '';

CREATE FUNCTION public.hold_data(held_id uuid, held_until timestamp with time zone) RETURNS jsonb
    LANGUAGE sql STABLE
    AS '';

CREATE FUNCTION public.hold_session_lock(name text, session_pid integer) RETURNS boolean
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.imported_time(pro_id uuid, span tstzrange) RETURNS TABLE(calendar_id uuid, starts_at timestamp with time zone, ends_at timestamp with time zone)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.in_service_area(pro public.professionals, at_latitude double precision, at_longitude double precision) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.is_blocked_customer(pro_id uuid, email text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.is_of_completed_work(review public.reviews) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.is_test_pro(pro_id uuid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.is_unpaid(b public.bookings, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS '';

CREATE FUNCTION public.is_visible(active boolean, pro_test_account_id uuid, test_account_id uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.iso_instant(instant timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.iso_second(instant timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    AS '';

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
    AS '';

CREATE FUNCTION public.job_money(job public.jobs, is_open boolean) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.job_object(job public.jobs) RETURNS json
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.join_digest(message_id bigint, claim integer, like_kinds text[], as_of timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.keep_agreed_start() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.keep_event_context(as_of timestamp with time zone, traceparent text) RETURNS void
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.keep_former_time_zone() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.keep_idempotent(caller_id uuid, operation_name text, idempotency_key text, hash bytea, outcome json, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.keep_payment_revenue() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.lapse_hold(booking public.bookings, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.lapse_holds(as_of timestamp with time zone, max integer) RETURNS integer
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.lapse_overlapping_holds(pro public.professionals, starts_at timestamp with time zone, ends_at timestamp with time zone, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.last_searched_day(from_day date, as_of timestamp with time zone) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

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
    asked_together uuid,
    lost_at timestamp with time zone,
    answers jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT rfqs_answers CHECK ((jsonb_typeof(answers) = 'array'::text)),
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
    AS '';

CREATE FUNCTION public.local_days(first_day date, days integer, zone text) RETURNS tstzrange
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.local_instant(day date, minute integer, zone text) RETURNS timestamp with time zone
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.local_time(instant timestamp with time zone, zone text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.lock_proposals(pro_id uuid) RETURNS void
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.lock_pros() RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.lock_schedule(pro_id uuid) RETURNS void
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.maintain_partitions(parent text, unit text, as_of timestamp with time zone, before date) RETURNS bigint
    LANGUAGE plpgsql
    SET lock_timeout TO '500ms'
    AS '';

CREATE FUNCTION public.marketplace_country() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.marketplace_currency() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.marks_object(pro public.professionals) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.max_search_refresh() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.mean_score(sum integer, total integer) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.message_booking(object jsonb, sequence integer, changed_at timestamp with time zone, booking public.bookings, pro public.professionals, pro_email text) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS '';

CREATE FUNCTION public.message_quote(object jsonb, time_zone text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS '';

CREATE FUNCTION public.message_refund(cents integer, currency text, note text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS '';

CREATE FUNCTION public.move_booking(moved_id uuid, on_day date, at_minute integer, at_instant timestamp with time zone, late boolean, as_of timestamp with time zone, base_url text, OUT outcome text, OUT booking json, OUT event_sequence integer, OUT next_available json) RETURNS record
    LANGUAGE sql
    AS '';

COMMENT ON FUNCTION public.move_booking(moved_id uuid, on_day date, at_minute integer, at_instant timestamp with time zone, late boolean, as_of timestamp with time zone, base_url text, OUT outcome text, OUT booking json, OUT event_sequence integer, OUT next_available json) IS 'Unused since 0.2.0: reschedule_booking.';

CREATE FUNCTION public.move_task_credit() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.move_to_agreed_start(moved_id uuid, as_of timestamp with time zone, OUT outcome text, OUT booking json, OUT event_sequence integer) RETURNS record
    LANGUAGE sql
    AS '';

COMMENT ON FUNCTION public.move_to_agreed_start(moved_id uuid, as_of timestamp with time zone, OUT outcome text, OUT booking json, OUT event_sequence integer) IS 'Unused since 0.2.0: reschedule_to_agreed_start.';

CREATE FUNCTION public.next_listed_slot(pro public.professionals, minutes integer, from_day date, first_open timestamp with time zone, as_of timestamp with time zone, base_url text, except_booking uuid, chosen_service uuid, chosen_package uuid) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.next_open_slot(pro public.professionals, minutes integer, from_day date, as_of timestamp with time zone, base_url text, except_booking uuid DEFAULT NULL::uuid, chosen_service uuid DEFAULT NULL::uuid, chosen_package uuid DEFAULT NULL::uuid) RETURNS json
    LANGUAGE plpgsql STABLE
    AS '';

CREATE FUNCTION public.note_job_price() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.note_offers_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.note_offers_inserted() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.note_offers_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.note_pro_moved() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.note_quote_price() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.note_service_priced() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.notify_agent_run() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.notify_catalog() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.notify_catalog_names() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.notify_marketplace() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.notify_outbox() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.notify_prices() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.notify_pricing() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.offer_price(offer public.professional_services) RETURNS json
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.offered_slot(starts_at timestamp with time zone, starts text, ends text, available boolean, free_hours integer, as_of timestamp with time zone, zone text, zone_title text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.open_allowances(as_of timestamp with time zone, max integer) RETURNS integer
    LANGUAGE plpgsql
    AS '';

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
    AS '';

CREATE FUNCTION public.open_report(review public.reviews) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.open_slots(business_hours jsonb, zone text, first_day date, days integer, grid integer, minutes integer, earliest timestamp with time zone, busy tstzmultirange) RETURNS TABLE(day date, starts_at timestamp with time zone, starts text, ends text, available boolean)
    LANGUAGE sql STABLE ROWS 50 PARALLEL SAFE
    AS '';

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
    AS '';

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
    CONSTRAINT packages_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'CAD'::text]))),
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
    AS '';

CREATE FUNCTION public.partition_bound(is_by_delivery boolean, day date) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS '';

CREATE FUNCTION public.payable_share(price_cents integer, percentage numeric) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.payment_changed_at(payment public.payments) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS '';

CREATE FUNCTION public.payment_dispute(payment public.payments) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.payment_message(object jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS '';

CREATE FUNCTION public.payment_object(payment public.payments, is_over boolean) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.payment_revenue_cents(payment public.payments) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS '';

CREATE FUNCTION public.payment_sums(payment public.payments, OUT paid_cents integer, OUT refunded_cents integer, OUT refunding_cents integer, OUT refundable_cents integer, OUT deposit_cents integer, OUT failed_cents integer) RETURNS record
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.payment_update_object(payment public.payments) RETURNS json
    LANGUAGE plpgsql STABLE
    AS '';

CREATE FUNCTION public.plan_allowance(plan text) RETURNS integer
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.plan_booking_message(message_key text, message_kind text, told_id uuid, more jsonb, send_at timestamp with time zone, as_of timestamp with time zone) RETURNS void
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.plan_deliveries(event_ids uuid[], as_of timestamp with time zone) RETURNS TABLE(id bigint, endpoint_id uuid)
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.plan_job_cancelled_message(job public.jobs, as_of timestamp with time zone) RETURNS void
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.plan_messages(event_ids uuid[], as_of timestamp with time zone) RETURNS integer
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.plan_refund_message(refund_id uuid, as_of timestamp with time zone, is_failed boolean DEFAULT false) RETURNS void
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.plan_reminders(pro_id uuid, as_of timestamp with time zone) RETURNS void
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.price_object(price_type text, base_cents integer, min_cents integer, max_cents integer, unit text, currency text, fee_cents integer) RETURNS json
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.pro_booking_object(booking public.bookings) RETURNS json
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.pro_facts(pro_ids uuid[]) RETURNS SETOF public.pro_fact
    LANGUAGE sql STABLE
    AS '';

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
    CONSTRAINT properties_zip_code_check CHECK ((zip_code ~ '^(\d{5}(-\d{4})?|[A-Za-z]\d[A-Za-z][ -]?\d[A-Za-z]\d)$'::text))
);

CREATE FUNCTION public.property_object(property public.properties) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

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
    CONSTRAINT proposals_kind_check CHECK ((kind = ANY (ARRAY['quote_content'::text, 'service_pricing'::text, 'service_content'::text, 'business_profile'::text, 'public_profile'::text, 'business_entity'::text, 'site_config'::text, 'availability'::text]))),
    CONSTRAINT proposals_of_the_pro CHECK (((kind = ANY (ARRAY['quote_content'::text, 'service_pricing'::text, 'service_content'::text])) OR (target_id = professional_id))),
    CONSTRAINT proposals_state CHECK ((((status = 'confirmed'::text) = (confirmed_at IS NOT NULL)) AND ((status = 'dismissed'::text) = (dismissed_at IS NOT NULL)) AND ((status = 'expired'::text) = (expired_at IS NOT NULL)) AND ((status = 'conflict'::text) = (conflicted_at IS NOT NULL)) AND ((status = 'conflict'::text) = (conflict IS NOT NULL)) AND (confirmed_at < expires_at) AND (dismissed_at < expires_at) AND (conflicted_at < expires_at) AND (expired_at >= expires_at))),
    CONSTRAINT proposals_status_check CHECK ((status = ANY (ARRAY['open'::text, 'confirmed'::text, 'dismissed'::text, 'expired'::text, 'conflict'::text]))),
    CONSTRAINT proposals_summary_check CHECK (((length(summary) >= 1) AND (length(summary) <= 500)))
);

CREATE FUNCTION public.proposal_object(proposal public.proposals, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.proposal_status(proposal public.proposals, as_of timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.propose_time(proposed_id uuid, on_day date, at_minute integer, at_instant timestamp with time zone, message text, as_of timestamp with time zone, base_url text, OUT outcome text, OUT next_available json) RETURNS record
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.proposed_time(booking public.bookings, time_zone text) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.public_event_id(event_id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.publish_review_photos() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.published_name(name text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.quote_balance(quote public.quotes, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.quote_deposit_cents(quote public.quotes) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.quote_messages(event public.outbox_events, as_of timestamp with time zone) RETURNS TABLE(key text, kind text, recipient text, data jsonb, send_at timestamp with time zone)
    LANGUAGE plpgsql STABLE ROWS 1
    AS '';

CREATE FUNCTION public.quote_object(quote public.quotes, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.quote_payment(quote public.quotes, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.quote_status(quote public.quotes, as_of timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.quoted_units(wanted_service_id uuid, pro_id uuid, line_items jsonb, OUT units numeric, OUT units_cents integer) RETURNS record
    LANGUAGE plpgsql STABLE
    AS '';

CREATE FUNCTION public.read_calendars_again() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.rebuild_pro_counts(pro_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.rebuild_pro_revenue(pro_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.rebuild_review_stats() RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.rebuild_search() RETURNS void
    LANGUAGE plpgsql
    SET maintenance_work_mem TO '512MB'
    SET work_mem TO '128MB'
    SET client_min_messages TO 'warning'
    SET plan_cache_mode TO 'force_generic_plan'
    AS '';

CREATE FUNCTION public.record_ids(document text) RETURNS uuid[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.record_withdrawn_mark(pro public.professionals, mark text, was text, becomes text, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.refresh_changed_prices(as_of timestamp with time zone, at_most integer DEFAULT NULL::integer) RETURNS integer
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.refresh_price_groups(as_of timestamp with time zone, service_ids uuid[], city_ids integer[], pro_ids uuid[]) RETURNS integer
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.refresh_price_lists(service_ids uuid[], city_ids integer[], pro_ids uuid[]) RETURNS uuid[]
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.refresh_pricing(p_now timestamp with time zone, p_service_ids uuid[] DEFAULT NULL::uuid[]) RETURNS integer
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.refresh_search(p_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS '';

CREATE FUNCTION public.refresh_search_of_services(p_service_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS '';

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
    AS '';

CREATE FUNCTION public.refuse_change_of_text() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.refuse_credit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.refuse_time_zone(zone text, in_table text, in_column text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    AS '';

CREATE FUNCTION public.release_stuck_tasks(as_of timestamp with time zone, max integer) RETURNS integer
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.release_unproven_address(pro_id uuid, email text, of_booking_id uuid, of_job_id uuid) RETURNS void
    LANGUAGE sql
    AS '';

CREATE FUNCTION public.reminder_message(booking_id uuid, customer text, starts timestamp with time zone, remind_at timestamp with time zone) RETURNS TABLE(key text, kind text, recipient text, data jsonb, send_at timestamp with time zone)
    LANGUAGE sql STABLE ROWS 1
    AS '';

CREATE FUNCTION public.replace_lost_zones(as_of timestamp with time zone) RETURNS SETOF uuid
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.request_messages(event public.outbox_events, as_of timestamp with time zone) RETURNS TABLE(key text, kind text, recipient text, data jsonb, send_at timestamp with time zone)
    LANGUAGE sql STABLE ROWS 2
    AS '';

CREATE FUNCTION public.reschedule_booking(rescheduled_id uuid, on_day date, at_minute integer, at_instant timestamp with time zone, late boolean, as_of timestamp with time zone, base_url text, OUT outcome text, OUT booking json, OUT event_sequence integer, OUT next_available json) RETURNS record
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.reschedule_to_agreed_start(rescheduled_id uuid, as_of timestamp with time zone, OUT outcome text, OUT booking json, OUT event_sequence integer) RETURNS record
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.reservation_events(pro public.professionals, is_held boolean) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS '';

CREATE FUNCTION public.reservation_limit(pro public.professionals, email text, max_unpaid integer, as_of timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE
    AS '';

CREATE FUNCTION public.reserve_slot(visit public.wanted_visit, customer public.visit_customer, origin public.call_origin, request public.idempotent_request, terms public.booking_terms, ids public.booking_ids, as_of timestamp with time zone, base_url text, OUT outcome text, OUT booking json, OUT deposit_required boolean, OUT deposit_percentage numeric, OUT payment json, OUT next_available json, OUT replayed boolean) RETURNS record
    LANGUAGE sql
    AS '';

COMMENT ON FUNCTION public.reserve_slot(visit public.wanted_visit, customer public.visit_customer, origin public.call_origin, request public.idempotent_request, terms public.booking_terms, ids public.booking_ids, as_of timestamp with time zone, base_url text, OUT outcome text, OUT booking json, OUT deposit_required boolean, OUT deposit_percentage numeric, OUT payment json, OUT next_available json, OUT replayed boolean) IS 'Unused since 0.3.0: reserve_slot with the place of the work.';

CREATE FUNCTION public.reserve_slot(visit public.wanted_visit, customer public.visit_customer, origin public.call_origin, request public.idempotent_request, terms public.booking_terms, ids public.booking_ids, as_of timestamp with time zone, base_url text, at_latitude double precision, at_longitude double precision, OUT outcome text, OUT booking json, OUT deposit_required boolean, OUT deposit_percentage numeric, OUT payment json, OUT next_available json, OUT replayed boolean, OUT listed_minutes integer) RETURNS record
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.reserve_task(pro_id uuid, task_id uuid, task_kind text, deadline timestamp with time zone, as_of timestamp with time zone, OUT outcome text, OUT month_ends_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.restored_copy() RETURNS text
    LANGUAGE sql STABLE
    AS '';

CREATE FUNCTION public.returned_cents(pro_id uuid, paid_id uuid, except_refund uuid DEFAULT NULL::uuid) RETURNS integer
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.returned_since(payment public.payments, since timestamp with time zone) RETURNS integer
    LANGUAGE sql STABLE
    AS '';

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
    AS '';

CREATE FUNCTION public.review_messages(event public.outbox_events, as_of timestamp with time zone) RETURNS TABLE(key text, kind text, recipient text, data jsonb, send_at timestamp with time zone)
    LANGUAGE sql STABLE ROWS 1
    AS '';

CREATE FUNCTION public.review_object(review public.reviews, project text) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.review_record(review public.reviews) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.review_scored(stats public.review_stats) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.review_stats_object(stats public.review_stats) RETURNS json
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.review_stats_source(p_ids uuid[]) RETURNS SETOF public.review_stats
    LANGUAGE sql STABLE
    AS '';

CREATE FUNCTION public.rfq_object(rfq public.rfqs, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.rfq_receipt(rfq public.rfqs) RETURNS json
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    AS '';

CREATE FUNCTION public.save_role_settings(settings jsonb) RETURNS SETOF text
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.search_bands(facet smallint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

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
    "position" smallint,
    merged_into uuid,
    replaced_at timestamp with time zone,
    questions jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT services_check CHECK (((price_type = 'flat'::text) = (unit IS NULL))),
    CONSTRAINT services_duration_minutes_check CHECK ((((duration_minutes >= 15) AND (duration_minutes <= 720)) AND ((duration_minutes % 5) = 0))),
    CONSTRAINT services_ordinal_range CHECK ((ordinal >= 100)),
    CONSTRAINT services_price_type_check CHECK ((price_type = ANY (ARRAY['flat'::text, 'hourly'::text, 'per_unit'::text]))),
    CONSTRAINT services_questions CHECK ((jsonb_typeof(questions) = 'array'::text))
);

CREATE FUNCTION public.search_booking_path(searched public.services) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_categories_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.search_cell(facet smallint, size smallint, latitude double precision, longitude double precision) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_cities_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.search_count(pros integer, verified integer, instant integer, verified_instant integer, mask integer, want integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_counts(p_row public.pro_search) RETURNS TABLE(facet smallint, area integer, cell bigint, verified integer, instant integer)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

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

COMMENT ON COLUMN public.pro_search_entry.flags IS 'As search_flags makes them.';

CREATE FUNCTION public.search_entries(p_row public.pro_search) RETURNS SETOF public.pro_search_entry
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_flags(verified boolean, bookable boolean, reaches_center boolean, service_radius_miles integer) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_metres(chord double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_offer(offer public.professional_services, minutes integer, is_bookable boolean) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_offers_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.search_offers_inserted() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.search_offers_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.search_place(facet smallint, latitude double precision, longitude double precision) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_position(latitude double precision, longitude double precision) RETURNS public.geometry
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_pro_rows(p_ids uuid[]) RETURNS TABLE(professional_id uuid, slug text, doc text, "position" public.geography, flags smallint, city_id integer, state smallint, standing bigint, facets smallint[], bookable smallint[], offers text[])
    LANGUAGE sql STABLE
    AS '';

CREATE FUNCTION public.search_pros_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.search_pros_inserted() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.search_pros_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.search_reach(miles integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_reaches(miles integer, latitude double precision, longitude double precision, to_latitude double precision, to_longitude double precision) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_result(doc text, offers text[], facets smallint[], facet smallint, head text, metres double precision, slug text, flags smallint, booking_path text, base_url text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

COMMENT ON FUNCTION public.search_result(doc text, offers text[], facets smallint[], facet smallint, head text, metres double precision, slug text, flags smallint, booking_path text, base_url text) IS 'Unused since 0.3.0: search_result with in_area.';

CREATE FUNCTION public.search_result(doc text, offers text[], facets smallint[], facet smallint, head text, metres double precision, slug text, flags smallint, in_area boolean, booking_path text, base_url text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_service_head(searched public.services) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.search_services_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.search_standing(rating_sum integer, review_count integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.sent_quotes(request_id uuid, as_of timestamp with time zone) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.service_minutes(offer public.professional_services, service public.services) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.settle_job_revenue() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.settle_payment_revenue() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.settle_revenue(paid_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.settle_visit_revenue() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.slot_fits(pro public.professionals, day date, starts_at timestamp with time zone, ends_at timestamp with time zone, as_of timestamp with time zone, except_booking uuid DEFAULT NULL::uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.slot_is_open(starts_at timestamp with time zone, ends_at timestamp with time zone, earliest timestamp with time zone, busy tstzmultirange) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.slot_text(starts_at timestamp with time zone, starts text, ends text, available boolean) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.start_payment(payment_id uuid, booking public.bookings, fee_cents integer, deposit_cents integer, provider text, as_of timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.test_account(wanted_id uuid) RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.told_start(wanted_id uuid, sequence integer) RETURNS text
    LANGUAGE sql STABLE
    AS '';

CREATE FUNCTION public.uncount_review() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.verify_reviews() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.visit_minutes(pro public.professionals, job public.jobs) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS '';

CREATE FUNCTION public.webhook_body(event_id uuid, type text, created_at timestamp with time zone, sequence integer, data jsonb) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

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
    AS '';

CREATE FUNCTION public.with_deposit(offer text, deposit_cents integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.withdraw_checked_name() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.withdraw_checked_papers() RETURNS trigger
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.working_time(business_hours jsonb, day date, zone text) RETURNS TABLE(from_minute integer, to_minute integer, opens_at timestamp with time zone, closes_at timestamp with time zone)
    LANGUAGE sql STABLE ROWS 2 PARALLEL SAFE
    AS '';

CREATE FUNCTION public.write_credit_notices(notice_ids uuid[], as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    AS '';

CREATE FUNCTION public.zone_name(zone text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.zone_offset(at timestamp with time zone, zone text) RETURNS integer
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '';

CREATE FUNCTION public.zone_offsets(zone text, since timestamp with time zone, until timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE
    AS '';

CREATE TABLE public.accounts (
    id uuid NOT NULL,
    kind text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    test_of uuid,
    CONSTRAINT accounts_email_check CHECK (((email = lower((email COLLATE "C"))) AND ((length(email) >= 3) AND (length(email) <= 320)))),
    CONSTRAINT accounts_kind_check CHECK ((kind = ANY (ARRAY['developer'::text, 'pro'::text, 'client'::text, 'customer'::text, 'operator'::text]))),
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

CREATE TABLE public.booking_guests (
    booking_id uuid NOT NULL,
    account_id uuid NOT NULL,
    email text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT booking_guests_email_check CHECK (((email = lower((email COLLATE "C"))) AND ((length(email) >= 3) AND (length(email) <= 320))))
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

CREATE TABLE public.brand_pictures (
    id text NOT NULL,
    kind text NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    whole bytea NOT NULL,
    screen bytea,
    tab bytea,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT brand_pictures_height_check CHECK (((height >= 1) AND (height <= 512))),
    CONSTRAINT brand_pictures_id_check CHECK ((id ~ '^[0-9a-f]{32}$'::text)),
    CONSTRAINT brand_pictures_kind_check CHECK ((kind = ANY (ARRAY['logo'::text, 'icon'::text]))),
    CONSTRAINT brand_pictures_screen_check CHECK ((length(screen) <= 524288)),
    CONSTRAINT brand_pictures_sizes CHECK (((kind = 'icon'::text) = ((screen IS NOT NULL) AND (tab IS NOT NULL)))),
    CONSTRAINT brand_pictures_tab_check CHECK ((length(tab) <= 524288)),
    CONSTRAINT brand_pictures_whole_check CHECK ((length(whole) <= 2097152)),
    CONSTRAINT brand_pictures_width_check CHECK (((width >= 1) AND (width <= 640)))
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
    active boolean DEFAULT true NOT NULL,
    "position" smallint,
    merged_into uuid,
    replaced_at timestamp with time zone,
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

CREATE TABLE public.customer_profiles (
    id uuid NOT NULL,
    email text,
    email_digest text,
    blocked_at timestamp with time zone,
    block_reason text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT customer_profiles_address CHECK (((email IS NULL) = (email_digest IS NOT NULL))),
    CONSTRAINT customer_profiles_block CHECK (((blocked_at IS NULL) = (block_reason IS NULL))),
    CONSTRAINT customer_profiles_block_reason_check CHECK (((length(block_reason) >= 1) AND (length(block_reason) <= 5000))),
    CONSTRAINT customer_profiles_email_check CHECK (((email = lower((email COLLATE "C"))) AND ((length(email) >= 3) AND (length(email) <= 320)))),
    CONSTRAINT customer_profiles_left CHECK (((email IS NOT NULL) OR (blocked_at IS NOT NULL)))
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
    first_failed_at timestamp with time zone,
    CONSTRAINT dead_letters_attempts_check CHECK ((attempts > 0))
);

CREATE TABLE public.districts (
    id integer NOT NULL,
    name text NOT NULL,
    state text NOT NULL,
    is_removed boolean DEFAULT false NOT NULL,
    by_user_id uuid,
    at timestamp with time zone NOT NULL,
    CONSTRAINT districts_id_check CHECK ((id >= 1000000000)),
    CONSTRAINT districts_name_check CHECK (((length(TRIM(BOTH FROM name)) >= 1) AND (length(TRIM(BOTH FROM name)) <= 100)))
);

CREATE TABLE public.erasure_requests (
    account_id uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    open_work jsonb,
    CONSTRAINT erasure_requests_attempts_check CHECK ((attempts >= 0))
);

CREATE TABLE public.failed_requests (
    id bigint NOT NULL,
    key_id uuid NOT NULL,
    failed_at timestamp with time zone NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    status integer NOT NULL,
    code text NOT NULL,
    detail text NOT NULL,
    errors jsonb DEFAULT '[]'::jsonb NOT NULL,
    request_id text,
    CONSTRAINT failed_requests_errors_check CHECK ((jsonb_typeof(errors) = 'array'::text)),
    CONSTRAINT failed_requests_status_check CHECK (((status >= 400) AND (status <= 599)))
);

ALTER TABLE public.failed_requests ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.failed_requests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.file_removals (
    name text NOT NULL,
    seen_at timestamp with time zone,
    next_attempt_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);

CREATE TABLE public.former_slugs (
    slug text NOT NULL,
    category_id uuid,
    service_id uuid,
    replaced_at timestamp with time zone NOT NULL,
    CONSTRAINT former_slugs_of_one CHECK (((category_id IS NULL) <> (service_id IS NULL))),
    CONSTRAINT former_slugs_slug_check CHECK (((length(slug) >= 1) AND (length(slug) <= 100)))
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

CREATE TABLE public.imported_pros (
    professional_id uuid NOT NULL,
    given jsonb NOT NULL,
    is_missing boolean DEFAULT false NOT NULL,
    imported_at timestamp with time zone NOT NULL,
    CONSTRAINT imported_pros_given_check CHECK ((jsonb_typeof(given) = 'object'::text))
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

CREATE TABLE public.mark_evidence (
    professional_id uuid NOT NULL,
    mark text NOT NULL,
    evidence text,
    valid_until date,
    next_at timestamp with time zone,
    CONSTRAINT mark_evidence_end CHECK (((valid_until IS NULL) = (next_at IS NULL))),
    CONSTRAINT mark_evidence_evidence_check CHECK (((length(evidence) >= 1) AND (length(evidence) <= 1000))),
    CONSTRAINT mark_evidence_mark_check CHECK ((mark = ANY (ARRAY['verified'::text, 'backgroundCheck'::text, 'insurance'::text, 'credentials'::text])))
);

CREATE TABLE public.marketplace (
    singleton boolean DEFAULT true NOT NULL,
    has_demo_data boolean NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    CONSTRAINT marketplace_singleton_check CHECK (singleton)
);

CREATE TABLE public.marketplace_texts (
    kind text NOT NULL,
    version integer NOT NULL,
    content text NOT NULL,
    by_user_id uuid,
    at timestamp with time zone NOT NULL,
    CONSTRAINT marketplace_texts_content_check CHECK ((length(content) <= 60000)),
    CONSTRAINT marketplace_texts_kind_check CHECK ((kind = ANY (ARRAY['terms'::text, 'privacy'::text, 'imprint'::text]))),
    CONSTRAINT marketplace_texts_version_check CHECK ((version > 0))
);

CREATE TABLE public.marketplace_versions (
    version integer NOT NULL,
    name text NOT NULL,
    tagline text,
    email text,
    phone text,
    address text,
    by_user_id uuid,
    at timestamp with time zone NOT NULL,
    is_open boolean DEFAULT true NOT NULL,
    accent text,
    country text DEFAULT 'US'::text NOT NULL,
    area jsonb DEFAULT '[]'::jsonb NOT NULL,
    radius_miles double precision DEFAULT 25 NOT NULL,
    fee_cents integer DEFAULT 500 NOT NULL,
    min_deposit_percentage numeric(5,2) DEFAULT 0.01 NOT NULL,
    max_deposit_percentage numeric(5,2) DEFAULT 100 NOT NULL,
    free_cancellation_hours integer DEFAULT 24 NOT NULL,
    hold_minutes integer DEFAULT 15 NOT NULL,
    pros_may_join boolean DEFAULT false NOT NULL,
    logo text,
    icon text,
    review_policy text DEFAULT 'read_first'::text NOT NULL,
    operators_need_factor boolean DEFAULT false NOT NULL,
    CONSTRAINT marketplace_versions_accent_check CHECK ((accent ~ '^#[0-9a-f]{6}$'::text)),
    CONSTRAINT marketplace_versions_address_check CHECK (((length(address) >= 1) AND (length(address) <= 500))),
    CONSTRAINT marketplace_versions_area CHECK (((jsonb_typeof(area) = 'array'::text) AND (jsonb_array_length(area) <= 20))),
    CONSTRAINT marketplace_versions_country CHECK ((country = ANY (ARRAY['US'::text, 'CA'::text]))),
    CONSTRAINT marketplace_versions_deposits CHECK (((min_deposit_percentage >= 0.01) AND ((max_deposit_percentage >= min_deposit_percentage) AND (max_deposit_percentage <= (100)::numeric)))),
    CONSTRAINT marketplace_versions_email_check CHECK (((email = lower((email COLLATE "C"))) AND ((length(email) >= 3) AND (length(email) <= 320)))),
    CONSTRAINT marketplace_versions_fee CHECK (((fee_cents = 0) OR ((fee_cents >= 50) AND (fee_cents <= 100000)))),
    CONSTRAINT marketplace_versions_free_cancellation CHECK (((free_cancellation_hours >= 0) AND (free_cancellation_hours <= 168))),
    CONSTRAINT marketplace_versions_hold CHECK (((hold_minutes >= 5) AND (hold_minutes <= 1440))),
    CONSTRAINT marketplace_versions_name_check CHECK (((length(TRIM(BOTH FROM name)) >= 1) AND (length(TRIM(BOTH FROM name)) <= 60))),
    CONSTRAINT marketplace_versions_phone_check CHECK (((length(phone) >= 1) AND (length(phone) <= 50))),
    CONSTRAINT marketplace_versions_radius CHECK (((radius_miles >= (1)::double precision) AND (radius_miles <= (500)::double precision))),
    CONSTRAINT marketplace_versions_review_policy CHECK ((review_policy = ANY (ARRAY['read_first'::text, 'verified_at_once'::text]))),
    CONSTRAINT marketplace_versions_tagline_check CHECK (((length(tagline) >= 1) AND (length(tagline) <= 160))),
    CONSTRAINT marketplace_versions_version_check CHECK ((version > 0))
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
    id uuid DEFAULT gen_random_uuid() NOT NULL,
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
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    action text NOT NULL,
    subject_id uuid,
    professional_id uuid,
    by_user_id uuid,
    reason text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    plan_id text,
    CONSTRAINT operator_actions_action_check CHECK ((action = ANY (ARRAY['review.approved'::text, 'review.rejected'::text, 'payment.refunded'::text, 'pro.created'::text, 'pro.verification'::text, 'pro.marks_withdrawn'::text, 'pro.paused'::text, 'pro.resumed'::text, 'refund.resent'::text, 'refund.returned'::text, 'booking.disowned'::text, 'request.disowned'::text, 'review.disowned'::text, 'category.added'::text, 'category.changed'::text, 'category.merged'::text, 'service.added'::text, 'service.changed'::text, 'service.merged'::text, 'pro.plan_given'::text, 'plan.added'::text, 'plan.changed'::text, 'plan.retired'::text, 'plan.offered'::text, 'booking.moved'::text, 'booking.cancelled'::text, 'booking.noted'::text, 'message.resent'::text, 'delivery.resent'::text, 'application.sent'::text, 'application.asked'::text, 'application.approved'::text, 'application.refused'::text, 'application.reopened'::text, 'pro.imported'::text, 'pro.closed'::text, 'pro.reopened'::text, 'pro.erased'::text, 'review.reported'::text, 'review.kept'::text, 'customer.noted'::text, 'customer.blocked'::text, 'customer.unblocked'::text, 'booking.made'::text, 'mark.expired'::text, 'pro.moved'::text, 'pro.owner_changed'::text, 'member.invited'::text, 'member.changed'::text, 'member.ended'::text, 'endpoint.resumed'::text, 'letter.sent_again'::text, 'letter.discarded'::text, 'address.lifted'::text, 'import.started'::text, 'district.added'::text, 'district.changed'::text, 'district.removed'::text, 'area.changed'::text, 'marketplace.opened'::text, 'marketplace.changed'::text, 'text.published'::text, 'credits.given'::text, 'key.created'::text, 'key.revoked'::text, 'application.withdrawn'::text]))),
    CONSTRAINT operator_actions_details_check CHECK ((jsonb_typeof(details) = 'object'::text)),
    CONSTRAINT operator_actions_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 5000))),
    CONSTRAINT operator_actions_subject CHECK (
CASE
    WHEN (action ~~ 'plan.%'::text) THEN ((plan_id IS NOT NULL) AND (subject_id IS NULL) AND (professional_id IS NULL))
    WHEN (action = ANY (ARRAY['marketplace.changed'::text, 'marketplace.opened'::text, 'area.changed'::text, 'text.published'::text, 'district.added'::text, 'district.changed'::text, 'district.removed'::text, 'address.lifted'::text])) THEN ((plan_id IS NULL) AND (subject_id IS NULL) AND (professional_id IS NULL))
    ELSE ((plan_id IS NULL) AND ((subject_id IS NOT NULL) OR (action = 'message.resent'::text)))
END)
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

CREATE TABLE public.pro_applications (
    id uuid NOT NULL,
    email text NOT NULL,
    status text DEFAULT 'draft'::text NOT NULL,
    business_name text,
    person_name text,
    phone text,
    description text,
    place text,
    city_id integer,
    is_place_hidden boolean DEFAULT false NOT NULL,
    radius_miles integer,
    services jsonb,
    business_hours jsonb,
    has_declared boolean DEFAULT false NOT NULL,
    license_number text,
    license_state text,
    license_expires date,
    insurance_carrier text,
    insurance_policy text,
    insurance_expires date,
    operator_words text,
    professional_id uuid,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    expires_at timestamp with time zone,
    CONSTRAINT pro_applications_approved CHECK (((status = 'approved'::text) = (professional_id IS NOT NULL))),
    CONSTRAINT pro_applications_complete CHECK (((status = ANY (ARRAY['draft'::text, 'asked'::text])) OR ((business_name IS NOT NULL) AND (person_name IS NOT NULL) AND (phone IS NOT NULL) AND (place IS NOT NULL) AND (city_id IS NOT NULL) AND (radius_miles IS NOT NULL) AND (jsonb_array_length(services) > 0) AND (business_hours IS NOT NULL) AND (sent_at IS NOT NULL)))),
    CONSTRAINT pro_applications_email CHECK ((email = lower((email COLLATE "C")))),
    CONSTRAINT pro_applications_license CHECK (((license_number IS NULL) = (license_state IS NULL))),
    CONSTRAINT pro_applications_radius CHECK (((radius_miles >= 1) AND (radius_miles <= 500))),
    CONSTRAINT pro_applications_status CHECK ((status = ANY (ARRAY['draft'::text, 'sent'::text, 'asked'::text, 'approved'::text, 'refused'::text]))),
    CONSTRAINT pro_applications_waits CHECK (((status <> 'sent'::text) OR (expires_at IS NULL))),
    CONSTRAINT pro_applications_words CHECK (((status <> ALL (ARRAY['asked'::text, 'refused'::text])) OR (operator_words IS NOT NULL)))
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

CREATE TABLE public.pro_closings (
    professional_id uuid NOT NULL,
    closed_at timestamp with time zone NOT NULL,
    erase_at timestamp with time zone NOT NULL,
    next_at timestamp with time zone,
    erased_at timestamp with time zone,
    CONSTRAINT pro_closings_check CHECK ((erase_at > closed_at)),
    CONSTRAINT pro_closings_check1 CHECK ((erased_at >= erase_at)),
    CONSTRAINT pro_closings_end CHECK (((next_at IS NULL) = (erased_at IS NOT NULL)))
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

CREATE TABLE public.pro_imports (
    id uuid NOT NULL,
    by_user_id uuid,
    name text NOT NULL,
    bytes integer,
    format text,
    options jsonb NOT NULL,
    status text NOT NULL,
    preview jsonb,
    counts jsonb,
    findings jsonb,
    problem text,
    next_at timestamp with time zone,
    claim uuid,
    claims integer DEFAULT 0 NOT NULL,
    kept_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT pro_imports_bytes_check CHECK ((bytes > 0)),
    CONSTRAINT pro_imports_check CHECK (((status = ANY (ARRAY['uploaded'::text, 'running'::text])) = (next_at IS NOT NULL))),
    CONSTRAINT pro_imports_check1 CHECK (((claim IS NULL) OR (next_at IS NOT NULL))),
    CONSTRAINT pro_imports_check2 CHECK (((status = ANY (ARRAY['done'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT pro_imports_check3 CHECK (((status = 'failed'::text) = (problem IS NOT NULL))),
    CONSTRAINT pro_imports_check4 CHECK (((status = 'uploading'::text) OR (bytes IS NOT NULL))),
    CONSTRAINT pro_imports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'jsonl'::text]))),
    CONSTRAINT pro_imports_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT pro_imports_options_check CHECK ((jsonb_typeof(options) = 'object'::text)),
    CONSTRAINT pro_imports_problem_check CHECK ((length(problem) <= 1000)),
    CONSTRAINT pro_imports_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'uploaded'::text, 'checked'::text, 'running'::text, 'done'::text, 'failed'::text])))
);

CREATE TABLE public.pro_invitations (
    professional_id uuid NOT NULL,
    by_user_id uuid,
    send_at timestamp with time zone,
    outcome text,
    CONSTRAINT pro_invitations_check CHECK (((send_at IS NULL) = (outcome IS NOT NULL))),
    CONSTRAINT pro_invitations_outcome_check CHECK ((length(outcome) <= 1000))
);

CREATE TABLE public.pro_public_profiles (
    professional_id uuid NOT NULL,
    headline text,
    about text,
    highlights text[] DEFAULT '{}'::text[] NOT NULL,
    service_areas text,
    faq jsonb DEFAULT '[]'::jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    languages text[] DEFAULT '{}'::text[] NOT NULL,
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

CREATE TABLE public.review_reports (
    id uuid NOT NULL,
    review_id uuid NOT NULL,
    professional_id uuid NOT NULL,
    number smallint NOT NULL,
    reason text NOT NULL,
    words text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    outcome text,
    answer text,
    decided_by uuid,
    CONSTRAINT review_reports_answer_check CHECK (((length(answer) >= 1) AND (length(answer) <= 5000))),
    CONSTRAINT review_reports_decided CHECK ((((decided_at IS NULL) = (outcome IS NULL)) AND ((decided_at IS NULL) = (answer IS NULL)) AND ((decided_by IS NULL) OR (decided_at IS NOT NULL)))),
    CONSTRAINT review_reports_number_check CHECK (((number >= 1) AND (number <= 2))),
    CONSTRAINT review_reports_outcome_check CHECK ((outcome = ANY (ARRAY['kept'::text, 'taken_down'::text]))),
    CONSTRAINT review_reports_reason_check CHECK ((reason = ANY (ARRAY['not_a_customer'::text, 'another_business'::text, 'insulting_or_private'::text, 'untrue'::text]))),
    CONSTRAINT review_reports_words_check CHECK (((length(words) >= 1) AND (length(words) <= 2000)))
);

CREATE TABLE public.review_votes (
    review_id uuid NOT NULL,
    account_id uuid NOT NULL,
    helpful boolean NOT NULL,
    voted_at timestamp with time zone NOT NULL
);

CREATE TABLE public.search_days (
    day date NOT NULL,
    way text NOT NULL,
    searches bigint NOT NULL,
    misses bigint NOT NULL,
    CONSTRAINT search_days_check CHECK (((misses >= 0) AND (misses <= searches))),
    CONSTRAINT search_days_searches_check CHECK ((searches >= 0)),
    CONSTRAINT search_days_way_check CHECK ((way = ANY (ARRAY['pages'::text, 'api'::text, 'agents'::text])))
);

CREATE TABLE public.search_misses (
    day date NOT NULL,
    kind text NOT NULL,
    phrase text NOT NULL,
    place text NOT NULL,
    times bigint NOT NULL,
    CONSTRAINT search_misses_check CHECK (((kind <> 'typed'::text) OR ((phrase || place) !~ '[0-9@]'::text))),
    CONSTRAINT search_misses_kind_check CHECK ((kind = ANY (ARRAY['service'::text, 'any'::text, 'typed'::text, 'other'::text]))),
    CONSTRAINT search_misses_phrase_check CHECK ((length(phrase) <= 100)),
    CONSTRAINT search_misses_place_check CHECK ((length(place) <= 100)),
    CONSTRAINT search_misses_times_check CHECK ((times > 0))
);

CREATE TABLE public.search_refreshes (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    service_id uuid NOT NULL,
    last_id uuid
);

CREATE TABLE public.search_words (
    phrase text NOT NULL,
    kind text NOT NULL,
    means text,
    CONSTRAINT search_words_kind_check CHECK ((kind = ANY (ARRAY['service'::text, 'same'::text, 'ignored'::text, 'elsewhere'::text, 'place'::text]))),
    CONSTRAINT search_words_means CHECK (((kind = ANY (ARRAY['service'::text, 'same'::text, 'place'::text])) = (means IS NOT NULL))),
    CONSTRAINT search_words_means_check CHECK (((length(means) >= 1) AND (length(means) <= 200))),
    CONSTRAINT search_words_phrase_check CHECK (((length(phrase) >= 1) AND (length(phrase) <= 200)))
);

CREATE TABLE public.second_factors (
    user_id uuid NOT NULL,
    secret_encrypted text NOT NULL,
    last_step integer NOT NULL,
    recovery_digests text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT second_factors_recovery CHECK ((cardinality(recovery_digests) <= 10))
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
    country text DEFAULT 'US'::text NOT NULL,
    CONSTRAINT states_code_check CHECK ((code ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT states_country CHECK ((country = ANY (ARRAY['US'::text, 'CA'::text])))
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

CREATE TABLE public.time_zone_names (
    zone text NOT NULL,
    name text NOT NULL,
    CONSTRAINT time_zone_names_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
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
    operator_role text,
    CONSTRAINT user_changes_action_check CHECK ((action = ANY (ARRAY['created'::text, 'disabled'::text, 'enabled'::text, 'logged_out'::text, 'link_made'::text, 'password_set'::text, 'role_given'::text, 'email_changed'::text, 'factor_set_up'::text, 'factor_removed'::text, 'recovery_codes_made'::text, 'recovery_code_used'::text]))),
    CONSTRAINT user_changes_operator_role CHECK (
CASE
    WHEN (operator_role IS NULL) THEN (action <> 'role_given'::text)
    ELSE (operator_role = ANY (ARRAY['administrator'::text, 'support'::text, 'moderation'::text, 'finance'::text]))
END)
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
    operator_role text DEFAULT 'administrator'::text NOT NULL,
    pro_role text DEFAULT 'owner'::text,
    member_id uuid,
    CONSTRAINT users_account CHECK (((account_id IS NULL) = (role = 'operator'::text))),
    CONSTRAINT users_email_check CHECK (((email = lower((email COLLATE "C"))) AND ((length(email) >= 3) AND (length(email) <= 320)))),
    CONSTRAINT users_operator_role CHECK ((operator_role = ANY (ARRAY['administrator'::text, 'support'::text, 'moderation'::text, 'finance'::text]))),
    CONSTRAINT users_password_hash_check CHECK ((password_hash ~~ '$argon2id$%'::text)),
    CONSTRAINT users_pro_role CHECK ((pro_role = ANY (ARRAY['owner'::text, 'dispatcher'::text, 'worker'::text]))),
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['operator'::text, 'developer'::text, 'pro'::text]))),
    CONSTRAINT users_worker CHECK (((pro_role <> 'worker'::text) OR (member_id IS NOT NULL)))
);

CREATE TABLE public.verification_requests (
    professional_id uuid NOT NULL,
    license_number text,
    license_state text,
    note text,
    asked_at timestamp with time zone NOT NULL,
    refusal text,
    refused_at timestamp with time zone,
    withdrawn jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT verification_requests_license CHECK (((license_number IS NULL) = (license_state IS NULL))),
    CONSTRAINT verification_requests_license_number_check CHECK (((length(license_number) >= 1) AND (length(license_number) <= 100))),
    CONSTRAINT verification_requests_license_state_check CHECK ((license_state ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT verification_requests_note_check CHECK (((length(note) >= 1) AND (length(note) <= 5000))),
    CONSTRAINT verification_requests_refusal CHECK (((refusal IS NULL) = (refused_at IS NULL))),
    CONSTRAINT verification_requests_refusal_check CHECK (((length(refusal) >= 1) AND (length(refusal) <= 5000))),
    CONSTRAINT verification_requests_withdrawn CHECK ((jsonb_typeof(withdrawn) = 'object'::text))
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

ALTER TABLE ONLY public.booking_guests
    ADD CONSTRAINT booking_guests_pkey PRIMARY KEY (booking_id);

ALTER TABLE ONLY public.booking_proposed_times
    ADD CONSTRAINT booking_proposed_times_pkey PRIMARY KEY (booking_id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_confirmation_code_key UNIQUE (confirmation_code);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_no_overlap EXCLUDE USING gist (professional_id WITH =, holds WITH &&) WHERE ((status = ANY (ARRAY['pending'::text, 'confirmed'::text])));

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.brand_pictures
    ADD CONSTRAINT brand_pictures_pkey PRIMARY KEY (id);

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

ALTER TABLE ONLY public.customer_profiles
    ADD CONSTRAINT customer_profiles_email UNIQUE (email);

ALTER TABLE ONLY public.customer_profiles
    ADD CONSTRAINT customer_profiles_pkey PRIMARY KEY (id);

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

ALTER TABLE ONLY public.districts
    ADD CONSTRAINT districts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.erasure_requests
    ADD CONSTRAINT erasure_requests_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.failed_requests
    ADD CONSTRAINT failed_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.file_removals
    ADD CONSTRAINT file_removals_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_name_key UNIQUE (name);

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.former_slugs
    ADD CONSTRAINT former_slugs_pkey PRIMARY KEY (slug);

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

ALTER TABLE ONLY public.imported_pros
    ADD CONSTRAINT imported_pros_pkey PRIMARY KEY (professional_id);

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

ALTER TABLE ONLY public.mark_evidence
    ADD CONSTRAINT mark_evidence_pkey PRIMARY KEY (professional_id, mark);

ALTER TABLE ONLY public.marketplace
    ADD CONSTRAINT marketplace_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY public.marketplace_texts
    ADD CONSTRAINT marketplace_texts_pkey PRIMARY KEY (kind, version);

ALTER TABLE ONLY public.marketplace_versions
    ADD CONSTRAINT marketplace_versions_pkey PRIMARY KEY (version);

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

ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (id);

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

ALTER TABLE ONLY public.pro_applications
    ADD CONSTRAINT pro_applications_email_key UNIQUE (email);

ALTER TABLE ONLY public.pro_applications
    ADD CONSTRAINT pro_applications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pro_business_entities
    ADD CONSTRAINT pro_business_entities_pkey PRIMARY KEY (professional_id);

ALTER TABLE ONLY public.pro_closings
    ADD CONSTRAINT pro_closings_pkey PRIMARY KEY (professional_id);

ALTER TABLE ONLY public.pro_counts
    ADD CONSTRAINT pro_counts_pkey PRIMARY KEY (professional_id, kind, status);

ALTER TABLE ONLY public.pro_imports
    ADD CONSTRAINT pro_imports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pro_invitations
    ADD CONSTRAINT pro_invitations_pkey PRIMARY KEY (professional_id);

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

ALTER TABLE ONLY public.review_reports
    ADD CONSTRAINT review_reports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.review_reports
    ADD CONSTRAINT review_reports_review_id_number_key UNIQUE (review_id, number);

ALTER TABLE ONLY public.review_stats
    ADD CONSTRAINT review_stats_pkey PRIMARY KEY (professional_id);

ALTER TABLE ONLY public.review_votes
    ADD CONSTRAINT review_votes_pkey PRIMARY KEY (review_id, account_id);

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rfqs
    ADD CONSTRAINT rfqs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.search_days
    ADD CONSTRAINT search_days_pkey PRIMARY KEY (day, way);

ALTER TABLE ONLY public.search_misses
    ADD CONSTRAINT search_misses_pkey PRIMARY KEY (day, kind, phrase, place);

ALTER TABLE ONLY public.search_refreshes
    ADD CONSTRAINT search_refreshes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.search_words
    ADD CONSTRAINT search_words_pkey PRIMARY KEY (phrase);

ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_pkey PRIMARY KEY (user_id);

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

ALTER TABLE ONLY public.time_zone_names
    ADD CONSTRAINT time_zone_names_pkey PRIMARY KEY (zone);

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

CREATE INDEX api_keys_last_four ON public.api_keys USING btree (last_four);

CREATE INDEX api_keys_replaced_by ON public.api_keys USING btree (replaced_by) WHERE (replaced_by IS NOT NULL);

CREATE INDEX api_keys_revoked ON public.api_keys USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

CREATE INDEX availability_blocks_age ON public.availability_blocks USING btree (ends_at);

CREATE INDEX availability_blocks_listing ON public.availability_blocks USING btree (professional_id, starts_at, id);

CREATE INDEX availability_blocks_time ON public.availability_blocks USING gist (professional_id, tstzrange(starts_at, ends_at));

CREATE INDEX booking_guests_by_account ON public.booking_guests USING btree (account_id, created_at);

CREATE INDEX booking_guests_by_age ON public.booking_guests USING btree (created_at);

CREATE INDEX booking_guests_by_email ON public.booking_guests USING btree (email);

CREATE INDEX bookings_account ON public.bookings USING btree (account_id, created_at) WHERE (account_id IS NOT NULL);

CREATE INDEX bookings_assigned ON public.bookings USING btree (assigned_member_id) WHERE (assigned_member_id IS NOT NULL);

CREATE INDEX bookings_cancelled ON public.bookings USING btree (professional_id, starts_at DESC, id) WHERE (status = 'cancelled'::text);

CREATE INDEX bookings_cancelled_at ON public.bookings USING btree (cancelled_at) WHERE (status = 'cancelled'::text);

CREATE INDEX bookings_customer ON public.bookings USING btree (customer_email);

CREATE INDEX bookings_hold ON public.bookings USING btree (hold_expires_at) WHERE (hold_expires_at IS NOT NULL);

CREATE INDEX bookings_made ON public.bookings USING btree (professional_id, created_at DESC, id DESC);

CREATE INDEX bookings_package ON public.bookings USING btree (package_id) WHERE (package_id IS NOT NULL);

CREATE INDEX bookings_phone ON public.bookings USING btree (reverse(regexp_replace(customer_phone, '\D'::text, ''::text, 'g'::text)) COLLATE "C") WHERE (customer_phone IS NOT NULL);

CREATE INDEX bookings_professional ON public.bookings USING btree (professional_id, starts_at);

CREATE INDEX bookings_state ON public.bookings USING btree (professional_id, status, created_at DESC, id DESC);

CREATE INDEX bookings_unanswered ON public.bookings USING btree (starts_at) WHERE (status = 'pending'::text);

CREATE INDEX bookings_visit_of_job ON public.bookings USING btree (professional_id, job_id) WHERE (job_id IS NOT NULL);

CREATE INDEX bookings_words ON public.bookings USING gin (to_tsvector('simple'::regconfig, ((((customer_name || ' '::text) || COALESCE((address ->> 'street'::text), ''::text)) || ' '::text) || COALESCE((address ->> 'city'::text), ''::text))));

CREATE INDEX brand_pictures_created_at ON public.brand_pictures USING btree (created_at);

CREATE INDEX cities_lower_name ON public.cities USING btree (lower(name));

CREATE INDEX credit_ledgers_month ON public.credit_ledgers USING btree (month_ends_at);

CREATE INDEX credit_ledgers_notices ON public.credit_ledgers USING btree (professional_id) WHERE (notice_due IS NOT NULL);

CREATE UNIQUE INDEX credit_transfers_begin ON public.credit_transfers USING btree (professional_id, task_id) WHERE (kind = 'reserve'::text);

CREATE UNIQUE INDEX credit_transfers_end ON public.credit_transfers USING btree (professional_id, task_id) WHERE (kind = ANY (ARRAY['settle'::text, 'release'::text]));

CREATE UNIQUE INDEX credit_transfers_reference ON public.credit_transfers USING btree (professional_id, to_account, reference) WHERE (reference IS NOT NULL);

CREATE INDEX customer_blocks_email ON public.customer_blocks USING btree (email);

CREATE INDEX customer_erasures_again ON public.customer_erasures USING btree (look_again_at) WHERE (look_again_at IS NOT NULL);

CREATE INDEX customer_erasures_digest ON public.customer_erasures USING btree (email_digest, erased_at DESC);

CREATE INDEX customer_profiles_erased ON public.customer_profiles USING btree (id) WHERE (email IS NULL);

CREATE INDEX customer_sessions_account ON public.customer_sessions USING btree (account_id);

CREATE INDEX customer_sessions_expiry ON public.customer_sessions USING btree (expires_at);

CREATE INDEX dead_letters_age ON public.dead_letters USING btree (failed_at);

CREATE INDEX dead_letters_retried ON public.dead_letters USING btree (retried_at) WHERE (retried_at IS NOT NULL);

CREATE INDEX erasure_requests_due ON public.erasure_requests USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX failed_requests_by_age ON public.failed_requests USING btree (failed_at);

CREATE INDEX failed_requests_by_key ON public.failed_requests USING btree (key_id, id);

CREATE INDEX file_removals_due ON public.file_removals USING btree (next_attempt_at);

CREATE INDEX files_account ON public.files USING btree (account_id, created_at);

CREATE INDEX files_due ON public.files USING btree (next_claim_at) WHERE (next_claim_at IS NOT NULL);

CREATE INDEX files_job ON public.files USING btree (job_id) WHERE (job_id IS NOT NULL);

CREATE INDEX files_professional ON public.files USING btree (professional_id, purpose) WHERE (professional_id IS NOT NULL);

CREATE INDEX files_review ON public.files USING btree (review_id) WHERE (review_id IS NOT NULL);

CREATE INDEX files_rfq ON public.files USING btree (rfq_id) WHERE (rfq_id IS NOT NULL);

CREATE INDEX files_unused ON public.files USING btree (unused_since) WHERE (unused_since IS NOT NULL);

CREATE INDEX idempotency_records_expiry ON public.idempotency_records USING btree (expires_at);

CREATE INDEX imported_calendars_due ON public.imported_calendars USING btree (next_read_at);

CREATE INDEX imported_conflicts_booking ON public.imported_conflicts USING btree (booking_id);

CREATE INDEX jobs_professional ON public.jobs USING btree (professional_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX jobs_quote ON public.jobs USING btree (quote_id);

CREATE INDEX jobs_state ON public.jobs USING btree (professional_id, status, created_at DESC, id DESC);

CREATE INDEX key_usage_day ON ONLY public.key_usage USING btree (day);

CREATE INDEX key_usage_default_day ON public.key_usage_default USING btree (day);

CREATE INDEX mailbox_age ON public.mailbox USING btree (received_at);

CREATE INDEX mark_evidence_due ON public.mark_evidence USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX marketplace_versions_icon ON public.marketplace_versions USING btree (icon) WHERE (icon IS NOT NULL);

CREATE INDEX marketplace_versions_logo ON public.marketplace_versions USING btree (logo) WHERE (logo IS NOT NULL);

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

CREATE INDEX messages_undelivered ON public.messages USING btree (finished_at DESC, id DESC) WHERE (status = ANY (ARRAY['failed'::text, 'suppressed'::text]));

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

CREATE INDEX operator_actions_at ON public.operator_actions USING btree (at DESC, id DESC);

CREATE INDEX operator_actions_disowned ON public.operator_actions USING btree (at DESC, id DESC) WHERE (action = ANY (ARRAY['booking.disowned'::text, 'request.disowned'::text, 'review.disowned'::text]));

CREATE INDEX operator_actions_plan ON public.operator_actions USING btree (plan_id, at DESC, id DESC) WHERE (plan_id IS NOT NULL);

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

CREATE INDEX pricing_changes_city ON public.pricing_changes USING btree (city_id) WHERE (city_id IS NOT NULL);

CREATE INDEX pro_applications_city ON public.pro_applications USING btree (city_id);

CREATE INDEX pro_applications_expiry ON public.pro_applications USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX pro_applications_pro ON public.pro_applications USING btree (professional_id);

CREATE INDEX pro_applications_waiting ON public.pro_applications USING btree (status, sent_at);

CREATE INDEX pro_closings_due ON public.pro_closings USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX pro_days_day ON public.pro_days USING btree (day);

CREATE UNIQUE INDEX pro_days_key ON public.pro_days USING btree (professional_id, day, kind, service_id, status) NULLS NOT DISTINCT;

CREATE INDEX pro_imports_by_user ON public.pro_imports USING btree (by_user_id) WHERE (by_user_id IS NOT NULL);

CREATE UNIQUE INDEX pro_imports_claimed ON public.pro_imports USING btree (((claim IS NOT NULL))) WHERE (claim IS NOT NULL);

CREATE INDEX pro_imports_created ON public.pro_imports USING btree (created_at);

CREATE INDEX pro_imports_due ON public.pro_imports USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX pro_imports_kept ON public.pro_imports USING btree (kept_until) WHERE (kept_until IS NOT NULL);

CREATE INDEX pro_invitations_by_user ON public.pro_invitations USING btree (by_user_id) WHERE (by_user_id IS NOT NULL);

CREATE INDEX pro_invitations_due ON public.pro_invitations USING btree (send_at) WHERE (send_at IS NOT NULL);

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

CREATE UNIQUE INDEX professionals_external_id ON public.professionals USING btree (external_id) WHERE (external_id IS NOT NULL);

CREATE INDEX professionals_joined ON public.professionals USING btree (created_at);

CREATE INDEX professionals_phone ON public.professionals USING btree (reverse(regexp_replace(phone, '\D'::text, ''::text, 'g'::text)) COLLATE "C") WHERE (phone IS NOT NULL);

CREATE INDEX professionals_test_account ON public.professionals USING btree (test_account_id) WHERE (test_account_id IS NOT NULL);

CREATE INDEX professionals_words ON public.professionals USING gin (to_tsvector('simple'::regconfig, business_name));

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

CREATE INDEX review_reports_decided_by ON public.review_reports USING btree (decided_by) WHERE (decided_by IS NOT NULL);

CREATE UNIQUE INDEX review_reports_open ON public.review_reports USING btree (review_id) WHERE (decided_at IS NULL);

CREATE INDEX review_reports_professional ON public.review_reports USING btree (professional_id);

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

CREATE INDEX rfqs_asked_together ON public.rfqs USING btree (asked_together) WHERE (asked_together IS NOT NULL);

CREATE INDEX rfqs_customer ON public.rfqs USING btree (customer_email);

CREATE INDEX rfqs_phone ON public.rfqs USING btree (reverse(regexp_replace(customer_phone, '\D'::text, ''::text, 'g'::text)) COLLATE "C") WHERE (customer_phone IS NOT NULL);

CREATE INDEX rfqs_professional ON public.rfqs USING btree (professional_id, created_at DESC, id DESC);

CREATE INDEX rfqs_service ON public.rfqs USING btree (service_id);

CREATE INDEX rfqs_state ON public.rfqs USING btree (professional_id, status, created_at DESC, id DESC);

CREATE INDEX rfqs_words ON public.rfqs USING gin (to_tsvector('simple'::regconfig, ((((customer_name || ' '::text) || COALESCE((address ->> 'street'::text), ''::text)) || ' '::text) || COALESCE((address ->> 'city'::text), ''::text))));

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

CREATE INDEX users_account ON public.users USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE UNIQUE INDEX users_member ON public.users USING btree (member_id) WHERE (member_id IS NOT NULL);

CREATE INDEX users_operators ON public.users USING btree (id) WHERE (role = 'operator'::text);

CREATE INDEX verification_requests_open ON public.verification_requests USING btree (asked_at) WHERE (refused_at IS NULL);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at, id) WHERE (state = 'pending'::text);

CREATE INDEX webhook_deliveries_listing ON public.webhook_deliveries USING btree (endpoint_id, id DESC);

CREATE INDEX webhook_deliveries_queue ON public.webhook_deliveries USING btree (endpoint_id, id) WHERE (state = 'pending'::text);

CREATE INDEX webhook_endpoints_account ON public.webhook_endpoints USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX webhook_endpoints_failing ON public.webhook_endpoints USING btree (failing_since) WHERE (failing_since IS NOT NULL);

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

CREATE TRIGGER application_transition BEFORE INSERT OR UPDATE OF status ON public.pro_applications FOR EACH ROW EXECUTE FUNCTION public.check_transition('application');

CREATE TRIGGER booking_agreed_start BEFORE INSERT ON public.bookings FOR EACH ROW EXECUTE FUNCTION public.keep_agreed_start();

CREATE TRIGGER booking_completed AFTER UPDATE OF status ON public.bookings FOR EACH ROW WHEN (((new.status = 'completed'::text) AND (old.status <> 'completed'::text))) EXECUTE FUNCTION public.verify_reviews();

CREATE TRIGGER booking_ends_proposed_time AFTER UPDATE OF status, starts_at ON public.bookings FOR EACH ROW WHEN (((old.status <> new.status) OR (old.starts_at <> new.starts_at))) EXECUTE FUNCTION public.end_proposed_time();

CREATE TRIGGER booking_mode BEFORE INSERT OR UPDATE OF professional_id, account_id ON public.bookings FOR EACH ROW EXECUTE FUNCTION public.check_test_mode();

CREATE TRIGGER booking_moved_start BEFORE UPDATE OF starts_at ON public.bookings FOR EACH ROW WHEN ((new.starts_at <> old.starts_at)) EXECUTE FUNCTION public.keep_agreed_start();

CREATE TRIGGER booking_time_zone BEFORE UPDATE OF time_zone ON public.bookings FOR EACH ROW WHEN ((new.time_zone <> old.time_zone)) EXECUTE FUNCTION public.check_time_zone();

CREATE TRIGGER booking_transition BEFORE INSERT OR UPDATE OF status ON public.bookings FOR EACH ROW EXECUTE FUNCTION public.check_transition('booking');

CREATE TRIGGER bookings_counted AFTER INSERT ON public.bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_bookings_changed();

CREATE TRIGGER bookings_recounted AFTER UPDATE ON public.bookings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_bookings_changed();

CREATE TRIGGER bookings_uncounted AFTER DELETE ON public.bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_bookings_changed();

CREATE TRIGGER catalog_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.pro_search_area FOR EACH STATEMENT EXECUTE FUNCTION public.notify_catalog();

CREATE TRIGGER categories_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.categories FOR EACH STATEMENT EXECUTE FUNCTION public.notify_catalog_names();

CREATE TRIGGER checked_name_changed BEFORE UPDATE OF business_name ON public.professionals FOR EACH ROW WHEN ((old.verified AND new.verified AND (public.distinctive_text(old.business_name) <> public.distinctive_text(new.business_name)))) EXECUTE FUNCTION public.withdraw_checked_name();

CREATE TRIGGER checked_papers_changed AFTER INSERT OR DELETE OR UPDATE OF license_number, license_state, insurance_carrier ON public.pro_business_entities FOR EACH ROW EXECUTE FUNCTION public.withdraw_checked_papers();

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

CREATE TRIGGER file_removal AFTER DELETE ON public.files FOR EACH ROW EXECUTE FUNCTION public.ask_file_removal();

CREATE TRIGGER file_transition BEFORE INSERT OR UPDATE OF status ON public.files FOR EACH ROW EXECUTE FUNCTION public.check_transition('file');

CREATE TRIGGER former_slugs_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.former_slugs FOR EACH STATEMENT EXECUTE FUNCTION public.notify_catalog_names();

CREATE TRIGGER import_transition BEFORE INSERT OR UPDATE OF status ON public.pro_imports FOR EACH ROW EXECUTE FUNCTION public.check_transition('import');

CREATE TRIGGER job_completed AFTER UPDATE OF status ON public.jobs FOR EACH ROW WHEN (((new.status = 'completed'::text) AND (old.status <> 'completed'::text))) EXECUTE FUNCTION public.verify_reviews();

CREATE CONSTRAINT TRIGGER job_revenue AFTER UPDATE OF status ON public.jobs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.status = ANY (ARRAY['completed'::text, 'cancelled'::text])) AND (new.status <> old.status))) EXECUTE FUNCTION public.settle_job_revenue();

CREATE TRIGGER job_transition BEFORE INSERT OR UPDATE OF status ON public.jobs FOR EACH ROW EXECUTE FUNCTION public.check_transition('job');

CREATE CONSTRAINT TRIGGER job_visits AFTER UPDATE OF status ON public.jobs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.status <> old.status)) EXECUTE FUNCTION public.check_visits_of_job();

CREATE TRIGGER jobs_counted AFTER INSERT ON public.jobs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_jobs_changed();

CREATE TRIGGER jobs_recounted AFTER UPDATE ON public.jobs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_jobs_changed();

CREATE TRIGGER jobs_uncounted AFTER DELETE ON public.jobs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_jobs_changed();

CREATE TRIGGER key_mode BEFORE INSERT OR UPDATE OF mode, account_id ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.check_key_mode();

CREATE TRIGGER legal_text_changed BEFORE DELETE OR UPDATE OR TRUNCATE ON public.marketplace_texts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change_of_text();

CREATE TRIGGER marketplace_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.marketplace_versions FOR EACH STATEMENT EXECUTE FUNCTION public.notify_marketplace();

CREATE TRIGGER marketplace_texts_changed AFTER INSERT ON public.marketplace_texts FOR EACH STATEMENT EXECUTE FUNCTION public.notify_marketplace();

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

CREATE TRIGGER pro_transition BEFORE UPDATE OF status ON public.professionals FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION public.check_transition('pro');

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

CREATE TRIGGER renamed_time_zones_exist AFTER UPDATE ON public.time_zones REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.check_new_time_zones();

CREATE TRIGGER review_approved AFTER UPDATE OF status ON public.reviews FOR EACH ROW WHEN (((new.status = 'approved'::text) AND (old.status <> 'approved'::text))) EXECUTE FUNCTION public.count_approved_review();

CREATE TRIGGER review_mode BEFORE INSERT OR UPDATE OF professional_id, account_id ON public.reviews FOR EACH ROW EXECUTE FUNCTION public.check_test_mode();

CREATE TRIGGER review_photos AFTER UPDATE OF status ON public.reviews FOR EACH ROW WHEN ((new.status IS DISTINCT FROM old.status)) EXECUTE FUNCTION public.publish_review_photos();

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

CREATE TRIGGER search_words_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.search_words FOR EACH STATEMENT EXECUTE FUNCTION public.notify_catalog_names();

CREATE TRIGGER services_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.services FOR EACH STATEMENT EXECUTE FUNCTION public.notify_catalog_names();

CREATE TRIGGER states_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.states FOR EACH STATEMENT EXECUTE FUNCTION public.notify_catalog_names();

CREATE TRIGGER task_ended AFTER UPDATE OF status ON public.metered_tasks FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION public.move_task_credit();

CREATE TRIGGER task_reserved AFTER INSERT ON public.metered_tasks FOR EACH ROW EXECUTE FUNCTION public.move_task_credit();

CREATE TRIGGER time_zone_counted AFTER UPDATE OF time_zone ON public.professionals FOR EACH ROW WHEN ((old.time_zone <> new.time_zone)) EXECUTE FUNCTION public.keep_former_time_zone();

CREATE TRIGGER time_zone_exists AFTER INSERT ON public.time_zones REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.check_new_time_zones();

CREATE TRIGGER transfer_applied AFTER INSERT ON public.credit_transfers FOR EACH ROW EXECUTE FUNCTION public.apply_credit_transfer();

CREATE TRIGGER visit_begins_job AFTER UPDATE OF status ON public.bookings FOR EACH ROW WHEN (((new.job_id IS NOT NULL) AND (new.status = 'completed'::text) AND (old.status <> 'completed'::text))) EXECUTE FUNCTION public.begin_job_of_visit();

CREATE CONSTRAINT TRIGGER visit_job AFTER INSERT OR UPDATE OF status ON public.bookings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.job_id IS NOT NULL)) EXECUTE FUNCTION public.check_visits_of_job();

CREATE CONSTRAINT TRIGGER visit_revenue AFTER UPDATE OF status ON public.bookings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.status = 'completed'::text) AND (old.status <> 'completed'::text) AND (new.deposit_cents > 0))) EXECUTE FUNCTION public.settle_visit_revenue();

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

ALTER TABLE ONLY public.booking_guests
    ADD CONSTRAINT booking_guests_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.booking_guests
    ADD CONSTRAINT booking_guests_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id) ON DELETE CASCADE;

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

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES public.categories(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.cities
    ADD CONSTRAINT cities_state_fkey FOREIGN KEY (state) REFERENCES public.states(code);

ALTER TABLE ONLY public.cities
    ADD CONSTRAINT cities_time_zone FOREIGN KEY (time_zone) REFERENCES public.time_zones(name);

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

ALTER TABLE ONLY public.failed_requests
    ADD CONSTRAINT failed_requests_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_review_id_fkey FOREIGN KEY (review_id) REFERENCES public.reviews(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_rfq_id_fkey FOREIGN KEY (rfq_id) REFERENCES public.rfqs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.former_slugs
    ADD CONSTRAINT former_slugs_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.categories(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.former_slugs
    ADD CONSTRAINT former_slugs_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.former_time_zones
    ADD CONSTRAINT former_time_zones_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.former_time_zones
    ADD CONSTRAINT former_time_zones_time_zone FOREIGN KEY (time_zone) REFERENCES public.time_zones(name);

ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.imported_busy
    ADD CONSTRAINT imported_busy_professional_id_calendar_id_fkey FOREIGN KEY (professional_id, calendar_id) REFERENCES public.imported_calendars(professional_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.imported_calendars
    ADD CONSTRAINT imported_calendars_expanded_zone FOREIGN KEY (expanded_zone) REFERENCES public.time_zones(name);

ALTER TABLE ONLY public.imported_calendars
    ADD CONSTRAINT imported_calendars_member FOREIGN KEY (professional_id, member_id) REFERENCES public.members(professional_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.imported_calendars
    ADD CONSTRAINT imported_calendars_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.imported_conflicts
    ADD CONSTRAINT imported_conflicts_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.imported_conflicts
    ADD CONSTRAINT imported_conflicts_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES public.imported_calendars(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.imported_pros
    ADD CONSTRAINT imported_pros_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

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

ALTER TABLE ONLY public.mark_evidence
    ADD CONSTRAINT mark_evidence_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.marketplace_versions
    ADD CONSTRAINT marketplace_versions_icon_fkey FOREIGN KEY (icon) REFERENCES public.brand_pictures(id);

ALTER TABLE ONLY public.marketplace_versions
    ADD CONSTRAINT marketplace_versions_logo_fkey FOREIGN KEY (logo) REFERENCES public.brand_pictures(id);

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
    ADD CONSTRAINT operator_actions_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id);

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

ALTER TABLE ONLY public.pro_applications
    ADD CONSTRAINT pro_applications_city_id_fkey FOREIGN KEY (city_id) REFERENCES public.cities(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_applications
    ADD CONSTRAINT pro_applications_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_business_entities
    ADD CONSTRAINT pro_business_entities_license_state_fkey FOREIGN KEY (license_state) REFERENCES public.states(code);

ALTER TABLE ONLY public.pro_business_entities
    ADD CONSTRAINT pro_business_entities_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_closings
    ADD CONSTRAINT pro_closings_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_counts
    ADD CONSTRAINT pro_counts_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_days
    ADD CONSTRAINT pro_days_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pro_imports
    ADD CONSTRAINT pro_imports_by_user_id_fkey FOREIGN KEY (by_user_id) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.pro_invitations
    ADD CONSTRAINT pro_invitations_by_user_id_fkey FOREIGN KEY (by_user_id) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.pro_invitations
    ADD CONSTRAINT pro_invitations_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

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
    ADD CONSTRAINT professionals_plan FOREIGN KEY (plan) REFERENCES public.plans(id);

ALTER TABLE ONLY public.professionals
    ADD CONSTRAINT professionals_test_account_id_fkey FOREIGN KEY (test_account_id) REFERENCES public.accounts(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.professionals
    ADD CONSTRAINT professionals_time_zone FOREIGN KEY (time_zone) REFERENCES public.time_zones(name);

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

ALTER TABLE ONLY public.review_reports
    ADD CONSTRAINT review_reports_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES public.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.review_reports
    ADD CONSTRAINT review_reports_professional_id_fkey FOREIGN KEY (professional_id) REFERENCES public.professionals(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.review_reports
    ADD CONSTRAINT review_reports_review_id_fkey FOREIGN KEY (review_id) REFERENCES public.reviews(id) ON DELETE CASCADE;

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

ALTER TABLE ONLY public.search_refreshes
    ADD CONSTRAINT search_refreshes_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.categories(id);

ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES public.services(id) ON DELETE SET NULL;

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

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_member FOREIGN KEY (member_id) REFERENCES public.members(id);

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
