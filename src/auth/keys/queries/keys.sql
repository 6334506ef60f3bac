-- name: notifyKeysChanged :exec on tx
-- Tells every process to look up keys and tokens anew.
select pg_notify('keys_changed', '')

-- name: insertKey :exec on tx
insert into api_keys (
  id, account_id, name, mode, hash, last_four, scopes, origin, rate_multiplier, created_at, expires_at, is_grant)
values (:id, :account_id, :name, :mode, :hash, :last_four,
  :scopes, :origin?, :rate_multiplier, :created_at, :expires_at?,
  :is_grant)

-- name: findKeyByHash :one on read
-- The key of an operator ends with the operator's log-in.
-- shape: scopes
-- not null: account_multiplier
-- nullable: professional_id, operator_id, operator_role
select k.id as key_id, k.mode, k.account_id, a.kind as owner_kind, p.id as professional_id, u.id as operator_id, u.operator_role, k.scopes, k.origin,
  k.rate_multiplier, k.expires_at,
  (select greatest(1, max(o.rate_multiplier)) from api_keys o
   where o.account_id = k.account_id and o.revoked_at is null) as account_multiplier
from api_keys k join accounts a on a.id = k.account_id left join professionals p on p.account_id = a.id
  left join users u on a.kind = 'operator' and u.email = a.email and u.role = 'operator' and u.disabled_at is null
where k.hash = :hash and k.revoked_at is null and (a.kind <> 'operator' or u.id is not null)

-- name: selectKeys :many on write
-- shape: scopes
select k.id, k.account_id, k.name, k.mode, k.last_four, k.scopes, k.origin, k.rate_multiplier, k.created_at,
  k.expires_at, k.revoked_at, k.last_used_at, k.replaced_by, a.email as owner
from api_keys k join accounts held on held.id = k.account_id join accounts a on a.id = coalesce(held.test_of, held.id)
where not k.is_grant and (:owner_email?::text is null or a.email = :owner_email?)
order by k.created_at desc, k.id desc

-- name: lockAccountOfKeys :exec on tx
-- Locks the account until the transaction ends, so that its keys are counted one after the other.
select from accounts where id = :account_id for no key update

-- name: countLiveKeys :one on tx
-- not null: count
select count(*)::int as count from api_keys
where account_id = :account_id and not is_grant and revoked_at is null
  and (expires_at is null or expires_at > :now)

-- name: replaceKey :exec on tx
-- Records the key's successor and expiry, and notifies every process.
with replaced as (
  update api_keys set replaced_by = :successor, expires_at = least(expires_at, :expires_at)
  where id = :id returning hash)
select pg_notify('keys_changed', encode(hash, 'hex')) from replaced

-- name: updateLastUsed :exec on write
update api_keys k set last_used_at = greatest(k.last_used_at, u.used_at)
from unnest(:ids::uuid[], :times::text[]::timestamptz[]) u (id, used_at) where k.id = u.id
