-- name: findSecondFactor :one on write
-- not null: codes_left
select secret_encrypted, last_step, cardinality(recovery_digests) as codes_left, created_at from second_factors where user_id = :user_id

-- name: insertSecondFactor :one on tx
-- Returns undefined when the user has one.
insert into second_factors (user_id, secret_encrypted, last_step, recovery_digests, created_at)
values (:user_id, :secret_encrypted, :step, :recovery_digests::text[], :now)
on conflict (user_id) do nothing
returning user_id

-- name: useStep :one on tx
-- Returns undefined when a code of this step or of a later one was accepted before.
update second_factors set last_step = :step
where user_id = :user_id and secret_encrypted = :secret_encrypted and last_step < :step
returning user_id

-- name: useRecoveryCode :one on tx
-- Returns undefined when it is no code of the user, or was used.
-- not null: codes_left
update second_factors set recovery_digests = array_remove(recovery_digests, :digest)
where user_id = :user_id and :digest = any(recovery_digests)
returning cardinality(recovery_digests) as codes_left

-- name: updateRecoveryCodes :exec on tx
update second_factors set recovery_digests = :recovery_digests::text[] where user_id = :user_id

-- name: deleteSecondFactor :one on tx
delete from second_factors where user_id = :user_id returning user_id

-- name: countFactors :one on write
-- Of the operators who can log in, and those of them who have no second factor.
-- not null: operators, without
select count(*)::int as operators,
  (count(*) filter (where not exists (select from second_factors f where f.user_id = u.id)))::int as without
from users u where u.role = 'operator' and u.disabled_at is null
