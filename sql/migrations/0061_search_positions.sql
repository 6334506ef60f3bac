-- The search around a point finds its page by an index of PostGIS: positions as points on the unit sphere, by facet. They
-- replace the three coordinates of an entry. sql/functions/search_upgrade.sql fills the emptied tables again.
truncate pro_search_entry, pro_search_cell, pro_search_area;
drop index pro_search_entry_place;
alter table pro_search_entry drop column x, drop column y, drop column z, add column position geometry(PointZ) not null;
-- Nearest first within a facet. Entries are read from the table: this index cannot return positions.
create index pro_search_entry_position on pro_search_entry using gist (facet, position gist_geometry_ops_nd);
-- The rim of a circle.
create index pro_search_entry_place on pro_search_entry (place) include (position, flags);
drop function if exists search_chord2(
  double precision, double precision, double precision, double precision, double precision, double precision);
drop function if exists search_metres(double precision);
