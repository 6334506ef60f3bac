-- When the message failed for good first. Null for dead letters of 0.2.0, which writes no such column.
alter table dead_letters add column first_failed_at timestamptz;
