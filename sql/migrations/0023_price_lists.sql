-- The prices of a service in a city, as of the last refresh. Statistics are counted from these lists, so that one change costs
-- the reading of one pro's prices, not of every pro who offers the service.
create table price_lists (
  service_id uuid not null references services on delete cascade,
  state text not null,
  city_id integer not null,
  -- Three arrays of one length, by ascending price.
  cents double precision[] not null,
  professional_ids uuid[] not null,
  sources smallint[] not null,
  sum_cents numeric not null,
  professional_listings integer not null,
  accepted_quotes integer not null,
  completed_projects integer not null,
  primary key (service_id, state, city_id),
  constraint price_lists_length check (
    cardinality(cents) > 0
    and (cardinality(professional_ids), cardinality(sources), professional_listings + accepted_quotes + completed_projects)
      = (cardinality(cents), cardinality(cents), cardinality(cents)))
);

-- For pros who leave a city.
create index price_lists_city on price_lists (city_id);

-- What changed is noted as what can be said whatever happens beside it: a price of a pro, for a service (service and pro); a
-- pro who was in a city, and moved, came back or went (city and pro); a service, everywhere (service alone). Where the pro
-- is, and what they have, the refresh sees for itself.
alter table pricing_changes add column professional_id uuid, alter column service_id drop not null;
delete from pricing_changes;
alter table pricing_changes add constraint pricing_changes_kind check (
  (service_id is not null and city_id is null)
  or (service_id is null and city_id is not null and professional_id is not null));
-- Fills the lists with the next refresh.
insert into pricing_changes (service_id) select id from services;

create or replace function note_pro_moved() returns trigger language plpgsql as $$
begin
  insert into pricing_changes (city_id, professional_id) values (old.city_id, old.id);
  return coalesce(new, old);
end $$;
drop function note_prices_of_pro(uuid, integer);

create or replace function note_offers_inserted() returns trigger language plpgsql as $$
begin
  insert into pricing_changes (service_id, professional_id) select service_id, professional_id from new_rows;
  return null;
end $$;
create or replace function note_offers_deleted() returns trigger language plpgsql as $$
begin
  insert into pricing_changes (service_id, professional_id) select service_id, professional_id from old_rows;
  return null;
end $$;
create or replace function note_offers_updated() returns trigger language plpgsql as $$
begin
  with old_prices as (
    select professional_id, service_id, price_type, unit, base_price_cents, min_price_cents, max_price_cents
    from old_rows
  ), new_prices as (
    select professional_id, service_id, price_type, unit, base_price_cents, min_price_cents, max_price_cents
    from new_rows
  )
  insert into pricing_changes (service_id, professional_id)
  select distinct c.service_id, c.professional_id
  from (
    (table old_prices except table new_prices) union all (table new_prices except table old_prices)
  ) c;
  return null;
end $$;

create or replace function note_quote_price() returns trigger language plpgsql as $$
declare
  quote constant quotes := coalesce(new, old);
begin
  insert into pricing_changes (service_id, professional_id)
  select r.service_id, quote.professional_id from rfqs r where r.id = quote.rfq_id and r.service_id is not null;
  return null;
end $$;

create or replace function note_job_price() returns trigger language plpgsql as $$
declare
  job constant jobs := coalesce(new, old);
begin
  if job.service_id is not null then
    insert into pricing_changes (service_id, professional_id) values (job.service_id, job.professional_id);
  end if;
  return null;
end $$;
