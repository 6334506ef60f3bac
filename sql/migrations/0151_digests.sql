-- Messages beyond what a recipient gets in an hour are told together in one message, the digest.
alter table messages add column digest_id bigint;
-- 0.1.0 runs with this: it sends no messages.
alter table messages add constraint messages_digest foreign key (digest_id) references messages on delete set null not valid;
alter table messages validate constraint messages_digest;
-- 0.1.0 runs with this: it sends no messages.
alter table messages
  drop constraint messages_status_check,
  add constraint messages_status_check
    check (status in ('pending', 'sent', 'failed', 'suppressed', 'dropped', 'joined')) not valid;
alter table messages validate constraint messages_status_check;

-- 0.1.0 runs with this: it does not call the function.
--
-- A digest that was sent, and its copy in the mailbox, name those of whom its parts tell: it goes with the first of them that an
-- erasure deletes. One that waits is written without the part.
create function delete_sent_digest() returns trigger language plpgsql as $$
begin
  delete from messages where id = old.digest_id and status <> 'pending';
  return null;
end $$;
-- 0.1.0 runs with this: it deletes no messages.
create trigger part_deleted after delete on messages
  for each row when (old.digest_id is not null) execute function delete_sent_digest();
