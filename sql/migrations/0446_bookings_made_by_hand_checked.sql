-- Reads the rows that were there before, while writers go on.
alter table bookings validate constraint bookings_made_by_check;
