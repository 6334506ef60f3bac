-- Counters of areas get several rows each (0177), which this index finds instead of the primary key.
create index concurrently if not exists pro_search_area_rows on pro_search_area (area, facet);
