-- name: maintain_partitions :one on write
-- not null: dropped
select maintain_partitions(:of, :by, :now,
  :before::text::date)::float8 as dropped
