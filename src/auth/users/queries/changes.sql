-- name: insertChange :exec on tx
insert into user_changes (id, user_id, action, by_user_id, at)
values (:id, :user_id, :action, :by?, :at)

-- name: selectChanges :many on write
-- Newest first.
-- nullable: by
select c.action, c.at, b.email as by
from user_changes c left join users b on b.id = c.by_user_id
where c.user_id = :user_id order by c.at desc, c.id desc limit :limit
