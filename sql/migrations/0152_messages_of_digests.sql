create index concurrently if not exists messages_of_digest on messages (digest_id) where digest_id is not null;
