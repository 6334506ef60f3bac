create index concurrently if not exists messages_digests on messages (recipient, send_at) where kind = 'digest';
