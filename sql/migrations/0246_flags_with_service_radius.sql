-- The flags of a pro also tell the service radius: see search_flags.
-- 0.2.0 runs with this: the constraint allowed no more than its functions write.
alter table pro_search drop constraint pro_search_flags_check;
comment on column pro_search.flags is 'As search_flags makes them.';
comment on column pro_search_entry.flags is 'As search_flags makes them.';
