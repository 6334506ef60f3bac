-- Copies of this database that were restored from a backup and declared the original (sql/functions/restored_copy.sql).
create table restorations (
  target text primary key,
  -- Also the end of the deliveries that were pending then and are held.
  declared_at timestamptz not null unique default clock_timestamp());
