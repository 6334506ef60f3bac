-- Networks from which somebody booked for free without proving an address, and when. They may again after 24 hours.
create table network_bookings (
  -- Keyed: the addresses cannot be found by trying all of them.
  network_digest text primary key check (length(network_digest) = 43),
  booked_at timestamptz not null
);
create index network_bookings_age on network_bookings (booked_at);
