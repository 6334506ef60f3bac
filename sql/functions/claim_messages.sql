-- Claims up to `max` due messages: no other worker claims them before `lease_until`. Nothing in a restored copy. Essential
-- messages to one recipient are claimed in order, except that one which the server put off three times holds up no others.
-- `optional_kinds` wait for all earlier ones, and essential ones not for them; `urgent_kinds` (codes and links that a person
-- waits for) wait for none, and do not count. `hourly` is how many messages a recipient gets in an hour, and how many of
-- `reserved_kinds` besides; optional ones get half of it. What is one too many joins the digest.
create or replace function claim_messages(
  max integer, optional_kinds text[], urgent_kinds text[], reserved_kinds text[], hourly integer, as_of timestamptz,
  lease_until timestamptz
) returns table (
  id bigint, kind text, recipient text, data jsonb, data_encrypted text, booking_id uuid, attempts integer, refusals integer,
  traceparent text, send_at timestamptz, created_at timestamptz,
  -- Whether what it says is still so; why the recipient gets no such message; whether the recipient got too many.
  is_current boolean, suppression text, is_excess boolean,
  -- It is about a test pro: no e-mail may leave.
  is_test boolean
)
  language sql volatile as $$
  with due as materialized (
    select m.* from messages m
    where m.status = 'pending' and m.next_attempt_at <= as_of and restored_copy() is null
      and (m.kind = any (urgent_kinds) or not exists (
        select from messages e
        where e.recipient = m.recipient and e.status = 'pending' and e.id < m.id and e.send_at <= as_of
          and e.kind <> all (urgent_kinds) and e.refusals < 3 and (m.kind = any (optional_kinds) or e.kind <> all (optional_kinds))))
    order by m.next_attempt_at, m.id limit max for update skip locked
  ), judged as materialized (
    select d.id, current_message_data(d, as_of) as data,
      (select s.reason from message_suppressions s
       where s.email = d.recipient and (s.reason = 'bounced' or d.kind = any (optional_kinds))
       order by s.reason limit 1) as suppression,
      -- What stays in the mailbox neither waits nor counts: a test key must not hold up real mail.
      d.kind <> all (urgent_kinds) and d.kind <> 'digest' and not is_test_pro(d.professional_id) and exists (
        select from messages s
        where s.recipient = d.recipient and s.status = 'sent' and s.finished_at > as_of - interval '1 hour'
          and s.kind <> all (urgent_kinds) and s.kind <> 'digest'
          and (s.kind = any (reserved_kinds)) = (d.kind = any (reserved_kinds)) and not is_test_pro(s.professional_id)
        offset case when d.kind = any (optional_kinds) then hourly / 2 else hourly end - 1 limit 1) as is_excess
    from due d
  )
  -- Without an outcome it is in progress, so that no one makes it due again meanwhile.
  update messages m set attempts = m.attempts + 1, next_attempt_at = lease_until, outcome = null, data = coalesce(j.data, m.data)
  from judged j where m.id = j.id
  returning m.id, m.kind, m.recipient, m.data, m.data_encrypted, m.booking_id, m.attempts, m.refusals, m.traceparent, m.send_at,
    m.created_at, m.data is null or j.data is not null, j.suppression, j.is_excess, is_test_pro(m.professional_id)
$$;
