-- name: selectProsWithDrifted :many on write
-- not null: drifted
select p.id, exists (
  select from bookings b
  where b.professional_id = p.id and b.starts_at > :now and has_drifted(b, :now)
) as drifted
from (select id from professionals where id > :after order by id limit :limit) p order by p.id

-- name: selectDrifted :many on write
-- A pro's drifted bookings, ordered so that no booking is moved to the time of one that still has to move.
-- not null: local_start, time_zone, agreed_start
select b.id, b.confirmation_code, to_char(b.local_start, 'YYYY-MM-DD HH24:MI') as local_start, b.time_zone, b.starts_at,
  agreed_start(b) as agreed_start
from bookings b
where b.professional_id = :professional_id and b.starts_at > :now
  and has_drifted(b, :now)
order by case when agreed_start(b) > b.starts_at then - extract(epoch from b.starts_at)
  else extract(epoch from b.starts_at) end

-- name: reschedule_to_agreed_start :one on tx
-- shape: outcome, booking, event_sequence
select outcome, booking, event_sequence from reschedule_to_agreed_start(:id, :now)
