-- name: lockLoginById :one on tx
-- nullable: professional_id
select u.email, u.password_hash, (select p.id from professionals p where p.account_id = u.account_id and u.role = 'pro') as professional_id
from users u where u.id = :id and u.disabled_at is null for no key update of u

-- name: findLogin :one on tx
select id from users where email = :email

-- name: moveLogin :one on tx
-- Undefined when another user got the address meanwhile.
update users set email = :email where id = :id and not exists (select from users o where o.email = :email) returning id

-- name: moveOperatorKeys :exec on tx
-- The keys of an operator act for the new address. Where it has an account already they end, so that they act for no later
-- operator with the former one.
with taken as (
  select from accounts where email = :to
), moved as (
  update accounts set email = :to, name = left(:to, 200) where kind = 'operator' and email = :from and not exists (select from taken)
), ended as (
  update api_keys set revoked_at = :now
  where revoked_at is null and account_id in (select id from accounts where kind = 'operator' and email = :from)
    and exists (select from taken)
)
select pg_notify('keys_changed', '')
