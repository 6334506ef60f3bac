-- Whether the pro comes to the address by their own service radius; null without a known address.
alter table bookings add column in_service_area boolean;
