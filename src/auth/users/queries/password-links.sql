-- name: upsertLink :exec on tx
-- Creates the user's link, which replaces the previous one.
insert into password_links (user_id, token_hash, created_at, expires_at)
values (:user_id, :token_hash::bytea, :created_at, :expires_at)
on conflict (user_id) do update
set token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at

-- name: findLinkOf :one on tx
-- The user's link, which may have expired.
select token_hash, created_at, expires_at from password_links where user_id = :user_id

-- name: findLink :one on write
-- The user of a link; undefined when the link has expired or the user is disabled.
select u.id as user_id, u.email, u.role
from password_links l join users u on u.id = l.user_id
where l.token_hash = :token_hash::bytea and l.expires_at > :now and u.disabled_at is null

-- name: deleteLinkOf :exec on tx
delete from password_links where user_id = :user_id
