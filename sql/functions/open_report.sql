-- The report of a review that waits for an operator, with what the marketplace knows of the work; null without one.
create or replace function open_report(review reviews) returns jsonb
  language sql stable parallel safe as $$
  select jsonb_build_object(
    'id', o.id,
    'reason', o.reason,
    'words', o.words,
    'createdAt', iso_instant(o.created_at),
    'earlierAnswer', (
      select e.answer from review_reports e
      where e.review_id = o.review_id and e.decided_at is not null order by e.number desc limit 1),
    -- The visit that the review names, or the last one of its job.
    'booking', (
      select jsonb_build_object('id', b.id, 'code', b.confirmation_code, 'startsAt', iso_instant(b.starts_at), 'status', b.status,
        'paidCents', coalesce(sums.paid, 0), 'returnedCents', coalesce(sums.returned, 0))
      from (
        select * from bookings where id = review.booking_id
        union all
        select * from bookings where professional_id = review.professional_id and job_id = review.job_id
        order by starts_at desc limit 1
      ) b
      cross join lateral (
        select sum(s.paid_cents) as paid, sum(s.refunded_cents + s.refunding_cents) as returned
        from payments y cross join lateral payment_sums(y) s where y.booking_id = b.id
      ) sums),
    'otherBookings', (
      select count(*) from bookings b
      where b.customer_email = review.customer_email and b.professional_id = review.professional_id
        and b.id is distinct from review.booking_id))
  from review_reports o where o.review_id = review.id and o.decided_at is null
$$;
