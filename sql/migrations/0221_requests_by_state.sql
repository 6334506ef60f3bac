create index concurrently if not exists rfqs_state on rfqs (professional_id, status, created_at desc, id desc);
