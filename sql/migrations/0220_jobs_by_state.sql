create index concurrently if not exists jobs_state on jobs (professional_id, status, created_at desc, id desc);
