create index concurrently if not exists api_keys_expiring_grants on api_keys (expires_at) where is_grant and revoked_at is null;
