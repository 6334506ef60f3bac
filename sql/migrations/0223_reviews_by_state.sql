create index concurrently if not exists reviews_state on reviews (professional_id, status, created_at desc, id desc);
