create index concurrently if not exists customer_erasures_again on customer_erasures (look_again_at)
  where look_again_at is not null;
