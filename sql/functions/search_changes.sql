-- What search shows follows its sources: triggers refresh, after each statement and once for all, the pros that it changed. An update
-- that changes nothing that a search shows or counts (the sequence of the last event, the hours) refreshes nothing.
-- A change of a city, service or category that is under way does not see what comes to it, and that does not see the change: it
-- waits for the change.
create or replace function search_pros_inserted() returns trigger language plpgsql as $$
begin
  perform from cities c where c.id in (select city_id from new_rows) order by c.id for share;
  perform refresh_search(array(select id from new_rows));
  return null;
end $$;

create or replace function search_pros_deleted() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(select id from old_rows));
  return null;
end $$;

create or replace function search_offers_inserted() returns trigger language plpgsql as $$
begin
  perform from services s where s.id in (select service_id from new_rows) order by s.id for share;
  perform from categories k
  where k.id in (select s.category_id from new_rows n join services s on s.id = n.service_id) order by k.id for share;
  perform refresh_search(array(select distinct professional_id from new_rows));
  return null;
end $$;

create or replace function search_offers_updated() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(select professional_id from new_rows union select professional_id from old_rows));
  return null;
end $$;

create or replace function search_offers_deleted() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(select distinct professional_id from old_rows));
  return null;
end $$;

-- How many pros a transaction refreshes because of changed services. A pro takes up to 5 ms, and a request waits 1.5 s.
create or replace function max_search_refresh() returns integer language sql immutable parallel safe as $$ select 200 $$;

-- Refreshes the pros who offer these services, in the transaction if they are few, and otherwise in parts after it
-- (continue_search_refresh): until then, each pro is found as before the change.
create or replace function refresh_search_of_services(p_service_ids uuid[]) returns void language plpgsql as $$
declare
  refreshed constant integer := coalesce(nullif(current_setting('hearth.refreshed_pros', true), ''), '0');
  pros uuid[];
begin
  pros := array(
    select distinct professional_id from professional_services where service_id = any (p_service_ids)
    limit max_search_refresh() + 1);
  if refreshed + cardinality(pros) > max_search_refresh() then
    insert into search_refreshes (service_id) select unnest(p_service_ids);
  else
    perform refresh_search(pros);
    perform set_config('hearth.refreshed_pros', (refreshed + cardinality(pros))::text, true);
  end if;
end $$;

-- Refreshes the next pros of a changed service, at most `at_most`. Returns false when no change waits.
create or replace function continue_search_refresh(at_most integer) returns boolean language plpgsql as $$
declare
  part search_refreshes;
  pros uuid[];
begin
  select r.* into part from search_refreshes r order by r.id limit 1 for update skip locked;
  if part.id is null then
    return false;
  end if;
  pros := array(
    select professional_id from professional_services
    where service_id = part.service_id
      and professional_id > coalesce(part.last_id, '00000000-0000-0000-0000-000000000000')
    order by professional_id limit at_most);
  perform refresh_search(pros);
  if cardinality(pros) < at_most then
    delete from search_refreshes where id = part.id;
  else
    update search_refreshes set last_id = pros[at_most] where id = part.id;
  end if;
  return true;
end $$;

create or replace function search_services_updated() returns trigger language plpgsql as $$
begin
  perform refresh_search_of_services(array(
    select n.id from new_rows n join old_rows o on o.id = n.id
    where (n.ordinal, n.category_id, n.name, n.slug, n.active, n.duration_minutes)
      is distinct from (o.ordinal, o.category_id, o.name, o.slug, o.active, o.duration_minutes)));
  return null;
end $$;

create or replace function search_categories_updated() returns trigger language plpgsql as $$
begin
  perform refresh_search_of_services(array(
    select s.id from new_rows n join old_rows o on o.id = n.id join services s on s.category_id = n.id
    where (n.ordinal, n.name, n.merged_into) is distinct from (o.ordinal, o.name, o.merged_into)));
  return null;
end $$;

create or replace function search_cities_updated() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(
    select p.id from new_rows n join old_rows o on o.id = n.id join professionals p on p.city_id = n.id
    where (n.name, n.state, n.latitude, n.longitude) is distinct from (o.name, o.state, o.latitude, o.longitude)));
  return null;
end $$;

create or replace trigger search_updated after update on categories
  referencing old table as old_rows new table as new_rows for each statement execute function search_categories_updated();
create or replace trigger search_updated after update on cities
  referencing old table as old_rows new table as new_rows for each statement execute function search_cities_updated();
create or replace trigger search_deleted after delete on professional_services
  referencing old table as old_rows for each statement execute function search_offers_deleted();
create or replace trigger search_inserted after insert on professional_services
  referencing new table as new_rows for each statement execute function search_offers_inserted();
create or replace trigger search_updated after update on professional_services
  referencing old table as old_rows new table as new_rows for each statement execute function search_offers_updated();
create or replace trigger search_deleted after delete on professionals
  referencing old table as old_rows for each statement execute function search_pros_deleted();
create or replace trigger search_inserted after insert on professionals
  referencing new table as new_rows for each statement execute function search_pros_inserted();
create or replace trigger search_updated after update on services
  referencing old table as old_rows new table as new_rows for each statement execute function search_services_updated();
