-- jobs_state finds the same rows.
drop index concurrently if exists jobs_completed;
