-- At their start, processes ask whether payments that are still open need a provider that they lack.
create index concurrently if not exists payments_open on payments (provider, expires_at) where status in ('requires_payment', 'failed');
