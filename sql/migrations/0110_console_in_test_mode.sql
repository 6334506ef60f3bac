-- The console can show test mode, and its data can be deleted.

alter table sessions
  -- The test account whose keys, webhooks and usage the console shows; null outside of test mode.
  -- 0.1.0 runs with this: it leaves the column null.
  add column test_account_id uuid references accounts on delete set null;

-- Deleting requests and jobs looks for what was prepared for them.
-- 0.1.0 runs with this: prepared work is deleted by age, and the indexes are built at once.
create index prepared_work_rfq on prepared_work (rfq_id) where rfq_id is not null;
-- 0.1.0 runs with this: the same holds for jobs, and the index is built at once.
create index prepared_work_job on prepared_work (job_id) where job_id is not null;
