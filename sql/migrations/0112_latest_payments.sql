create index concurrently if not exists payments_captured on payments (created_at desc, id desc) where captured_at is not null;
