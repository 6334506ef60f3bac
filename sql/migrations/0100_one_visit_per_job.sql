-- Not unique: a release that runs beside this one must be able to write. book_visit keeps to one open visit under
-- lock_schedule.
create index concurrently if not exists bookings_visit_of_job on bookings (professional_id, job_id) where job_id is not null;
