-- name: insertImport :exec on write
insert into pro_imports (id, by_user_id, name, options, status, kept_until, created_at)
values (:id, :by, :name, '{}', 'uploading', :kept_until, :now)

-- name: saveContent :exec on write
-- The storage has all of the file.
update pro_imports set bytes = :bytes where id = :id

-- name: deleteUpload :exec on write
delete from pro_imports where id = :id and status = 'uploading'

-- name: findUpload :one on read
-- not null: bytes
-- A file that waits for its options.
select name, bytes from pro_imports
where id = :id and by_user_id = :by and status = 'uploading' and bytes is not null and kept_until is not null

-- name: lockImport :one on tx
-- nullable: kept_until
select status, name, by_user_id as by, options, preview, bytes, kept_until from pro_imports where id = :id for update

-- name: saveReceived :exec on tx
update pro_imports set status = 'uploaded', options = :options::text::jsonb, next_at = :now, kept_until = :kept_until where id = :id

-- name: saveStarted :exec on tx
update pro_imports set status = 'running', by_user_id = :by, started_at = :now, next_at = :now, kept_until = :kept_until
where id = :id

-- name: claimImport :one on write
-- nullable: by, counts
-- The file that is being read, if who read it has died; else the one that has waited for the longest time. Claimed until an instant.
update pro_imports set claim = :claim, next_at = :until, claims = claims + 1
where next_at <= :now
  and id = (select id from pro_imports where next_at is not null order by claim is null, next_at limit 1 for update)
returning id, by_user_id as by, status, options, counts, claims

-- name: saveProgress :one on tx
-- Returns no row for a claim that ended: what the transaction has done is undone.
update pro_imports set next_at = :until,
  preview = case status when 'uploaded' then :counts::text::jsonb else preview end,
  counts = case status when 'running' then :counts::text::jsonb else counts end
where id = :id and claim = :claim returning id

-- name: extendClaim :one on write
update pro_imports set next_at = :until where id = :id and claim = :claim returning id

-- name: releaseImport :exec on write
-- Another process goes on with it from an instant. An interruption does not count as a claim.
update pro_imports set claim = null, next_at = :at, claims = claims - :uncounted::integer where id = :id and claim = :claim

-- name: saveOutcome :exec on write
-- What the dry run or the import found, and did.
update pro_imports set claim = null, claims = 0, next_at = null, status = :status, format = coalesce(:format?, format),
  preview = case :status when 'checked' then :counts::text::jsonb else preview end,
  counts = case :status when 'done' then :counts::text::jsonb else counts end,
  findings = :findings::text::jsonb, finished_at = case :status when 'done' then :now::timestamptz end, kept_until = :kept_until
where id = :id and claim = :claim

-- name: saveFailed :exec on write
update pro_imports set claim = null, next_at = null, status = 'failed', problem = :problem, finished_at = :now,
  kept_until = :kept_until
where id = :id and claim = :claim

-- name: findImport :one on read
-- nullable: by
-- not null: waits_for_another
select i.id, u.email as by, i.name, i.bytes, i.format, i.options, i.status, i.preview, i.counts, i.findings, i.problem,
  i.created_at, i.started_at, i.finished_at, i.kept_until,
  i.next_at is not null and i.claim is null and exists (select from pro_imports o where o.claim is not null) as waits_for_another
from pro_imports i left join users u on u.id = i.by_user_id
where i.id = :id and i.status <> 'uploading'

-- name: selectImports :many on read
-- nullable: by
-- The latest first.
select i.id, u.email as by, i.name, i.status, i.preview, i.counts, i.created_at
from pro_imports i left join users u on u.id = i.by_user_id
where i.status <> 'uploading'
order by i.created_at desc, i.id limit :limit

-- name: selectOutdated :many on read
-- Imports whose files are kept no longer. Those that a worker reads are kept.
select id from pro_imports where kept_until <= :now and next_at is null order by kept_until limit :limit

-- name: endKeeping :exec on write
-- The storage has neither the file nor its refused lines. An upload that was never sent leaves no row.
with gone as (delete from pro_imports where id = :id and status = 'uploading' and next_at is null)
update pro_imports set kept_until = null where id = :id and status <> 'uploading' and next_at is null
