-- A zone is one that PostgreSQL had when it came into use (sql/functions/time_zones.sql). The foreign keys hold where triggers do not
-- run, such as in a bulk load, and a copy is restored with them whatever zones the other machine has.
insert into time_zones (name)
select time_zone from cities union select time_zone from professionals union select time_zone from former_time_zones
  union select expanded_zone from imported_calendars where expanded_zone is not null
on conflict do nothing;
-- 0.2.0 runs with this: the triggers of its pros and cities add the zone first, and the others have it from a pro.
alter table cities add constraint cities_time_zone foreign key (time_zone) references time_zones not valid;
-- 0.2.0 runs with this: as above.
alter table professionals add constraint professionals_time_zone foreign key (time_zone) references time_zones not valid;
-- 0.2.0 runs with this: as above.
alter table former_time_zones add constraint former_time_zones_time_zone foreign key (time_zone) references time_zones not valid;
-- 0.2.0 runs with this: as above.
alter table imported_calendars add constraint imported_calendars_expanded_zone foreign key (expanded_zone) references time_zones not valid;
