create index concurrently if not exists oauth_requests_user on oauth_requests (user_id) where user_id is not null;
