-- Records the results of attempts: `results` is an array of objects as the record below. An attempt whose delivery was
-- claimed again meanwhile (its lease had run out) is ignored: the other attempt's result counts.
create or replace function finish_attempts(results jsonb) returns void
  language sql volatile as $$
  with result as materialized (
    select * from jsonb_to_recordset(results) as r (
      id bigint, "endpointId" uuid, attempts integer, state text, at timestamptz, "nextAttemptAt" timestamptz,
      "durationMs" integer, status integer, error text, response text, "requestHeaders" jsonb)
  ), finished as (
    update webhook_deliveries d
    set state = r.state, attempts = d.attempts + 1, round = d.round + 1, courier_id = null, interruptions = 0,
      next_attempt_at = case when r.state = 'pending' then r."nextAttemptAt" end,
      finished_at = case when r.state <> 'pending' then r.at end
    from result r
    where d.id = r.id and d.attempts = r.attempts and d.state = 'pending'
    returning d.id, d.attempts
  ), log as (
    insert into webhook_attempts (delivery_id, number, at, duration_ms, status, error, response, request_headers)
    select r.id, f.attempts, r.at, r."durationMs", r.status, r.error, r.response, r."requestHeaders"
    from finished f join result r on r.id = f.id
  ), health as (
    select r."endpointId" as id, bool_or(r.status between 200 and 299) as good, min(r.at) as at
    from result r group by 1
  )
  update webhook_endpoints e set failing_since = case when h.good then null else h.at end
  from health h
  where e.id = h.id and (h.good is true) = (e.failing_since is not null)
$$;
