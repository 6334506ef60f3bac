-- name: upsertSignInCode :exec on tx
insert into sign_in_codes (browser_hash, email, code_digest, tries_left, return_to, created_at, expires_at)
values (:browser_hash, :email, :code_digest, :tries, :return_to,
  :now, :expires_at)
on conflict (browser_hash) do update set (email, code_digest, tries_left, return_to, created_at, expires_at) =
  (excluded.email, excluded.code_digest, excluded.tries_left, excluded.return_to, excluded.created_at,
    excluded.expires_at)
where not (:keeps_valid and sign_in_codes.email = excluded.email and sign_in_codes.tries_left > 0
  and sign_in_codes.expires_at > excluded.created_at)

-- name: findCode :one on write
-- The browser's latest code that was not used.
-- not null: is_valid
select email, return_to, expires_at > :now and tries_left > 0 as is_valid from sign_in_codes
where browser_hash = :browser_hash

-- name: lockCode :one on tx
-- The browser's valid code, locked until the transaction ends.
select email, code_digest, return_to from sign_in_codes
where browser_hash = :browser_hash and expires_at > :now and tries_left > 0
for update

-- name: countSignInTry :one on tx
update sign_in_codes set tries_left = tries_left - 1 where browser_hash = :browser_hash returning tries_left

-- name: deleteCode :exec on tx
delete from sign_in_codes where browser_hash = :browser_hash
