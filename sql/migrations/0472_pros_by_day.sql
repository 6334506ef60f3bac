create index concurrently if not exists professionals_joined on professionals (created_at);
