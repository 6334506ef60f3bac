-- When a reading last changed the busy time of a calendar: it is read often after a change, and less often while nothing changes.
-- 0.1.0 leaves it as it is. Existing calendars begin as just changed; a default is the way that writes no row.
alter table imported_calendars add column changed_at timestamptz default now();
-- 0.1.0 runs with this: it does not know the column.
alter table imported_calendars alter column changed_at drop default;
