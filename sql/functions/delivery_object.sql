-- A delivery as the API shows it; in full with the body and the beginnings of the responses.
create or replace function delivery_object(delivery_id bigint, in_full boolean) returns json
  language plpgsql stable strict parallel safe as $$
begin
  return (
    select jsonb_build_object(
      'eventId', public_event_id(v.id),
      'type', v.type,
      'state', d.state,
      'attemptsMade', d.attempts,
      'nextAttemptAt', iso_instant(d.next_attempt_at),
      'createdAt', iso_instant(d.created_at),
      'finishedAt', iso_instant(d.finished_at),
      'attempts', coalesce((
        select jsonb_agg(jsonb_build_object(
            'number', a.number,
            'at', iso_instant(a.at),
            'durationMs', a.duration_ms,
            'status', a.status,
            'error', a.error)
          || case when in_full then jsonb_build_object('requestHeaders', a.request_headers, 'response', a.response)
            else '{}' end order by a.number)
        from webhook_attempts a where a.delivery_id = d.id), '[]'))
      || case when in_full then jsonb_build_object('body', webhook_body_for(v, e.account_id)) else '{}' end
    from webhook_deliveries d
    join webhook_events v on v.id = d.event_id
    join webhook_endpoints e on e.id = d.endpoint_id
    where d.id = delivery_id
  );
end $$;
