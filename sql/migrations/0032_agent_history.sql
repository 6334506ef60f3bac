-- What is past its time of an agent's history is found by its time.
create index threads_past on threads (last_activity_at);
create index agent_runs_past on agent_runs (finished_at) where thread_id is null and finished_at is not null;
create index agent_runs_thread on agent_runs (professional_id, thread_id) where thread_id is not null;
create index thread_messages_run on thread_messages (professional_id, run_id);
create index prepared_work_past on prepared_work (created_at);
