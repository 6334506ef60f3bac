create index concurrently if not exists messages_undelivered on messages (finished_at desc, id desc) where status in ('failed', 'suppressed');
