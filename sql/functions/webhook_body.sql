-- The public id of an event.
create or replace function public_event_id(event_id uuid) returns text
  language sql immutable strict parallel safe as $$
  select 'evt_' || replace(event_id::text, '-', '')
$$;

-- The body of every attempt, which is also what is signed. Standard Webhooks calls the time of the event `timestamp`.
create or replace function webhook_body(
  event_id uuid, type text, created_at timestamptz, sequence integer, data jsonb
) returns text
  language sql stable parallel safe as $$
  select json_build_object('id', public_event_id(event_id), 'type', type, 'createdAt', iso_instant(created_at),
    'timestamp', iso_instant(created_at), 'sequence', sequence, 'data', data)::text
$$;

-- The body of an event for the endpoints of an account: with the customer's link for the account that may have it. The object
-- begins the first member that is an object of an object, see `webhook_body`.
create or replace function webhook_body_for(event webhook_events, account uuid) returns text
  language sql stable parallel safe as $$
  select case when (event).customer_account_id = account
    then overlay((event).body placing '"data" : {"object": {"customerUrl": ' || to_json((event).customer_url) || ', '
      from position('"data" : {"object": {' in (event).body) for length('"data" : {"object": {'))
    else (event).body end
$$;
