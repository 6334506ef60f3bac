-- When a booking starts on the clock that both sides agreed on, and the zone of that clock: after a law has changed the zone, the
-- visit keeps this time (sql/functions/agreed_starts.sql). Null for visits that were over before.
alter table bookings add column local_start timestamp, add column time_zone text;
