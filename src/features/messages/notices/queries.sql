-- name: insertNotice :exec on tx
insert into notices (id, account_id, kind, data, created_at)
values (:id, :account_id, :kind, :data::text::jsonb, :created_at)

-- name: findNotices :many on read
select id, kind, data, created_at, read_at from notices
where account_id = :account_id and (not :unread_only or read_at is null)
order by created_at desc, id desc limit :limit

-- name: updateNoticeRead :many on write
update notices set read_at = coalesce(read_at, :now::timestamptz)
where id = :id and account_id = :account_id returning id
