create unique index concurrently if not exists bookings_visit_of_job on bookings (professional_id, job_id)
  where job_id is not null and status in ('pending', 'confirmed');
