-- name: findAccountOfCustomer :one on tx
select account_id from customers where email = :email

-- name: insertCustomer :exec on tx
with added as (
  insert into customers (account_id, email, created_at) values (:account_id, :email, :at)
  on conflict (email) do nothing returning account_id
)
insert into accounts (id, kind, email, name, created_at)
select account_id, 'customer', :account_email, 'Customer', :at::timestamptz from added

-- name: insertCustomerSession :exec on tx
insert into customer_sessions (token_hash, account_id, email, created_at, expires_at, ends_at)
values (:token_hash, :account_id, :customer_email, :now,
  :expires_at, :ends_at)

-- name: findCustomerSession :one on write
-- Undefined as well when the customer has another address now than the one that was proven.
select s.account_id, c.email as customer_email, s.expires_at, s.ends_at
from customer_sessions s join customers c on c.account_id = s.account_id and c.email = s.email
where s.token_hash = :token_hash and s.expires_at > :now

-- name: extendCustomerSession :exec on write
update customer_sessions set expires_at = :expires_at where token_hash = :token_hash

-- name: deleteCustomerSession :exec on write
delete from customer_sessions where token_hash = :token_hash
