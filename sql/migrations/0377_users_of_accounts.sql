create index concurrently if not exists users_account on users (account_id) where account_id is not null;
