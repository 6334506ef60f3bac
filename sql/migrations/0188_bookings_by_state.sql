create index concurrently if not exists bookings_state on bookings (professional_id, status, created_at desc, id desc);
