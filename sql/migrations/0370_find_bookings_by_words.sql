-- Operators find a booking by what a caller says of the name and the address. src/features/upkeep/operator-search/queries.sql has the expression.
create index concurrently if not exists bookings_words on bookings using gin (to_tsvector('simple'::regconfig, customer_name || ' ' || coalesce(address ->> 'street', '') || ' ' || coalesce(address ->> 'city', '')));
