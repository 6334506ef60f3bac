-- 0.2.0 runs with this: it writes no such id.
create unique index concurrently if not exists professionals_external_id on professionals (external_id) where external_id is not null;
