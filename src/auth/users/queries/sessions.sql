-- name: insertSession :many on tx
-- Lock the user before: it must see a second factor that was set up meanwhile.
with login as (
  update users set last_login_at = :now
  where id = :user_id and password_hash = :password_hash and disabled_at is null
    and (:has_proven_factor::boolean or not exists (select from second_factors f where f.user_id = users.id))
  returning id
)
insert into sessions (token_hash, user_id, created_at, expires_at, ends_at)
select :token_hash::bytea, id, :now::timestamptz,
  :expires_at::timestamptz, :ends_at::timestamptz
from login
returning 1

-- name: findSession :one on write
-- not null: must_set_up_factor
-- nullable: operator_role, pro_role, account_email, professional_id, business_name, paused_by
-- type: paused_by 'operator' | 'pro'
-- type: operator_role 'administrator' | 'support' | 'moderation' | 'finance'
-- type: pro_role 'owner' | 'dispatcher' | 'worker'
select u.id as user_id, u.email, u.role, case when u.role = 'operator' then u.operator_role end as operator_role,
  case when u.role = 'pro' then u.pro_role end as pro_role, u.member_id, u.account_id, a.email as account_email, s.test_account_id, p.id as professional_id,
  p.business_name, case when p.status = 'paused' then case when p.paused_by_operator then 'operator' else 'pro' end end as paused_by,
  u.role = 'operator' and not exists (select from second_factors f where f.user_id = u.id)
    and coalesce((select operators_need_factor from marketplace_versions order by version desc limit 1), false) as must_set_up_factor,
  s.expires_at, s.ends_at
from sessions s
join users u on u.id = s.user_id
left join accounts a on a.id = u.account_id
left join professionals p on p.account_id = a.id and u.role = 'pro'
where s.token_hash = :token_hash and s.expires_at > :now and u.disabled_at is null

-- name: extendSession :exec on write
update sessions set expires_at = :expires_at where token_hash = :token_hash

-- name: setTestAccount :exec on write
-- Sets the test account whose data the session's pages show; null for the live one.
update sessions set test_account_id = :test_account_id? where token_hash = :token_hash

-- name: deleteSession :exec on write
delete from sessions where token_hash = :token_hash

-- name: countAccess :one on write
-- not null: sessions, apps
select (select count(*)::int from sessions where user_id = :user_id and expires_at > :at) as sessions,
  (select count(distinct g.client_id)::int from oauth_grants g join api_keys k on k.id = g.key_id
    where g.user_id = :user_id and k.revoked_at is null and k.expires_at > :at) as apps

-- name: deleteSessionsOf :exec on tx
-- Ends all sessions of the user. Run it after the change itself, so that it sees a login which the change waited for.
delete from sessions where user_id = :user_id

-- name: deleteOtherSessionsOf :exec on tx
-- All but one. Lock the user before, as for all of them.
delete from sessions where user_id = :user_id and token_hash <> :token_hash
