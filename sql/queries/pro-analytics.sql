-- A pro's analytics, as the JSON text of the response body: one row, or none for an unknown pro.
-- $1 pro id · $2 now · $3 days of the period up to and including today, null for all time · $4 name of the period
-- Every counted fact becomes one event on one local date of the pro, and all sums are built from these events. A period
-- begins at a local midnight and every instant has one local date, so days of 23 or 25 hours need no special case.
with pro as materialized (
  select p.id, p.time_zone as zone, t.today,
    case when $3::integer is null then '-infinity' else clock_reaches(t.today - $3 + 1, 0, p.time_zone) end as since,
    clock_reaches(t.today + 1, 0, p.time_zone) as until
  from professionals p
  cross join lateral (select ($2::timestamptz at time zone p.time_zone)::date as today) t
  where p.id = $1
), event as materialized (
  select 'booking' as kind, d.day, d.service_id, d.status, 0 as amount, d.bookings as times
  from pro join pro_booking_days d on d.professional_id = pro.id and d.day <= pro.today
    and d.day > case when $3::integer is null then '-infinity' else pro.today - $3 end
  where d.bookings <> 0
  union all
  -- A hold that was not paid in time counts as cancelled, even before the row is updated.
  select 'booking', (b.created_at at time zone pro.zone)::date, b.service_id, lapsed.status, 0, lapsed.times
  from pro join bookings b on b.professional_id = pro.id and b.created_at >= pro.since and b.created_at < pro.until
    and b.hold_expires_at <= $2
  cross join (values ('pending', -1), ('cancelled', 1)) lapsed (status, times)
  union all
  -- The deposit is the pro's revenue, the fee is the marketplace's. What went back or is on its way back does not count. The
  -- deposit of a quote is a part of its job's amount, unless the job was cancelled and the deposit kept.
  select 'deposit', (y.captured_at at time zone pro.zone)::date, coalesce(b.service_id, j.service_id), null, s.deposit_cents, 1
  from pro join payments y on y.professional_id = pro.id and y.captured_at >= pro.since and y.captured_at < pro.until
  left join bookings b on b.professional_id = y.professional_id and b.id = y.booking_id
  left join jobs j on j.professional_id = y.professional_id and j.quote_id = y.quote_id and j.status = 'cancelled'
  cross join lateral payment_sums(y) s
  where s.deposit_cents > 0 and (b.id is not null or j.id is not null)
  union all
  select 'job', (j.completed_at at time zone pro.zone)::date, j.service_id, null, job_revenue_cents(j), 1
  from pro join jobs j on j.professional_id = pro.id and j.completed_at >= pro.since and j.completed_at < pro.until
  where j.status = 'completed'
  union all
  select 'rfq', (r.created_at at time zone pro.zone)::date, r.service_id, r.status, 0, 1
  from pro join rfqs r on r.professional_id = pro.id and r.created_at >= pro.since and r.created_at < pro.until
  union all
  select 'quote', (q.sent_at at time zone pro.zone)::date, null, q.status, q.amount_cents, 1
  from pro join quotes q on q.professional_id = pro.id and q.sent_at >= pro.since and q.sent_at < pro.until
  union all
  select 'acceptance', (q.accepted_at at time zone pro.zone)::date, null, null, q.amount_cents, 1
  from pro join quotes q on q.professional_id = pro.id and q.accepted_at >= pro.since and q.accepted_at < pro.until
  union all
  select 'review', (r.approved_at at time zone pro.zone)::date, null, null, r.rating, 1
  from pro join reviews r on r.professional_id = pro.id and r.approved_at >= pro.since and r.approved_at < pro.until
  where r.status = 'approved'
), span as materialized (
  select pro.zone, pro.today, first.day as first_day, $3 is null and first.day <= pro.today - 366 as monthly
  from pro
  cross join lateral (
    select coalesce(pro.today - $3 + 1, (select min(day) from event), pro.today) as day
  ) first
), step as (
  select generate_series(date_trunc('month', first_day::timestamp), today::timestamp, interval '1 month')::date as day
  from span where monthly
  union all
  select generate_series(first_day::timestamp, today::timestamp, interval '1 day')::date from span where not monthly
), summed as (
  select case when monthly then date_trunc('month', e.day::timestamp)::date else e.day end as day,
    coalesce(sum(times) filter (where kind = 'booking'), 0) as bookings,
    count(*) filter (where kind = 'job') as completed_jobs,
    coalesce(sum(amount) filter (where kind in ('job', 'deposit')), 0) as revenue,
    count(*) filter (where kind = 'rfq') as rfqs,
    count(*) filter (where kind = 'quote') as quotes_sent,
    count(*) filter (where kind = 'acceptance') as quotes_accepted,
    count(*) filter (where kind = 'review') as reviews
  from event e cross join span group by 1
), total as (
  select coalesce(sum(times) filter (where kind = 'booking'), 0) as bookings,
    coalesce(sum(times) filter (where kind = 'booking' and status = 'pending'), 0) as pending,
    coalesce(sum(times) filter (where kind = 'booking' and status = 'confirmed'), 0) as confirmed,
    coalesce(sum(times) filter (where kind = 'booking' and status = 'completed'), 0) as completed,
    coalesce(sum(times) filter (where kind = 'booking' and status = 'no_show'), 0) as no_show,
    coalesce(sum(times) filter (where kind = 'booking' and status = 'cancelled'), 0) as cancelled,
    count(*) filter (where kind = 'job') as completed_jobs,
    coalesce(sum(amount) filter (where kind = 'job'), 0) as job_cents,
    coalesce(sum(amount) filter (where kind = 'deposit'), 0) as deposit_cents,
    count(*) filter (where kind = 'rfq') as rfqs,
    count(*) filter (where kind = 'rfq' and status = 'new') as rfqs_new,
    count(*) filter (where kind = 'quote') as sent,
    coalesce(sum(amount) filter (where kind = 'quote'), 0) as sent_cents,
    count(*) filter (where kind = 'quote' and status = 'accepted') as sent_and_accepted,
    count(*) filter (where kind = 'acceptance') as accepted,
    coalesce(sum(amount) filter (where kind = 'acceptance'), 0) as accepted_cents,
    count(*) filter (where kind = 'review') as reviews,
    avg(amount) filter (where kind = 'review') as rating
  from event
), service as (
  select s.id, s.name, coalesce(sum(times) filter (where kind = 'booking'), 0) as bookings,
    count(*) filter (where kind = 'job') as completed_jobs,
    coalesce(sum(amount) filter (where kind in ('job', 'deposit')), 0) as revenue,
    count(*) filter (where kind = 'rfq') as rfqs
  from event e join services s on s.id = e.service_id
  group by s.id, s.name order by revenue desc, bookings desc, rfqs desc, s.name, s.id limit 10
)
select json_build_object(
  'period', $4::text,
  'timezone', span.zone,
  'from', span.first_day,
  'to', span.today,
  'granularity', case when span.monthly then 'month' else 'day' end,
  'currency', 'USD',
  'bookings', json_build_object('total', t.bookings, 'pending', t.pending, 'confirmed', t.confirmed,
    'completed', t.completed, 'noShow', t.no_show, 'cancelled', t.cancelled),
  'jobs', json_build_object('completed', t.completed_jobs),
  'revenue', json_build_object('total', trim_scale((t.job_cents + t.deposit_cents) / 100.0),
    'jobs', trim_scale(t.job_cents / 100.0), 'deposits', trim_scale(t.deposit_cents / 100.0)),
  'rfqs', json_build_object('total', t.rfqs, 'unanswered', t.rfqs_new),
  'quotes', json_build_object('sent', t.sent, 'sentAmount', trim_scale(t.sent_cents / 100.0),
    'accepted', t.accepted, 'acceptedAmount', trim_scale(t.accepted_cents / 100.0),
    'acceptanceRate', trim_scale(round(t.sent_and_accepted::numeric / nullif(t.sent, 0), 4))),
  'reviews', json_build_object('total', t.reviews, 'average', trim_scale(round(t.rating, 2))),
  'services', (
    select coalesce(json_agg(json_build_object('id', id, 'name', name, 'bookings', bookings,
      'completedJobs', completed_jobs, 'rfqs', rfqs, 'revenue', trim_scale(revenue / 100.0))
      order by revenue desc, bookings desc, rfqs desc, name, id), '[]')
    from service),
  'series', (
    select json_agg(json_build_object('date', step.day, 'bookings', coalesce(d.bookings, 0),
      'completedJobs', coalesce(d.completed_jobs, 0), 'revenue', trim_scale(coalesce(d.revenue, 0) / 100.0),
      'rfqs', coalesce(d.rfqs, 0), 'quotesSent', coalesce(d.quotes_sent, 0),
      'quotesAccepted', coalesce(d.quotes_accepted, 0), 'reviews', coalesce(d.reviews, 0)) order by step.day)
    from step left join summed d on d.day = step.day)
)::text as body
from span cross join total t
