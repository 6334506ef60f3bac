-- name: find_idempotent :one on tx
-- shape: outcome, result
select outcome, result from find_idempotent(
  :account_id, :operation, :key, :request_hash, :now)

-- name: keep_idempotent :exec on tx
select keep_idempotent(:account_id, :operation, :key, :request_hash,
  :outcome::text::json, :now)
