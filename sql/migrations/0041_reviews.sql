-- A rejected review does not keep the customer from sending another.
drop index reviews_one_each;
create unique index reviews_one_each on reviews (professional_id, lower(customer_email), booking_id, job_id)
  nulls not distinct where status <> 'rejected';

-- What names a job is found by it, as for bookings.
create index reviews_job on reviews (job_id) where job_id is not null;

-- A review of work that the pro completes later is verified then. Its booking or job is of its customer: submitReview() checks.
create function verify_reviews() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'bookings' then
    update reviews set verified = true where booking_id = new.id and not verified;
  else
    update reviews set verified = true where job_id = new.id and not verified;
  end if;
  return null;
end $$;
create trigger booking_completed after update of status on bookings
  for each row when (new.status = 'completed' and old.status <> 'completed') execute function verify_reviews();
create trigger job_completed after update of status on jobs
  for each row when (new.status = 'completed' and old.status <> 'completed') execute function verify_reviews();
update reviews r set verified = true
from bookings b where b.id = r.booking_id and b.status = 'completed' and not r.verified;
update reviews r set verified = true
from jobs j where j.id = r.job_id and j.status = 'completed' and not r.verified;

-- The sums count the scores that were given; a missing score no longer counts as the rating.
alter table review_stats
  add column punctuality_count integer not null default 0,
  add column communication_count integer not null default 0,
  add column quality_count integer not null default 0,
  add column value_count integer not null default 0;
update review_stats s set
  punctuality_sum = c.punctuality_sum, communication_sum = c.communication_sum,
  quality_sum = c.quality_sum, value_sum = c.value_sum,
  punctuality_count = c.punctuality_count, communication_count = c.communication_count,
  quality_count = c.quality_count, value_count = c.value_count
from (
  select professional_id,
    coalesce(sum(punctuality), 0) as punctuality_sum, coalesce(sum(communication), 0) as communication_sum,
    coalesce(sum(quality), 0) as quality_sum, coalesce(sum(value), 0) as value_sum,
    count(punctuality) as punctuality_count, count(communication) as communication_count,
    count(quality) as quality_count, count(value) as value_count
  from reviews where status = 'approved'
  group by professional_id
) c
where c.professional_id = s.professional_id;
