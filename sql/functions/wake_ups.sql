-- Wake-ups leave the commit: PostgreSQL holds one lock of the whole cluster from NOTIFY to the end of the commit, so with commits
-- of 5 ms all transactions that notify made 142 a second together. A notice goes to the connection that writes; its process
-- notifies after the commit (src/platform/postgres/wake-ups.ts). Consumers poll for what a process that died did not announce.
create or replace function ask_wake_up(channel text, payload text) returns void language plpgsql as $$
begin
  raise notice using message = channel, detail = payload, errcode = 'HE001';
end $$;

-- An event waits for the relay.
create or replace function notify_outbox() returns trigger language plpgsql as $$
begin
  perform ask_wake_up('outbox_written', '');
  return null;
end $$;

-- A price changed, and the statistics lack it.
create or replace function notify_prices() returns trigger language plpgsql as $$
begin
  perform ask_wake_up('prices_touched', '');
  return null;
end $$;

-- Statistics of prices changed.
create or replace function notify_pricing() returns trigger language plpgsql as $$
begin
  perform ask_wake_up('pricing_changed', '');
  return null;
end $$;

-- The numbers of pros per service and city changed.
create or replace function notify_catalog() returns trigger language plpgsql as $$
begin
  perform ask_wake_up('catalog_changed', '');
  return null;
end $$;

-- An agent run was queued or has another status.
create or replace function notify_agent_run() returns trigger language plpgsql as $$
begin
  perform ask_wake_up('agent_runs_moved', new.id::text);
  return null;
end $$;

-- Every page says the name of the marketplace and links to its texts, which are changed a few times in its life.
create or replace function notify_marketplace() returns trigger language plpgsql as $$
begin
  perform pg_notify('marketplace_changed', '');
  return null;
end $$;

-- Servers resolve names to ordinals from memory: tell them when the names change.
create or replace function notify_catalog_names() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalog_names_changed', '');
  return null;
end $$;

create or replace trigger agent_run_moved after update of status on agent_runs for each row
  when (old.status <> new.status) execute function notify_agent_run();
create or replace trigger agent_run_queued after insert on agent_runs for each row execute function notify_agent_run();
create or replace trigger catalog_changed after insert or update or delete or truncate on pro_search_area
  for each statement execute function notify_catalog();
create or replace trigger categories_changed after insert or update or delete or truncate on categories
  for each statement execute function notify_catalog_names();
create or replace trigger cities_changed after insert or update or delete or truncate on cities
  for each statement execute function notify_catalog_names();
create or replace trigger marketplace_changed after insert or update or delete or truncate on marketplace_versions
  for each statement execute function notify_marketplace();
create or replace trigger marketplace_texts_changed after insert on marketplace_texts
  for each statement execute function notify_marketplace();
create or replace trigger former_slugs_changed after insert or update or delete or truncate on former_slugs
  for each statement execute function notify_catalog_names();
create or replace trigger search_words_changed after insert or update or delete or truncate on search_words
  for each statement execute function notify_catalog_names();
create or replace trigger services_changed after insert or update or delete or truncate on services
  for each statement execute function notify_catalog_names();
create or replace trigger states_changed after insert or update or delete or truncate on states
  for each statement execute function notify_catalog_names();
create or replace trigger outbox_written after insert on outbox_events
  for each statement execute function notify_outbox();
create or replace trigger prices_touched after insert on pricing_changes
  for each statement execute function notify_prices();
create or replace trigger pricing_changed after insert or update or delete on pricing_aggregates
  for each statement execute function notify_pricing();
