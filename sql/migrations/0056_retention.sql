-- Deletion by age (src/features/retention/tables.ts): an index on each age, and rows that go with the row they belong to.
create index notices_age on notices (created_at);
create index availability_blocks_age on availability_blocks (ends_at);
create index dead_letters_age on dead_letters (failed_at);
create index proposals_age on proposals (created_at) where status <> 'open';
create index reviews_rejected_age on reviews (rejected_at) where status = 'rejected';
create index trace_parts_age on trace_parts (started_at);
create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null;
-- Deleting a key checks both references to it.
create index api_keys_replaced_by on api_keys (replaced_by) where replaced_by is not null;
create index proposals_key on proposals (key_id) where key_id is not null;

alter table agent_steps drop constraint agent_steps_run,
  add constraint agent_steps_run foreign key (professional_id, run_id) references agent_runs (professional_id, id)
    on delete cascade;
alter table agent_runs drop constraint agent_runs_thread,
  add constraint agent_runs_thread foreign key (professional_id, thread_id) references threads (professional_id, id)
    on delete cascade;
alter table thread_messages drop constraint thread_messages_thread,
  add constraint thread_messages_thread foreign key (professional_id, thread_id)
    references threads (professional_id, id) on delete cascade;
