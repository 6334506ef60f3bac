-- Until when a reader has claimed the calendar. One calendar of a pro is read at a time, so that many or slow ones delay no
-- other pro. 0.1.0 leaves it null: a calendar that it reads does not count.
alter table imported_calendars add column reading_until timestamptz;
