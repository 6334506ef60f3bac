-- name: insertChange :exec on tx
insert into user_changes (id, user_id, action, operator_role, by_user_id, at)
values (:id, :user_id, :action, :operator_role?, :by?, :at)

-- name: selectChanges :many on write
-- Newest first.
-- nullable: by
-- type: operator_role 'administrator' | 'support' | 'moderation' | 'finance'
select c.action, c.operator_role, c.at, b.email as by
from user_changes c left join users b on b.id = c.by_user_id
where c.user_id = :user_id order by c.at desc, c.id desc limit :limit
