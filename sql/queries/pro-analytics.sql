-- A pro's analytics, as the JSON text of the response body: one row, or none for an unknown pro.
-- $1 pro id · $2 now · $3 days of the period up to and including today, null for all time · $4 name of the period
-- Every counted fact becomes one event on one local date of the pro, and all sums are built from these events. Every instant has
-- one local date, in the zone that the pro had then, so days of 23 or 25 hours need no special case.
with pro as materialized (
  select p.id, p.time_zone as zone, ($2::timestamptz at time zone now.time_zone)::date as today
  from professionals p
  cross join lateral counted_zone(p.id, p.time_zone, $2) now
  where p.id = $1
), event as materialized (
  select d.kind, d.day, d.service_id, d.status, d.total as times, d.cents as amount
  from pro join pro_days d on d.professional_id = pro.id and d.day <= pro.today
    and d.day > case when $3::integer is null then '-infinity' else pro.today - $3 end
  where d.total <> 0 or d.cents <> 0
  union all
  -- A hold that was not paid in time counts as cancelled, even before the row is updated.
  select 'booking', made.day, b.service_id, lapsed.status, lapsed.times, 0
  from pro join bookings b on b.professional_id = pro.id and b.hold_expires_at <= $2
  cross join lateral counted_zone(pro.id, pro.zone, b.created_at) z
  cross join lateral (select (b.created_at at time zone z.time_zone)::date as day) made
  cross join (values ('pending', -1), ('cancelled', 1)) lapsed (status, times)
  where made.day <= pro.today and made.day > case when $3::integer is null then '-infinity' else pro.today - $3 end
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
    coalesce(sum(times) filter (where kind = 'job'), 0) as completed_jobs,
    coalesce(sum(times) filter (where kind = 'visit'), 0) as completed_visits,
    coalesce(sum(amount) filter (where kind in ('job', 'return', 'deposit', 'visit')), 0) as revenue,
    coalesce(sum(times) filter (where kind = 'rfq'), 0) as rfqs,
    coalesce(sum(times) filter (where kind = 'quote'), 0) as quotes_sent,
    coalesce(sum(times) filter (where kind = 'acceptance'), 0) as quotes_accepted,
    coalesce(sum(times) filter (where kind = 'review'), 0) as reviews
  from event e cross join span group by 1
), total as (
  select coalesce(sum(times) filter (where kind = 'booking'), 0) as bookings,
    coalesce(sum(times) filter (where kind = 'booking' and status = 'pending'), 0) as pending,
    coalesce(sum(times) filter (where kind = 'booking' and status = 'confirmed'), 0) as confirmed,
    coalesce(sum(times) filter (where kind = 'booking' and status = 'completed'), 0) as completed,
    coalesce(sum(times) filter (where kind = 'booking' and status = 'no_show'), 0) as no_show,
    coalesce(sum(times) filter (where kind = 'booking' and status = 'cancelled'), 0) as cancelled,
    coalesce(sum(times) filter (where kind = 'job'), 0) as completed_jobs,
    coalesce(sum(times) filter (where kind = 'visit'), 0) as completed_visits,
    coalesce(sum(times) filter (where kind = 'visit' and status = 'unpriced'), 0) as unpriced_visits,
    coalesce(sum(amount) filter (where kind in ('job', 'return')), 0) as job_cents,
    coalesce(sum(amount) filter (where kind = 'visit'), 0) as visit_cents,
    coalesce(sum(amount) filter (where kind = 'deposit'), 0) as deposit_cents,
    coalesce(sum(times) filter (where kind = 'rfq'), 0) as rfqs,
    coalesce(sum(times) filter (where kind = 'rfq' and status = 'new'), 0) as rfqs_new,
    coalesce(sum(times) filter (where kind = 'quote'), 0) as sent,
    coalesce(sum(amount) filter (where kind = 'quote'), 0) as sent_cents,
    coalesce(sum(times) filter (where kind = 'quote' and status = 'accepted'), 0) as sent_and_accepted,
    coalesce(sum(times) filter (where kind = 'acceptance'), 0) as accepted,
    coalesce(sum(amount) filter (where kind = 'acceptance'), 0) as accepted_cents,
    coalesce(sum(times) filter (where kind = 'review'), 0) as reviews,
    sum(amount) filter (where kind = 'review')::numeric
      / nullif(sum(times) filter (where kind = 'review'), 0) as rating
  from event
), service as (
  select s.id, s.name, coalesce(sum(times) filter (where kind = 'booking'), 0) as bookings,
    coalesce(sum(times) filter (where kind = 'job'), 0) as completed_jobs,
    coalesce(sum(times) filter (where kind = 'visit'), 0) as completed_visits,
    coalesce(sum(amount) filter (where kind in ('job', 'return', 'deposit', 'visit')), 0) as revenue,
    coalesce(sum(times) filter (where kind = 'rfq'), 0) as rfqs
  from event e join services s on s.id = e.service_id
  group by s.id, s.name order by revenue desc, bookings desc, rfqs desc, s.name, s.id limit 10
)
select json_build_object(
  'period', $4::text,
  'timezone', span.zone,
  'from', span.first_day,
  'to', span.today,
  'granularity', case when span.monthly then 'month' else 'day' end,
  'currency', marketplace_currency(),
  'bookings', json_build_object('total', t.bookings, 'pending', t.pending, 'confirmed', t.confirmed,
    'completed', t.completed, 'noShow', t.no_show, 'cancelled', t.cancelled),
  'jobs', json_build_object('completed', t.completed_jobs),
  'visits', json_build_object('completed', t.completed_visits, 'unpriced', t.unpriced_visits),
  'revenue', json_build_object('total', trim_scale((t.job_cents + t.visit_cents + t.deposit_cents) / 100.0),
    'jobs', trim_scale(t.job_cents / 100.0), 'visits', trim_scale(t.visit_cents / 100.0),
    'deposits', trim_scale(t.deposit_cents / 100.0)),
  'rfqs', json_build_object('total', t.rfqs, 'unanswered', t.rfqs_new),
  'quotes', json_build_object('sent', t.sent, 'sentAmount', trim_scale(t.sent_cents / 100.0),
    'accepted', t.accepted, 'acceptedAmount', trim_scale(t.accepted_cents / 100.0),
    'acceptanceRate', trim_scale(round(t.sent_and_accepted::numeric / nullif(t.sent, 0), 4))),
  'reviews', json_build_object('total', t.reviews, 'average', trim_scale(round(t.rating, 2))),
  'services', (
    select coalesce(json_agg(json_build_object('id', id, 'name', name, 'bookings', bookings,
      'completedJobs', completed_jobs, 'completedVisits', completed_visits, 'rfqs', rfqs, 'revenue', trim_scale(revenue / 100.0))
      order by revenue desc, bookings desc, rfqs desc, name, id), '[]')
    from service),
  'series', (
    select json_agg(json_build_object('date', step.day, 'bookings', coalesce(d.bookings, 0),
      'completedJobs', coalesce(d.completed_jobs, 0),
      'completedVisits', coalesce(d.completed_visits, 0), 'revenue', trim_scale(coalesce(d.revenue, 0) / 100.0),
      'rfqs', coalesce(d.rfqs, 0), 'quotesSent', coalesce(d.quotes_sent, 0),
      'quotesAccepted', coalesce(d.quotes_accepted, 0), 'reviews', coalesce(d.reviews, 0)) order by step.day)
    from step left join summed d on d.day = step.day)
)::text as body
from span cross join total t
