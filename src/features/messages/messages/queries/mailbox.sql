-- name: insertMail :exec on write
insert into mailbox (message_id, sender, recipient, subject, text, html, source, received_at)
values (:message_id?, :sender, :recipient, :subject, :text, :html,
  decode(:source, 'base64'), :now)
on conflict (message_id) do nothing

-- name: deleteOldMail :many on write
delete from mailbox where id <= (select id from mailbox order by id desc offset :kept limit 1) returning id

-- name: findMail :one on read
-- not null: source
select subject, text, html, convert_from(source, 'UTF8') as source from mailbox where message_id = :message_id
