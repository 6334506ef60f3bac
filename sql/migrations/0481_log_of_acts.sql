-- One log of everything that was done, the newest first.
create index concurrently if not exists operator_actions_at on operator_actions (at desc, id desc);
