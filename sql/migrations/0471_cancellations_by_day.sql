create index concurrently if not exists bookings_cancelled_at on bookings (cancelled_at) where status = 'cancelled';
