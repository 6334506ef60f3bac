-- name: lockPictures :one on tx
-- The pictures of one pro change one after another.
select id from professionals where id = :professional_id for no key update

-- name: usePictures :many on tx
-- Uses the pro's files that are named, each for its own purpose. Refused ones are not used.
update files f set unused_since = null, caption = w.caption, position = w.position
from jsonb_to_recordset(:wanted::text::jsonb) as w (id uuid, purpose text, caption text, position integer)
where f.id = w.id and f.purpose = w.purpose and f.professional_id = :professional_id
  and f.status in ('received', 'ready')
returning f.id

-- name: endPictures :exec on tx
-- Those that the pro does not use any more are deleted after a day.
update files set unused_since = :now, caption = null, position = null
where professional_id = :professional_id and purpose in ('pro_logo', 'pro_cover', 'pro_gallery')
  and (unused_since is null or position is not null) and id <> all(:kept::text::uuid[])

-- name: selectPictures :many on read
-- What the pro uses, in its order.
select file_object(f) as file from files f
where f.professional_id = :professional_id and f.purpose in ('pro_logo', 'pro_cover', 'pro_gallery')
  and f.unused_since is null
order by f.position, f.id

-- name: selectRefusedPictures :many on read
-- What was refused after the pro had put it into a place, until the pro changes the pictures.
select file_object(f) as file from files f
where f.professional_id = :professional_id and f.purpose in ('pro_logo', 'pro_cover', 'pro_gallery')
  and f.status = 'refused' and f.position is not null
order by f.position, f.id

-- name: selectPublicPictures :many on replicas
-- The pictures that everybody sees; a row without a file for a pro who has none.
select file_object(f) as file from professionals p
left join files f on f.professional_id = p.id and f.purpose in ('pro_logo', 'pro_cover', 'pro_gallery')
  and f.unused_since is null and f.status = 'ready'
where (p.id = :id? or p.slug = :slug?) and is_visible(p.active, p.test_account_id, :test_account_id?)
order by f.position, f.id

-- name: selectLogos :many on replicas
-- not null: professional_id
-- The logos of pros that the caller has found, and so may see.
select f.professional_id, file_object(f) as file from files f
where f.professional_id = any(:ids::text::uuid[]) and f.purpose = 'pro_logo'
  and f.unused_since is null and f.status = 'ready'
