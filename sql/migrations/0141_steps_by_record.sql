create index concurrently if not exists agent_steps_records on agent_steps using gin (record_ids(input || coalesce(result, '')));
