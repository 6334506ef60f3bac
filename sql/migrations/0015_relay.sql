-- What workers need: which events were relayed, messages that were given up, and which prices changed.

-- Events of one aggregate are in one partition, and one relay at a time works on a partition.
alter table outbox_events
  add column partition smallint not null generated always as ((uuid_hash(aggregate_id) & 7)::smallint) stored,
  add column relayed_at timestamptz;
create index outbox_events_waiting on outbox_events (partition, position) where relayed_at is null;

create function notify_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox_written', '');
  return null;
end $$;
create trigger outbox_written after insert on outbox_events
  for each statement execute function notify_outbox();

-- Messages that an actor gave up. They stay until another try has succeeded.
create table dead_letters (
  id uuid primary key,
  actor text not null,
  message_id text not null,
  data jsonb not null,
  error text not null,
  attempts integer not null check (attempts > 0),
  traceparent text,
  failed_at timestamptz not null,
  -- Sent off again, and nothing heard since.
  retried_at timestamptz,
  constraint dead_letters_message_key unique (actor, message_id)
);
create index dead_letters_retried on dead_letters (retried_at) where retried_at is not null;

-- Whatever changes a price or its place notes it, whichever code does it. Without a city: the service everywhere.
alter table pricing_changes alter column city_id drop not null;
-- Says since when statistics lag; nothing is decided by it.
alter table pricing_changes alter column changed_at set default clock_timestamp();

create function notify_prices() returns trigger language plpgsql as $$
begin
  perform pg_notify('prices_touched', '');
  return null;
end $$;
create trigger prices_touched after insert on pricing_changes
  for each statement execute function notify_prices();

-- Every price of a pro, where the pro is or was.
create function note_prices_of_pro(pro_id uuid, city integer) returns void language sql as $$
  insert into pricing_changes (service_id, city_id)
  select ps.service_id, city from professional_services ps where ps.professional_id = pro_id
  union
  select r.service_id, city from quotes q join rfqs r on r.id = q.rfq_id
  where q.professional_id = pro_id and q.status = 'accepted' and r.service_id is not null
  union
  select j.service_id, city from jobs j
  where j.professional_id = pro_id and j.status = 'completed' and j.service_id is not null
$$;

create function note_pro_moved() returns trigger language plpgsql as $$
begin
  perform note_prices_of_pro(old.id, old.city_id);
  if tg_op = 'UPDATE' then
    perform note_prices_of_pro(new.id, new.city_id);
    return new;
  end if;
  return old;
end $$;
create trigger prices_of_moved before update of active, city_id on professionals for each row
  when (old.active is distinct from new.active or old.city_id is distinct from new.city_id)
  execute function note_pro_moved();
-- Before, because afterwards nobody knows what the pro had.
create trigger prices_of_deleted before delete on professionals for each row execute function note_pro_moved();

create function note_offers_inserted() returns trigger language plpgsql as $$
begin
  insert into pricing_changes (service_id, city_id)
  select distinct n.service_id, p.city_id from new_rows n join professionals p on p.id = n.professional_id;
  return null;
end $$;
create function note_offers_deleted() returns trigger language plpgsql as $$
begin
  insert into pricing_changes (service_id, city_id)
  select distinct o.service_id, p.city_id from old_rows o join professionals p on p.id = o.professional_id;
  return null;
end $$;
create function note_offers_updated() returns trigger language plpgsql as $$
begin
  with old_prices as (
    select professional_id, service_id, price_type, unit, base_price_cents, min_price_cents, max_price_cents
    from old_rows
  ), new_prices as (
    select professional_id, service_id, price_type, unit, base_price_cents, min_price_cents, max_price_cents
    from new_rows
  )
  insert into pricing_changes (service_id, city_id)
  select distinct c.service_id, p.city_id
  from (
    (table old_prices except table new_prices) union all (table new_prices except table old_prices)
  ) c
  join professionals p on p.id = c.professional_id;
  return null;
end $$;
create trigger prices_inserted after insert on professional_services
  referencing new table as new_rows for each statement execute function note_offers_inserted();
create trigger prices_updated after update on professional_services
  referencing old table as old_rows new table as new_rows for each statement execute function note_offers_updated();
create trigger prices_deleted after delete on professional_services
  referencing old table as old_rows for each statement execute function note_offers_deleted();

create function note_quote_price() returns trigger language plpgsql as $$
declare
  quote constant quotes := coalesce(new, old);
begin
  insert into pricing_changes (service_id, city_id)
  select r.service_id, p.city_id from rfqs r join professionals p on p.id = quote.professional_id
  where r.id = quote.rfq_id and r.service_id is not null;
  return null;
end $$;
create trigger price_inserted after insert on quotes for each row
  when (new.status = 'accepted') execute function note_quote_price();
create trigger price_updated after update of status, amount_cents, units on quotes for each row
  when ((old.status = 'accepted' or new.status = 'accepted')
    and (old.status, old.amount_cents, old.units) is distinct from (new.status, new.amount_cents, new.units))
  execute function note_quote_price();
create trigger price_deleted after delete on quotes for each row
  when (old.status = 'accepted') execute function note_quote_price();

create function note_job_price() returns trigger language plpgsql as $$
declare
  job constant jobs := coalesce(new, old);
begin
  insert into pricing_changes (service_id, city_id)
  select job.service_id, p.city_id from professionals p
  where p.id = job.professional_id and job.service_id is not null;
  return null;
end $$;
create trigger price_inserted after insert on jobs for each row
  when (new.status = 'completed') execute function note_job_price();
create trigger price_updated after update of status, amount_cents, units on jobs for each row
  when ((old.status = 'completed' or new.status = 'completed')
    and (old.status, old.amount_cents, old.units) is distinct from (new.status, new.amount_cents, new.units))
  execute function note_job_price();
create trigger price_deleted after delete on jobs for each row
  when (old.status = 'completed') execute function note_job_price();

-- A listing counts only when it is priced the way its service is.
create function note_service_priced() returns trigger language plpgsql as $$
begin
  insert into pricing_changes (service_id) values (new.id);
  return null;
end $$;
create trigger prices_of_service after update of price_type, unit on services for each row
  when ((old.price_type, old.unit) is distinct from (new.price_type, new.unit))
  execute function note_service_priced();

-- The days on which all statistics were made anew, and how many figures were found wrong.
create table pricing_passes (
  day date primary key,
  drift integer not null,
  finished_at timestamptz not null
);
