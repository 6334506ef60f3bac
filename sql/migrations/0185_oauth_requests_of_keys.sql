create index concurrently if not exists oauth_requests_key on oauth_requests (key_id) where key_id is not null;
