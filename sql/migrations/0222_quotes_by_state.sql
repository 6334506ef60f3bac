create index concurrently if not exists quotes_state on quotes (professional_id, status, created_at desc, id desc);
