-- name: insertSuppression :exec on write
insert into message_suppressions (email, reason, detail, created_at)
values (:email, :reason, :detail?, :now) on conflict do nothing

-- name: deleteSuppression :many on write
delete from message_suppressions where email = :email and reason = :reason returning 1

-- name: selectSuppressions :many on read
-- not null: created_at
select email, reason, detail, iso_instant(created_at) as created_at from message_suppressions
where email = :email order by reason
