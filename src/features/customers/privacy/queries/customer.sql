-- name: selectOpenRequests :many on tx
select id, status from rfqs where id = any(:ids::text::uuid[]) and status <> 'archived' order by id

-- name: findAccountKind :one on read
-- not null: kind
select kind from accounts where email = :email
union all select role || ' login' from users where email = :email and account_id is null limit 1
