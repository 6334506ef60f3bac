-- Bookings that a pro never answered, found by their start: few wait at any time.
create index bookings_unanswered on bookings (starts_at) where status = 'pending';
