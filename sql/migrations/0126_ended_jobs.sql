alter table jobs
  -- Who ended a job before it was done. Null for jobs that the pro cancelled before this column was there.
  add column cancelled_by text;
-- 0.1.0 runs with this: it leaves the column null.
alter table jobs add constraint jobs_cancelled_by_check check (cancelled_by in ('customer', 'pro')) not valid;
alter table jobs validate constraint jobs_cancelled_by_check;

-- How long before its visit the work of a quote can be cancelled for free: shown before the deposit is paid, and kept.
alter table quotes add column free_cancellation_hours integer not null default 24;
