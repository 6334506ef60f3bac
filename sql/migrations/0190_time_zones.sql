-- The time zones that pros and cities have or had: PostgreSQL knows them (sql/functions/time_zones.sql), and processes load
-- their offsets.
create table time_zones (
  name text primary key
);
insert into time_zones (name)
select time_zone from cities union select time_zone from professionals;
