-- Who made a booking for a customer who called; null for one that the customer made.
alter table bookings add column made_by text;
-- 0.2.0 runs with this: it leaves the column null.
alter table bookings add constraint bookings_made_by_check check (made_by in ('pro', 'operator')) not valid;
