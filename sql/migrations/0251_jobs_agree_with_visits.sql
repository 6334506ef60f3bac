-- Jobs and visits of before agree, as sql/functions/visits_of_job.sql demands from now on. The repairs have no events: what they write
-- down happened before.
update jobs j set status = 'in_progress', started_at = v.first_completed_at
from (
  select professional_id, job_id, min(completed_at) as first_completed_at from bookings
  where job_id is not null and status = 'completed' group by professional_id, job_id
) v
where v.professional_id = j.professional_id and v.job_id = j.id and j.status = 'scheduled';
update bookings v set status = 'completed', completed_at = greatest(j.completed_at, v.starts_at)
from jobs j
where j.professional_id = v.professional_id and j.id = v.job_id and j.status = 'completed'
  and v.status = 'confirmed' and v.starts_at <= now();
update bookings v set status = 'cancelled', cancelled_at = now(), cancelled_by = 'pro',
  cancellation_reason = 'The work was over before this visit.'
from jobs j
where j.professional_id = v.professional_id and j.id = v.job_id and j.status in ('completed', 'cancelled')
  and v.status in ('pending', 'confirmed');
update jobs j set completed_at = v.last_start
from (
  select professional_id, job_id, max(starts_at) as last_start from bookings
  where job_id is not null and status = 'completed' group by professional_id, job_id
) v
where v.professional_id = j.professional_id and v.job_id = j.id and j.completed_at < v.last_start;
