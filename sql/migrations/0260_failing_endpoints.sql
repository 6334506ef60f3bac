create index concurrently if not exists webhook_endpoints_failing on webhook_endpoints (failing_since) where failing_since is not null;
