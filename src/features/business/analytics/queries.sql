-- name: listDaysOfPros :many on read
-- not null: day, bookings, rfqs, done, cents, reviews
-- What happened on each day of real pros, on the pros' clocks; none for a day without anything.
select d.day::text as day,
  coalesce(sum(d.total) filter (where d.kind = 'booking'), 0)::int as bookings,
  coalesce(sum(d.total) filter (where d.kind = 'rfq'), 0)::int as rfqs,
  coalesce(sum(d.total) filter (where d.kind in ('job', 'visit')), 0)::int as done,
  coalesce(sum(d.cents) filter (where d.kind in ('job', 'return', 'deposit', 'visit')), 0)::float8 as cents,
  coalesce(sum(d.total) filter (where d.kind = 'review'), 0)::int as reviews
from pro_days d join professionals p on p.id = d.professional_id and p.test_account_id is null
where d.day between :first::date and :last::date
group by d.day order by d.day

-- name: listBookingsByDay :many on read
-- not null: day, made, completed, missed, cancelled
-- What became of the bookings that were made on each day with real pros, on the pros' clocks; no row for a day without bookings.
select d.day::text as day,
  sum(d.total)::int as made,
  coalesce(sum(d.total) filter (where d.status = 'completed'), 0)::int as completed,
  coalesce(sum(d.total) filter (where d.status = 'no_show'), 0)::int as missed,
  coalesce(sum(d.total) filter (where d.status = 'cancelled'), 0)::int as cancelled
from pro_days d join professionals p on p.id = d.professional_id and p.test_account_id is null
where d.kind = 'booking' and d.day between :first::date and :last::date
group by d.day having sum(d.total) > 0 order by d.day

-- name: listCancellationsByDay :many on read
-- not null: day, by_customers, by_pros, by_hearth
-- The cancellations of each day in UTC, by who cancelled. Those from before this was recorded count as Hearth's.
select (b.cancelled_at at time zone 'UTC')::date::text as day,
  count(*) filter (where b.cancelled_by = 'customer')::int as by_customers,
  count(*) filter (where b.cancelled_by = 'pro')::int as by_pros,
  count(*) filter (where b.cancelled_by = 'hearth' or b.cancelled_by is null)::int as by_hearth
from bookings b join professionals p on p.id = b.professional_id and p.test_account_id is null
where b.status = 'cancelled' and b.cancelled_at >= :since::timestamptz and b.cancelled_at < :until::timestamptz
group by 1 order by 1

-- name: listFeesByDay :many on read
-- not null: day, cents
-- The fees of payments that were begun on each day in UTC and paid, without those that were or are being refunded whole.
select (y.created_at at time zone 'UTC')::date::text as day, sum(y.fee_cents)::float8 as cents
from payments y join professionals p on p.id = y.professional_id and p.test_account_id is null
where y.captured_at is not null and y.status = 'succeeded'
  and y.created_at >= :since::timestamptz and y.created_at < :until::timestamptz
group by 1 order by 1

-- name: listNewProsByDay :many on read
-- not null: day, joined
-- The real pros who joined on each day in UTC.
select (p.created_at at time zone 'UTC')::date::text as day, count(*)::int as joined
from professionals p
where p.test_account_id is null and p.created_at >= :since::timestamptz and p.created_at < :until::timestamptz
group by 1 order by 1

-- name: listSearchesByDay :many on read
-- not null: day, by_pages, by_programs, by_agents, misses
-- The searches for pros on each day in UTC, by how they came, and how many of them found none.
select d.day::text as day,
  coalesce(sum(d.searches) filter (where d.way = 'pages'), 0)::float8 as by_pages,
  coalesce(sum(d.searches) filter (where d.way = 'api'), 0)::float8 as by_programs,
  coalesce(sum(d.searches) filter (where d.way = 'agents'), 0)::float8 as by_agents,
  sum(d.misses)::float8 as misses
from search_days d
where d.day between :first::date and :last::date
group by d.day order by d.day
