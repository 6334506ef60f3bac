create index concurrently if not exists oauth_requests_account on oauth_requests (account_id) where account_id is not null;
