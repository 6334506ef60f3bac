create index concurrently if not exists api_keys_last_four on api_keys (last_four);
