-- name: lockUploads :one on tx
-- not null: locked
-- Uploads of one account are counted one after another.
select pg_advisory_xact_lock(hashtextextended('files:' || :account_id::text, 0)) is null as locked

-- name: countFiles :one on tx
-- not null: today, kept
select count(*) filter (where created_at > :since)::integer as today,
  count(*) filter (where unused_since is null)::integer as kept
from files where account_id = :account_id

-- name: insertFile :one on tx
insert into files as f (id, name, account_id, professional_id, purpose, status, private, bytes, open_until, unused_since, created_at)
values (:id, :name, :account_id, :professional_id?, :purpose, :status, :private, :bytes?, :open_until?, :now, :now)
returning file_object(f) as file

-- name: saveReceived :one on tx
-- A file whose content is in the storage. The workers are told.
update files f set status = 'received', bytes = :bytes, next_claim_at = :now, unused_since = :now
where f.id = :id and f.status in ('uploading', 'waiting')
returning file_object(f) as file

-- name: tellReceived :exec on tx
select ask_wake_up('files_received', '')

-- name: deleteUpload :exec on write
delete from files where id = :id and status = 'uploading'

-- name: findFile :one on read
select file_object(f) as file from files f
where f.id = :id and f.account_id = :account_id and f.status <> 'uploading'

-- name: findUpload :one on write
-- A file of the account, with the size that its sender announced while it waits.
select name, status, bytes from files where id = :id and account_id = :account_id and status <> 'uploading'

-- name: claimFile :one on write
-- Claims the file that has been due for the longest time, until an instant. One that is decided already still has its original.
update files f set next_claim_at = :until, claims = f.claims + 1
where f.id = (
  select id from files where next_claim_at <= :now order by next_claim_at limit 1 for update skip locked)
returning f.id, f.name, f.purpose, f.status, f.bytes, f.claims

-- name: saveReady :many on write
update files set status = 'ready', type = :type, width = :width?, height = :height?, placeholder = :placeholder?,
  sizes = :sizes::text::jsonb, decided_at = :now
where id = :id and status = 'received' returning id

-- name: saveRefused :many on write
update files set status = 'refused', refusal = :reason, decided_at = :now, unused_since = coalesce(unused_since, :now)
where id = :id and status = 'received' returning id

-- name: endClaim :exec on write
-- The file is decided. It falls due once more when its address takes no content any more: what came meanwhile is removed then.
update files set next_claim_at = case when open_until > :now then open_until end
where id = :id and status in ('ready', 'refused')

-- name: postponeFile :exec on write
update files set next_claim_at = :at, claims = claims - 1 where id = :id and status = 'received'

-- name: findServed :one on read
-- A file that may be served, by its name.
select private, type from files where name = :name and status = 'ready'

-- name: claimRemovals :many on write
-- not null: name, is_last
-- Claims removals that are due, until an instant.
update file_removals r set next_attempt_at = :until, seen_at = coalesce(r.seen_at, :now)
where r.name in (
  select name from file_removals where next_attempt_at <= :now order by next_attempt_at limit :limit
  for update skip locked)
returning r.name, r.seen_at <= :last as is_last

-- name: endRemoval :exec on write
delete from file_removals where name = :name

-- name: postponeRemoval :exec on write
update file_removals set next_attempt_at = :at where name = :name

-- name: findDecodingBacklog :one on write
-- not null: waiting, oldest_seconds
select count(*)::integer as waiting,
  coalesce(extract(epoch from :now::timestamptz - min(next_claim_at)), 0)::float8 as oldest_seconds
from files where next_claim_at <= :now

-- name: usePhotos :many on tx
-- Lets a request, review or job use files of the account that nothing uses yet. Refused ones are not used.
update files set unused_since = null, rfq_id = :rfq_id?, review_id = :review_id?, job_id = :job_id?
where name = any(:names::text::text[]) and account_id = :account_id and purpose = :purpose
  and status in ('received', 'ready') and unused_since is not null
returning name

-- name: selectJobFiles :many on read
-- What the pro added to a job, oldest first, also what is not decoded yet or was refused.
select file_object(f) as file from files f
where f.job_id = :job_id and f.professional_id = :professional_id
order by f.created_at, f.id

-- name: selectChosen :many on read
-- not null: is_used
-- Files of the account by their ids, also refused ones.
select file_object(f) as file, f.unused_since is null as is_used from files f
where f.id = any(:ids::text::uuid[]) and f.account_id = :account_id and f.purpose = :purpose
  and f.status in ('received', 'ready', 'refused')

-- name: selectPhotos :many on read
-- What became of the photos of a record, by their names.
select f.name, f.status as state from files f where f.name = any(:names::text::text[])
