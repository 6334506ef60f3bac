-- A booking may be the visit of an accepted quote's job. Without a foreign key: bookings outlive nothing of the job, and are
-- deleted on their own.
alter table bookings add column if not exists job_id uuid;
