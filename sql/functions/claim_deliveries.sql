-- Claims up to `room[n]` due deliveries of `endpoints[n]` for the worker `worker_id`. No other worker claims them before
-- `lease_until`, unless this one dies (`free_deliveries`). A worker without a lease claims no delivery,
-- and deliveries of a restored copy are not claimed.
-- Of an ordered endpoint it claims the oldest pending ones, without a gap, to be sent one after the other; none while the
-- oldest is not due: it is claimed already, or waits for a retry.
create or replace function claim_deliveries(
  endpoints uuid[], room integer[], worker_id uuid, as_of timestamptz, lease_until timestamptz
) returns table (
  id bigint, endpoint_id uuid, event_id text, type text, body text, traceparent text, event_at text, attempts integer,
  round integer, url text, ordered boolean, max_retries integer, failing_since text, secrets text[])
  language sql volatile as $$
  with lease as materialized (
    -- A worker that treats this one as dead waits until this claim is committed, and then sees it.
    -- Also in this statement: the server may have been replaced by a restored copy a moment ago.
    select c.id from webhook_couriers c where c.id = worker_id and restored_copy() is null for key share
  ), wanted as (
    select w.endpoint_id, w.room, e.ordered
    from unnest(endpoints, room) as w (endpoint_id, room)
    join webhook_endpoints e on e.id = w.endpoint_id and e.status = 'enabled'
    where exists (select from lease)
  ), line as materialized (
    select w.endpoint_id, f.id
    from wanted w
    cross join lateral (
      select f.id from webhook_deliveries f
      where w.ordered and f.endpoint_id = w.endpoint_id and f.state = 'pending' order by f.id limit w.room
    ) f
  ), held as materialized (
    select d.id from webhook_deliveries d
    where d.id in (select line.id from line) and d.state = 'pending' and d.next_attempt_at <= as_of
    for update skip locked
  ), picked as materialized (
    select d.id
    from wanted w
    cross join lateral (
      select d.id from webhook_deliveries d
      where not w.ordered and d.endpoint_id = w.endpoint_id and d.state = 'pending' and d.next_attempt_at <= as_of
      order by d.next_attempt_at, d.id limit w.room for update skip locked
    ) d
    union all
    select line.id
    from line
    where not exists (
      select from line before
      where before.endpoint_id = line.endpoint_id and before.id <= line.id and before.id not in (select held.id from held))
  ), claimed as (
    update webhook_deliveries d set next_attempt_at = lease_until, courier_id = worker_id
    from picked where d.id = picked.id
    returning d.id, d.endpoint_id, d.event_id, d.attempts, d.round
  )
  select t.id, t.endpoint_id, public_event_id(v.id), v.type, webhook_body_for(v, e.account_id), v.traceparent, iso_instant(v.created_at), t.attempts,
    t.round, e.url, e.ordered, e.max_retries, iso_instant(e.failing_since),
    -- A receiver that reads one signature, the first, still has the previous secret.
    case when e.previous_secret_until > as_of then array[e.previous_secret_sealed] else '{}' end || array[e.secret_sealed]
  from claimed t
  join webhook_endpoints e on e.id = t.endpoint_id
  join webhook_events v on v.id = t.event_id
  order by t.id
$$;

-- Endpoints with due deliveries. Walks the index from endpoint to endpoint, so that a long queue of one endpoint costs no
-- more than a short one.
create or replace function due_endpoints(as_of timestamptz)
  returns table (endpoint_id uuid)
  language sql stable as $$
  with recursive walk as (
    (select d.endpoint_id, d.next_attempt_at from webhook_deliveries d
      where d.state = 'pending' order by d.endpoint_id, d.next_attempt_at limit 1)
    union all
    select n.endpoint_id, n.next_attempt_at
    from walk w
    cross join lateral (
      select d.endpoint_id, d.next_attempt_at from webhook_deliveries d
      where d.state = 'pending' and d.endpoint_id > w.endpoint_id order by d.endpoint_id, d.next_attempt_at limit 1
    ) n
  )
  select w.endpoint_id from walk w where w.next_attempt_at <= as_of
$$;
