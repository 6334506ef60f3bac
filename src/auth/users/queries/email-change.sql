-- name: lockLoginById :one on tx
-- nullable: professional_id
select u.email, u.password_hash, (select p.id from professionals p where p.account_id = u.account_id and u.role = 'pro') as professional_id
from users u where u.id = :id and u.disabled_at is null for no key update of u

-- name: findLogin :one on tx
select id from users where email = :email

-- name: moveLogin :one on tx
-- Undefined when another user got the address meanwhile.
update users set email = :email where id = :id and not exists (select from users o where o.email = :email) returning id
