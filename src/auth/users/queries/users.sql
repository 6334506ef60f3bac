-- name: insertUser :one on tx
-- Returns undefined when the e-mail address exists, or the member has a log-in.
-- nullable: operator_role, pro_role
-- type: operator_role 'administrator' | 'support' | 'moderation' | 'finance'
-- type: pro_role 'owner' | 'dispatcher' | 'worker'
insert into users (id, email, password_hash, role, operator_role, pro_role, member_id, account_id, created_at)
values (:id, :email, :password_hash, :role, :operator_role, :pro_role, :member_id?, :account_id?,
  :now)
on conflict do nothing
returning id, email, role, case when role = 'operator' then operator_role end as operator_role,
  case when role = 'pro' then pro_role end as pro_role, created_at, last_login_at, disabled_at

-- name: selectUsers :many on write
-- not null: total, has_second_factor
-- nullable: operator_role, pro_role, account, business_name, link_expires_at
-- type: operator_role 'administrator' | 'support' | 'moderation' | 'finance'
-- type: pro_role 'owner' | 'dispatcher' | 'worker'
select u.id, u.email, u.role, case when u.role = 'operator' then u.operator_role end as operator_role,
  case when u.role = 'pro' then u.pro_role end as pro_role, u.created_at, u.last_login_at, u.disabled_at, a.email as account, p.business_name,
  l.expires_at as link_expires_at, exists (select from second_factors f where f.user_id = u.id) as has_second_factor,
  count(*) over ()::int as total
from users u
left join accounts a on a.id = u.account_id
left join professionals p on p.account_id = a.id and u.role = 'pro'
left join password_links l on l.user_id = u.id
where (:id?::uuid is null or u.id = :id?::uuid)
  and (strpos(lower(u.email), lower(:q)) > 0 or strpos(lower(p.business_name), lower(:q)) > 0)
  and (:role?::text is null or u.role = :role?::text)
  and (:is_disabled?::boolean is null or (u.disabled_at is not null) = :is_disabled?::boolean)
order by u.email limit :limit?::int offset :offset::int

-- name: lockAdministrators :many on tx
-- Those who can log in.
select id from users where role = 'operator' and operator_role = 'administrator' and disabled_at is null order by id for update

-- name: findCredentials :one on write
-- The user's id and password hash, unless the user is disabled.
select id, password_hash from users where email = :email and disabled_at is null

-- name: updatePassword :one on tx
update users set password_hash = :password_hash where email = :email returning id

-- name: lockUser :one on tx
select id from users where email = :email for no key update

-- name: updateDisabled :one on tx
update users set disabled_at = :disabled_at? where email = :email returning id

-- name: lockOperatorRole :one on tx
select id, role, operator_role from users where email = :email for no key update

-- name: updateOperatorRole :exec on tx
update users set operator_role = :operator_role where id = :id

-- name: findAccountOfPro :one on tx
select account_id from professionals where id = :id?::uuid or slug = :slug?

-- name: disableUsersOf :many on tx
update users set disabled_at = :now where account_id = :account_id and disabled_at is null returning id

-- name: enableUsersOf :many on tx
-- Those who were disabled at this instant.
update users set disabled_at = null where account_id = :account_id and disabled_at = :disabled_at::timestamptz returning id
