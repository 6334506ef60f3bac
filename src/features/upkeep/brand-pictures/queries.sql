-- name: insertBrandPicture :exec on write
-- One that is sent again counts as new: it is not removed before its version is saved.
insert into brand_pictures (id, kind, width, height, whole, screen, tab, created_at)
values (:id, :kind, :width, :height, :whole, :screen?, :tab?, :now)
on conflict (id) do update set created_at = excluded.created_at

-- name: findBrandPicture :one on write
select id, width, height from brand_pictures where id = :id and kind = :kind

-- name: lockBrandPicture :many on tx
-- The picture stays until the transaction ends.
select from brand_pictures where id = :id and kind = :kind for key share

-- name: findBrandFile :one on read
-- not null: bytes
-- The picture in one of its sizes. A logo has one.
select case :size::text when 'screen' then screen when 'tab' then tab else whole end as bytes
from brand_pictures where id = :id and (kind = 'icon' or :size::text = 'whole')
