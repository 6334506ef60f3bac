-- name: findOperator :one on read
-- A user who runs the marketplace and may log in.
select id from users where email = :email and role = 'operator' and disabled_at is null

-- name: findOperatorKey :one on tx
-- The key with the id, if it is one of an operator's programs.
-- shape: scopes
-- nullable: user_id
select k.id, k.name, k.last_four, k.scopes, a.email as owner, u.id as user_id
from api_keys k join accounts a on a.id = k.account_id and a.kind = 'operator'
  left join users u on u.email = a.email and u.role = 'operator'
where k.id = :id

-- name: selectOperatorKeys :many on write
-- The keys of the operator, or of all, newest first.
-- shape: scopes
-- not null: role, is_disabled
select k.id, k.name, k.mode, k.last_four, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.last_used_at, k.replaced_by,
  u.email as owner, u.id as user_id, u.operator_role as role, u.disabled_at is not null as is_disabled
from users u join accounts a on a.email = u.email and a.kind = 'operator' join api_keys k on k.account_id = a.id
where u.role = 'operator' and (:user_id?::uuid is null or u.id = :user_id?)
order by k.created_at desc, k.id desc
