-- The statistics of the approved reviews of these pros (null: all), computed from the reviews. One row per pro with any.
create or replace function review_stats_source(p_ids uuid[]) returns setof review_stats
  language sql stable as $$
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

-- Recomputes all statistics, after reviews were loaded by SQL.
create or replace function rebuild_review_stats() returns void
  language plpgsql volatile as $$
begin
  delete from review_stats;
  insert into review_stats select * from review_stats_source(null);
end $$;

-- Adds a newly approved review to its pro's statistics and rating.
create or replace function count_review(review reviews) returns void
  language plpgsql volatile as $$
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

-- Takes a review that is published no more out of its pro's statistics and rating.
create or replace function uncount_review() returns trigger
  language plpgsql as $$
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
create or replace trigger review_withdrawn after update of status on reviews
  for each row when (old.status = 'approved' and new.status <> 'approved') execute function uncount_review();

-- The mean of scores, rounded to two decimals; 0 without scores.
create or replace function mean_score(sum integer, total integer) returns numeric
  language sql immutable parallel safe as $$
  select case when total > 0 then trim_scale(round(sum::numeric / total, 2)) else 0 end
$$;

-- The mean of each score over the reviews that give it; 0 for a score that none gives.
create or replace function review_breakdown(stats review_stats) returns json
  language sql stable parallel safe as $$
  select json_build_object(
    'punctuality', mean_score(stats.punctuality_sum, stats.punctuality_count),
    'communication', mean_score(stats.communication_sum, stats.communication_count),
    'quality', mean_score(stats.quality_sum, stats.quality_count),
    'value', mean_score(stats.value_sum, stats.value_count))
$$;

-- How many reviews give each score: the mean says 0 where it is not given at all.
create or replace function review_scored(stats review_stats) returns json
  language sql stable parallel safe as $$
  select json_build_object(
    'punctuality', coalesce(stats.punctuality_count, 0), 'communication', coalesce(stats.communication_count, 0),
    'quality', coalesce(stats.quality_count, 0), 'value', coalesce(stats.value_count, 0))
$$;

-- The stats object of GET /reviews; null stats for a pro without reviews.
create or replace function review_stats_object(stats review_stats) returns json
  language plpgsql immutable parallel safe as $$
declare
  total constant integer :=
    coalesce(stats.rated_1 + stats.rated_2 + stats.rated_3 + stats.rated_4 + stats.rated_5, 0);
begin
  return json_build_object(
    'average', mean_score(
      stats.rated_1 + 2 * stats.rated_2 + 3 * stats.rated_3 + 4 * stats.rated_4 + 5 * stats.rated_5, total),
    'total', total,
    'breakdown', review_breakdown(stats),
    'scored', review_scored(stats),
    'distribution', json_build_object(
      '1', coalesce(stats.rated_1, 0), '2', coalesce(stats.rated_2, 0), '3', coalesce(stats.rated_3, 0),
      '4', coalesce(stats.rated_4, 0), '5', coalesce(stats.rated_5, 0)));
end $$;

-- Whether a review names work that its pro has completed for its author. Work that a person booked or asked for who acts for the
-- pro does not count, nor an author who logs in to the console of the business.
create or replace function is_of_completed_work(review reviews) returns boolean
  language plpgsql stable parallel safe as $$
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

-- Verifies the reviews of work that its pro has just completed, a booking or a job, whose authors have shown who they are.
create or replace function verify_reviews() returns trigger
  language plpgsql as $$
begin
  update reviews r set verified = true
  where professional_id = new.professional_id and not verified and proven_at is not null
    and (booking_id = new.id or job_id = new.id) and is_of_completed_work(r);
  return null;
end $$;

-- Takes the e-mail address out of a review whose author has not shown that it is theirs, so that it does not stand in the way of
-- the one that the owner of the address writes about the same.
create or replace function release_unproven_address(pro_id uuid, email text, of_booking_id uuid, of_job_id uuid) returns void
  language sql volatile as $$
  update reviews set customer_email = 'unproven-' || id || '@hearth.invalid'
  where professional_id = pro_id and customer_email = email and booking_id is not distinct from of_booking_id
    and job_id is not distinct from of_job_id and status <> 'rejected' and proven_at is null and not verified
$$;

-- However a review is approved, it counts in its pro's rating and figures from then on: see count_review().
create or replace function count_approved_review() returns trigger language plpgsql as $$
begin
  perform count_review(new);
  return null;
end $$;

create or replace trigger review_approved after update of status on reviews
  for each row when (new.status = 'approved' and old.status <> 'approved') execute function count_approved_review();
create or replace trigger booking_completed after update of status on bookings
  for each row when (new.status = 'completed' and old.status <> 'completed') execute function verify_reviews();
create or replace trigger job_completed after update of status on jobs
  for each row when (new.status = 'completed' and old.status <> 'completed') execute function verify_reviews();
