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
