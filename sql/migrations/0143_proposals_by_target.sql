create index concurrently if not exists proposals_target on proposals (target_id);
