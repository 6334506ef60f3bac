-- Joins a claimed message that is one too many for its recipient, and those of `like_kinds` that wait behind it, into the
-- recipient's next digest: one an hour, ten minutes after the first message at the earliest. Returns false when another worker
-- has claimed the message since. A digest that is being sent takes nothing more: what it tells is read after its claim.
create or replace function join_digest(message_id bigint, claim integer, like_kinds text[], as_of timestamptz)
  returns boolean
  language plpgsql volatile as $$
declare
  message messages;
  digest bigint;
begin
  select m.* into message from messages m
  where m.id = message_id and m.attempts = claim and m.status = 'pending' for update;
  if not found then
    return false;
  end if;
  loop
    insert into messages (key, kind, recipient, data, send_at, next_attempt_at, created_at)
    select 'digest:' || message.id || ':' || message.attempts, 'digest', message.recipient, '{}', due.at, due.at, as_of
    from (select greatest(as_of + interval '10 minutes', max(d.send_at) + interval '1 hour') as at
      from messages d where d.recipient = message.recipient and d.kind = 'digest') due
    on conflict (recipient) where kind = 'digest' and status = 'pending' and attempts = 0 do nothing;
    select m.id into digest from messages m
    where m.recipient = message.recipient and m.kind = 'digest' and m.status = 'pending' and m.attempts = 0 for update;
    exit when found;
  end loop;
  update messages m
  set status = 'joined', digest_id = digest, outcome = 'Told in a digest.', next_attempt_at = null, finished_at = as_of
  where m.id = message.id
    or (m.recipient = message.recipient and m.status = 'pending' and m.attempts = 0 and m.send_at <= as_of
      and m.kind = any (like_kinds) and m.data_encrypted is null and not is_test_pro(m.professional_id));
  return true;
end $$;

-- A digest that was sent, and its copy in the mailbox, name those of whom its parts tell: it goes with the first of them that an
-- erasure deletes. One that waits is written without the part.
create or replace function delete_sent_digest() returns trigger language plpgsql as $$
begin
  delete from messages where id = old.digest_id and status <> 'pending';
  return null;
end $$;

create or replace trigger part_deleted after delete on messages
  for each row when (old.digest_id is not null) execute function delete_sent_digest();
