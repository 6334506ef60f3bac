-- The counters of each pro's bookings, requests, quotes, jobs, reviews and revenue, kept in the transaction of each change: counting
-- 200,000 bookings took a quarter of a second, and adding up their deposits more than a statement may take.

-- The facts: what a row adds to the counters, by its columns. A request counts on the day on which it was made.
create or replace function facts_of_booking(pro_id uuid, state text, made_at timestamptz, for_service_id uuid)
  returns setof pro_fact language sql immutable parallel safe as $$
  select pro_id, 'booking', state, made_at, for_service_id, 1, 0::bigint
$$;

create or replace function facts_of_rfq(pro_id uuid, state text, made_at timestamptz, for_service_id uuid)
  returns setof pro_fact language sql immutable parallel safe as $$
  select pro_id, 'rfq', state, made_at, for_service_id, 1, 0::bigint
$$;

create or replace function facts_of_quote(
  pro_id uuid, state text, sent_at timestamptz, accepted_at timestamptz, amount_cents integer
) returns setof pro_fact language sql immutable parallel safe as $$
  select pro_id, fact.kind, state, fact.at, null::uuid, 1, amount_cents::bigint
  from (values ('quote', sent_at), ('acceptance', accepted_at)) fact (kind, at)
  where fact.kind = 'quote' or fact.at is not null
$$;

create or replace function facts_of_job(
  pro_id uuid, state text, completed_at timestamptz, for_service_id uuid, amount_cents integer
) returns setof pro_fact language sql immutable parallel safe as $$
  select pro_id, 'job', state, completed_at, for_service_id, 1, amount_cents::bigint
$$;

-- The "cents" are stars.
create or replace function facts_of_review(pro_id uuid, state text, approved_at timestamptz, rating smallint)
  returns setof pro_fact language sql immutable parallel safe as $$
  select pro_id, 'review', state, approved_at, null::uuid, 1, rating::bigint
$$;

-- Of a payment with revenue. A deposit counts on the day on which it was paid. What went back of a job counts on the day of its completion.
create or replace function facts_of_payment(
  pro_id uuid, of_booking_id uuid, of_quote_id uuid, captured_at timestamptz, revenue_cents integer
) returns setof pro_fact language sql stable parallel safe as $$
  select pro_id, case when revenue_cents > 0 then 'deposit' else 'return' end, 'made',
    case when revenue_cents > 0 then captured_at else j.completed_at end, coalesce(b.service_id, j.service_id), 1,
    revenue_cents::bigint
  from (select) payment
  left join bookings b on b.id = of_booking_id
  left join jobs j on j.quote_id = of_quote_id
$$;

-- Adds and subtracts facts. A change of the time zone of one of these pros comes before or after it as a whole.
create or replace function add_pro_facts(added pro_fact[], removed pro_fact[]) returns void
  language plpgsql volatile as $$
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

create or replace function count_bookings_changed() returns trigger
  language plpgsql as $$
declare
  added pro_fact[];
  removed pro_fact[];
begin
  if tg_op <> 'DELETE' then
    added := array(
      select f from new_rows n cross join lateral facts_of_booking(n.professional_id, n.status, n.created_at, n.service_id) f
      union all
      select f from new_rows n cross join lateral facts_of_visit(n.professional_id, n.status, n.job_id, n.completed_at,
        n.service_id, agreed_price_cents(n.price_type, n.base_price_cents, n.min_price_cents, n.max_price_cents,
        n.duration_minutes), n.deposit_cents) f);
  end if;
  if tg_op <> 'INSERT' then
    removed := array(
      select f from old_rows o cross join lateral facts_of_booking(o.professional_id, o.status, o.created_at, o.service_id) f
      union all
      select f from old_rows o cross join lateral facts_of_visit(o.professional_id, o.status, o.job_id, o.completed_at,
        o.service_id, agreed_price_cents(o.price_type, o.base_price_cents, o.min_price_cents, o.max_price_cents,
        o.duration_minutes), o.deposit_cents) f);
  end if;
  perform add_pro_facts(added, removed);
  return null;
end $$;

create or replace function count_rfqs_changed() returns trigger
  language plpgsql as $$
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

create or replace function count_quotes_changed() returns trigger
  language plpgsql as $$
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

create or replace function count_jobs_changed() returns trigger
  language plpgsql as $$
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

create or replace function count_reviews_changed() returns trigger
  language plpgsql as $$
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

-- A payment that is not captured adds nothing.
create or replace function count_payments_changed() returns trigger
  language plpgsql as $$
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

-- All facts of these pros; null: of all pros.
create or replace function pro_facts(pro_ids uuid[]) returns setof pro_fact
  language sql stable as $$
  select f.* from bookings r cross join lateral facts_of_booking(r.professional_id, r.status, r.created_at, r.service_id) f
  where pro_ids is null or r.professional_id = any (pro_ids)
  union all
  select f.* from bookings r cross join lateral facts_of_visit(r.professional_id, r.status, r.job_id, r.completed_at, r.service_id,
    agreed_price_cents(r.price_type, r.base_price_cents, r.min_price_cents, r.max_price_cents, r.duration_minutes),
    r.deposit_cents) f
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

-- Counts again what these pros have; null: all pros. After rows were loaded past the triggers.
create or replace function rebuild_pro_counts(pro_ids uuid[]) returns void
  language plpgsql volatile as $$
begin
  delete from pro_days d where pro_ids is null or d.professional_id = any (pro_ids);
  delete from pro_counts c where pro_ids is null or c.professional_id = any (pro_ids);
  perform count_pro_facts(pro_ids, null);
end $$;

-- Counts all facts of one kind, or (null) of all kinds, into counters that are empty.
create or replace function count_pro_facts(pro_ids uuid[], of_kind text) returns void
  language plpgsql volatile as $$
begin
  with fact as materialized (
    select f.professional_id, f.kind, f.status, (f.at at time zone z.time_zone)::date as day, f.service_id,
      sum(f.total) as total, sum(f.cents) as cents
    from pro_facts(pro_ids) f join professionals p on p.id = f.professional_id
    cross join lateral counted_zone(p.id, p.time_zone, f.at) z
    where of_kind is null or f.kind = of_kind
    group by 1, 2, 3, 4, 5
  ), days as (
    insert into pro_days (professional_id, day, kind, service_id, status, total, cents)
    select professional_id, day, kind, service_id, status, total, cents from fact where day is not null
  )
  insert into pro_counts (professional_id, kind, status, total)
  select professional_id, kind, status, sum(total) from fact group by 1, 2, 3;
end $$;

-- Settles the payments of these pros anew, and counts all; after rows were loaded past the triggers.
create or replace function rebuild_pro_revenue(pro_ids uuid[]) returns void
  language plpgsql volatile as $$
begin
  update payments y set revenue_cents = payment_revenue_cents(y)
  where y.captured_at is not null and (pro_ids is null or y.professional_id = any (pro_ids))
    and y.revenue_cents <> payment_revenue_cents(y);
  perform rebuild_pro_counts(pro_ids);
end $$;

-- The triggers, once, in the transaction that fills the tables: creating them lets those who write wait until its end.
do $$
declare
  counted text;
begin
  if exists (select from pg_trigger where tgname = 'bookings_counted') then
    return;
  end if;
  foreach counted in array array['bookings', 'rfqs', 'quotes', 'jobs', 'reviews', 'payments'] loop
    execute format('create trigger %1$s_counted after insert on %1$I
      referencing new table as new_rows for each statement execute function count_%1$s_changed()', counted);
    execute format('create trigger %1$s_recounted after update on %1$I
      referencing old table as old_rows new table as new_rows for each statement execute function count_%1$s_changed()', counted);
    execute format('create trigger %1$s_uncounted after delete on %1$I
      referencing old table as old_rows for each statement execute function count_%1$s_changed()', counted);
  end loop;
  create trigger payment_revenue before insert or update of status, captured_at, captured_cents on payments
    for each row execute function keep_payment_revenue();
  -- Before the triggers of the payment's event, by its name.
  create constraint trigger refund_revenue after insert or update of status, amount_cents on payment_refunds
    deferrable initially deferred for each row execute function settle_payment_revenue();
  create constraint trigger dispute_revenue after insert or update of state, amount_cents on payment_disputes
    deferrable initially deferred for each row execute function settle_payment_revenue();
  create constraint trigger job_revenue after update of status on jobs
    deferrable initially deferred for each row when (new.status in ('completed', 'cancelled') and new.status <> old.status)
    execute function settle_job_revenue();
  perform rebuild_pro_revenue(null);
end $$;
