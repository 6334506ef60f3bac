-- name: insertRequest :exec on write
-- Records the request, and that the app is in use.
with used as (update oauth_clients set used_at = :now where id = :client_id)
insert into oauth_requests (
  id, client_id, redirect_uri, state, resource, side, scopes, code_challenge, created_at, expires_at)
values (:id, :client_id, :redirect_uri, :state?, :resource, :side, :scopes,
  :code_challenge, :now, :expires_at)

-- name: findOAuthRequest :one on write
-- shape: scopes
select r.id, r.client_id, r.redirect_uri, r.state, r.resource, r.side, r.scopes, r.code_challenge, r.expires_at,
  c.name, c.redirect_uris, c.uri
from oauth_requests r join oauth_clients c on c.id = r.client_id
where r.id = :id and r.code_hash is null and r.expires_at > :now

-- name: approveOAuthRequest :one on tx
-- shape: scopes
update oauth_requests set code_hash = :code_hash, account_id = :account_id, user_id = :user_id?,
  email_digest = :email_digest?,
  expires_at = :expires_at
where id = :id and code_hash is null and expires_at > :now
returning id, client_id, redirect_uri, state, resource, side, scopes, code_challenge

-- name: deleteOAuthRequest :one on write
-- shape: scopes
delete from oauth_requests where id = :id and code_hash is null and expires_at > :now
returning id, client_id, redirect_uri, state, resource, side, scopes, code_challenge

-- name: lockOAuthCode :one on tx
-- shape: scopes
-- not null: account_id
select r.id, r.client_id, c.name as client_name, r.redirect_uri, r.state, r.resource, r.side, r.scopes,
  r.code_challenge, r.account_id, r.user_id, r.email_digest, r.expires_at, r.key_id
from oauth_requests r join oauth_clients c on c.id = r.client_id
where r.code_hash = :code_hash
for update of r

-- name: exchangeRequest :exec on tx
-- Records what the code was exchanged for.
update oauth_requests set key_id = :key_id, expires_at = :kept_until where id = :id

-- name: findAccountOfUser :one on write
-- not null: account_id
select u.account_id from users u join professionals p on p.account_id = u.account_id
where u.id = :user_id and p.id = :professional_id and u.role = 'pro' and u.pro_role = 'owner' and u.disabled_at is null

-- name: lockUser :exec on tx
select from users where id = :user_id for share

-- name: lockCustomer :exec on tx
select from customers where account_id = :account_id for share

-- name: findSessionOfUser :many on tx
select from sessions where token_hash = :token_hash and user_id = :user_id and expires_at > :now

-- name: findSessionOfCustomer :many on tx
select from customer_sessions s join customers c on c.account_id = s.account_id and c.email = s.email
where s.token_hash = :token_hash and s.account_id = :account_id and s.expires_at > :now
