-- Counters of cells get several rows each (0177), which this index finds instead of pro_search_cell_key.
create index concurrently if not exists pro_search_cell_rows
  on pro_search_cell (cell) include (pros, verified, instant, verified_instant);
