-- The search read model: kept in step by triggers, in the transaction of the change; rebuilt whole by rebuild_search().
--
-- What it is built on:
--   * one narrow row per pro and facet, on a B-tree that carries everything the distance test reads;
--   * counters per grid cell, so that only pros near the rim of the circle are tested for the total;
--   * positions as points of the unit sphere: the square of the chord grows with the distance on the sphere, so it
--     orders and limits exactly, without trigonometry per row and without a special case at the antimeridian.
-- Measured at 1,000,000 pros, 25 miles around a random pro, in CPU of the backend. 1 is sql/queries/search-near.sql
-- whole, with the results' texts:
--   geography ST_DWithin + count(*) over (), the service by EXISTS: 400. Without a service, around the 50 largest
--   cities (20,000 matches): 85 to 1
--   a GiST of (facet, geometry), box + chord + count(*) over (), ids only: 2, and more the more match
--   the page's ids alone, nearest first by <->: PointZ in gist_geometry_ops_nd 0.4, cube of (facet, x, y, z) 1.6 (its
--   pages overlap: 140 read for 20 rows), geometry 0.3, point 0.2 (in degrees: not the order on a sphere); from the
--   smallest trial circle, as here, 0.15 and no second index
--   the total alone, inside from counters and only the rim tested, instead of testing every entry of the circle: half
--   the time for a service, a seventh for every pro around the 50 largest cities

-- A facet is what a list is about: 0 every pro, 1–99 a category by its ordinal, 100 and up a service by its ordinal.
alter table categories add constraint categories_ordinal_range check (ordinal between 1 and 99);
alter table services add constraint services_ordinal_range check (ordinal >= 100);

-- One row per active pro: the finished result, and what its entries are made from.
create table pro_search (
  professional_id uuid primary key,
  -- Rows are found by this number: a rebuild gives neighbours on the map neighbouring ones, so that the results of one
  -- page share pages of the index too (half the time of 20 look-ups by id at 1,000,000 pros).
  slot integer generated always as identity,
  slug text not null,
  -- The result as JSON text, open at its end: the query adds distance and URLs.
  doc text not null,
  position geography(Point, 4326) not null,
  -- 1 verified, 2 instant booking.
  flags smallint not null check (flags between 0 and 3),
  city_id integer not null,
  state smallint not null,
  -- Bayesian mean of the ratings, then their number, as one number to order by: see search_standing().
  standing bigint not null,
  facets smallint[] not null,
  constraint pro_search_slot unique (slot)
) with (toast_tuple_target = 8160);
-- Results are read in every search: never compressed, and beside the row as long as they fit a page.
alter table pro_search alter column doc set storage external;

-- One row per facet and pro. `place` is facet, grid band and longitude in one number: see search_place().
create table pro_search_entry (
  place bigint not null,
  x double precision not null,
  y double precision not null,
  z double precision not null,
  standing bigint not null,
  professional_id uuid not null,
  slot integer not null,
  city_id integer not null,
  facet smallint not null,
  state smallint not null,
  flags smallint not null
);
create index pro_search_entry_place on pro_search_entry (place) include (x, y, z, slot, professional_id, flags);
create index pro_search_entry_everywhere on pro_search_entry (facet, standing desc, professional_id) include (flags);
create index pro_search_entry_state on pro_search_entry (facet, state, standing desc, professional_id) include (flags);
create index pro_search_entry_city on pro_search_entry (facet, city_id, standing desc, professional_id) include (flags);

-- Pros per facet and grid cell, at two sizes of cells: see search_cell(). Read in ranges of neighbouring cells.
create table pro_search_cell (
  cell bigint not null,
  pros integer not null,
  verified integer not null,
  instant integer not null,
  verified_instant integer not null
);
create unique index pro_search_cell_key on pro_search_cell (cell) include (pros, verified, instant, verified_instant);

-- Pros per area and facet. Area: 0 everywhere, a positive number the city of that id, a negative one the state of that
-- ordinal. Also what GET /services and GET /cities count.
create table pro_search_area (
  area integer not null,
  facet smallint not null,
  pros integer not null,
  verified integer not null,
  instant integer not null,
  verified_instant integer not null,
  primary key (area, facet)
);
create index pro_search_area_cities on pro_search_area (area) include (pros) where facet = 0 and area > 0;

create function notify_catalog() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalog_changed', '');
  return null;
end $$;
create trigger catalog_changed after insert or update or delete or truncate on pro_search_area
  for each statement execute function notify_catalog();

-- The triggers: after each statement, once for all pros it changed. What they call: sql/functions/search_refresh.sql.
-- An update that changes nothing a search shows or counts (the sequence of the last event, the hours) calls nothing.
create function search_pros_inserted() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(select id from new_rows));
  return null;
end $$;
create function search_pros_updated() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(
    select n.id from new_rows n join old_rows o on o.id = n.id
    where (n.slug, n.business_name, n.description, n.active, n.verified, n.city_id,
        n.latitude, n.longitude, n.review_count, n.rating_sum, n.instant_booking_enabled)
      is distinct from (o.slug, o.business_name, o.description, o.active, o.verified, o.city_id,
        o.latitude, o.longitude, o.review_count, o.rating_sum, o.instant_booking_enabled)));
  return null;
end $$;
create function search_pros_deleted() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(select id from old_rows));
  return null;
end $$;
create trigger search_inserted after insert on professionals
  referencing new table as new_rows for each statement execute function search_pros_inserted();
create trigger search_updated after update on professionals
  referencing old table as old_rows new table as new_rows for each statement execute function search_pros_updated();
create trigger search_deleted after delete on professionals
  referencing old table as old_rows for each statement execute function search_pros_deleted();

create function search_offers_inserted() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(select distinct professional_id from new_rows));
  return null;
end $$;
create function search_offers_updated() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(select professional_id from new_rows union select professional_id from old_rows));
  return null;
end $$;
create function search_offers_deleted() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(select distinct professional_id from old_rows));
  return null;
end $$;
create trigger search_inserted after insert on professional_services
  referencing new table as new_rows for each statement execute function search_offers_inserted();
create trigger search_updated after update on professional_services
  referencing old table as old_rows new table as new_rows for each statement execute function search_offers_updated();
create trigger search_deleted after delete on professional_services
  referencing old table as old_rows for each statement execute function search_offers_deleted();

-- Names that results show. Rare: every pro concerned is done again.
create function search_services_updated() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(
    select distinct ps.professional_id
    from new_rows n join old_rows o on o.id = n.id join professional_services ps on ps.service_id = n.id
    where (n.ordinal, n.category_id, n.name, n.slug, n.active)
      is distinct from (o.ordinal, o.category_id, o.name, o.slug, o.active)));
  return null;
end $$;
create function search_categories_updated() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(
    select distinct ps.professional_id
    from new_rows n join old_rows o on o.id = n.id
    join services s on s.category_id = n.id join professional_services ps on ps.service_id = s.id
    where (n.ordinal, n.name) is distinct from (o.ordinal, o.name)));
  return null;
end $$;
create function search_cities_updated() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(
    select p.id from new_rows n join old_rows o on o.id = n.id join professionals p on p.city_id = n.id
    where (n.name, n.state) is distinct from (o.name, o.state)));
  return null;
end $$;
create trigger search_updated after update on services
  referencing old table as old_rows new table as new_rows for each statement execute function search_services_updated();
create trigger search_updated after update on categories
  referencing old table as old_rows new table as new_rows for each statement execute function search_categories_updated();
create trigger search_updated after update on cities
  referencing old table as old_rows new table as new_rows for each statement execute function search_cities_updated();
