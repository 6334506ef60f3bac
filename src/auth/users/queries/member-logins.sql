-- name: selectLogins :many on write
-- Those who log in for an account, owners first.
-- nullable: pro_role, link_expires_at
-- type: pro_role 'owner' | 'dispatcher' | 'worker'
select u.id, u.email, u.pro_role, u.member_id, u.last_login_at, u.disabled_at, l.expires_at as link_expires_at
from users u left join password_links l on l.user_id = u.id
where u.account_id = :account_id and u.pro_role is not null
order by u.pro_role <> 'owner', u.email limit :limit

-- name: lockLogins :many on tx
-- The same, locked in one order, so that owners cannot end one another's log-ins at the same moment.
-- nullable: pro_role
-- type: pro_role 'owner' | 'dispatcher' | 'worker'
select id, email, pro_role, member_id, last_login_at, disabled_at from users
where account_id = :account_id and pro_role is not null order by id for update

-- name: updateProRole :exec on tx
update users set pro_role = :pro_role where id = :id

-- name: endLogin :exec on tx
-- The row stays, because the history of changes names it. Its address is free for another log-in, and its second factor is gone.
with forgotten as (delete from second_factors where user_id = :id)
update users set pro_role = null, member_id = null, disabled_at = coalesce(disabled_at, :now), email = 'ended-' || id || '@closed.invalid',
  password_hash = '$argon2id$ended'
where id = :id
