-- The package that a booking is of, where it is of one.
alter table bookings add column package_id uuid references packages;
