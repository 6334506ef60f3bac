-- Reads the rows that were there before, while writers go on.
alter table cities validate constraint cities_time_zone;
alter table professionals validate constraint professionals_time_zone;
alter table former_time_zones validate constraint former_time_zones_time_zone;
alter table imported_calendars validate constraint imported_calendars_expanded_zone;
