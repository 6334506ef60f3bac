-- name: findAccountByEmail :one on write
select id, kind, email, test_of from accounts where email = :email

-- name: insertAccount :many on write
insert into accounts (id, kind, email, name, created_at, test_of)
values (:id, :kind, :email, :name, :created_at,
  :test_of?)
on conflict on constraint accounts_email_key do nothing
returning id

-- name: acts_for_pro :one on write
-- not null: acts
select acts_for_pro(:account_id, :professional_id) as acts
