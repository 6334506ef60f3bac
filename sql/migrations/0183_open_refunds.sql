create index concurrently if not exists payment_refunds_open on payment_refunds (next_attempt_at)
  where status in ('pending', 'part', 'submitted');
