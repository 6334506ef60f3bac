-- name: insertGrant :exec on tx
insert into oauth_grants (key_id, client_id, resource, user_id, email_digest)
values (:key_id, :client_id, :resource, :user_id?,
  :email_digest?)

-- name: insertOAuthToken :exec on tx
insert into oauth_tokens (hash, key_id, kind, scopes, created_at, expires_at)
values (:hash, :key_id, :kind, :scopes, :now, :expires_at)

-- name: findAccessToken :one on read
-- shape: scopes
-- not null: account_multiplier
-- nullable: professional_id, expires_at, customer_email
select k.id as key_id, k.mode, k.account_id, a.kind as owner_kind, p.id as professional_id, t.scopes, k.origin,
  k.rate_multiplier, t.expires_at, g.resource as audience, c.email as customer_email, g.email_digest,
  (select greatest(1, max(o.rate_multiplier)) from api_keys o
   where o.account_id = k.account_id and o.revoked_at is null) as account_multiplier
from oauth_tokens t join oauth_grants g on g.key_id = t.key_id join api_keys k on k.id = t.key_id
join accounts a on a.id = k.account_id left join professionals p on p.account_id = a.id
left join customers c on c.account_id = a.id left join users u on u.id = g.user_id
where t.hash = :hash and t.kind = 'access' and k.revoked_at is null
  and (c.account_id is not null or (u.account_id = k.account_id and u.disabled_at is null))

-- name: lockOAuthToken :one on tx
-- shape: scopes
-- not null: is_ended
-- nullable: customer_email
select t.key_id, t.kind, k.scopes, g.client_id, g.resource, t.expires_at, t.used_at,
  k.revoked_at is not null or (c.account_id is null and (u.id is null or u.disabled_at is not null)) as is_ended,
  c.email as customer_email, g.email_digest
from oauth_tokens t join oauth_grants g on g.key_id = t.key_id join api_keys k on k.id = t.key_id
left join customers c on c.account_id = k.account_id left join users u on u.id = g.user_id
where t.hash = :hash
for update of t, g

-- name: useRefreshToken :exec on tx
-- Records that a refresh token was exchanged, and that its grant lives on until `expiresAt`.
with used as (update oauth_tokens set used_at = :now where hash = :hash)
update api_keys set expires_at = :expires_at where id = :key_id

-- name: deleteToken :exec on tx
-- Deletes an access token and notifies every process.
with gone as (delete from oauth_tokens where hash = :hash returning hash)
select pg_notify('keys_changed', encode(hash, 'hex')) from gone

-- name: revokeOAuthGrants :many on write
with revoked as (
  update api_keys set revoked_at = :now
  where id = any(:key_ids::uuid[]) and is_grant and revoked_at is null
  returning id)
select pg_notify('keys_changed', id::text) from revoked

-- name: deleteCodesOfUser :exec on tx
delete from oauth_requests where user_id = :user_id

-- name: revokeGrantsOfUser :exec on tx
with revoked as (
  update api_keys set revoked_at = :now
  where id in (select key_id from oauth_grants where user_id = :user_id) and revoked_at is null
  returning id)
select pg_notify('keys_changed', id::text) from revoked

-- name: selectExcessGrants :many on tx
select id from api_keys where account_id = :account_id and is_grant and revoked_at is null
order by coalesce(last_used_at, created_at) desc, id offset :kept

-- name: endOAuthGrants :many on write
update api_keys set revoked_at = expires_at
where id in (
  select id from api_keys where is_grant and revoked_at is null and expires_at <= :now
  order by expires_at limit :limit for update skip locked)
returning 1
