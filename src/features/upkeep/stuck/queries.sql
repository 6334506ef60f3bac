-- name: countStuck :one on read
-- Each counts to 1,000. `retried` are messages that wait for another attempt.
-- not null: endpoints, messages, letters, retried
select (
    select count(*) from (
      select from webhook_endpoints
      where failing_since is not null and disabled_reason is distinct from 'by_owner' limit 1000) e)::integer as endpoints, (
    select count(*) from (
      select from messages m
      where m.status in ('failed', 'suppressed') and m.finished_at >= :since and (m.status = 'failed' or not exists (
        select from message_suppressions s where s.email = m.recipient and s.reason = 'unsubscribed')) limit 1000) m)::integer as messages, (
    select count(*) from (select from dead_letters limit 1000) d)::integer as letters, (
    select count(*) from (
      select from messages where status = 'pending' and outcome is not null limit 1000) r)::integer as retried

-- name: selectUndelivered :many on read
-- The latest first. A recipient who unsubscribed wants no message, so it is not held.
-- not null: finished_at, is_kept, has_bounced
select m.id, m.kind, m.recipient, m.status, m.outcome, iso_instant(m.finished_at) as finished_at,
  m.data is not null or m.data_encrypted is not null as is_kept,
  exists (select from message_suppressions s where s.email = m.recipient and s.reason = 'bounced') as has_bounced
from messages m
where m.status in ('failed', 'suppressed') and m.finished_at >= :since and (m.status = 'failed' or not exists (
  select from message_suppressions s where s.email = m.recipient and s.reason = 'unsubscribed'))
order by m.finished_at desc, m.id desc limit :limit offset :offset
