create index concurrently if not exists bookings_package on bookings (package_id) where package_id is not null;
