create index concurrently if not exists reviews_professional on reviews (professional_id, created_at desc, id desc);
