create index concurrently if not exists customer_blocks_email on customer_blocks (email);
