create index concurrently if not exists bookings_cancelled on bookings (professional_id, starts_at desc, id) where status = 'cancelled';
