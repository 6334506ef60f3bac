-- Inserts deliveries of the events to the endpoints of the account that created an event's subject, and of the pro it is
-- about. The body of an event of test mode says so. The customer's link in a quote goes to the account that created the request
-- and does not act for the pro, see `webhook_body_for`. Planning an event again changes nothing. Returns the new deliveries in
-- the order of the events.
create or replace function plan_deliveries(event_ids uuid[], as_of timestamptz)
  returns table (id bigint, endpoint_id uuid)
  language sql volatile as $$
  with batch as materialized (
    select o.position, o.id, o.type, o.professional_id, o.aggregate_id, o.sequence, o.data #- '{object,customerUrl}' as data,
      o.data #>> '{object,customerUrl}' as customer_url, o.traceparent, o.created_at, p.account_id as pro_account,
      p.test_account_id is not null as is_test,
      case o.aggregate_type
        when 'booking' then (
          select b.account_id from bookings b where b.professional_id = o.professional_id and b.id = o.aggregate_id)
        when 'rfq' then (
          select r.account_id from rfqs r where r.professional_id = o.professional_id and r.id = o.aggregate_id)
        when 'quote' then (
          select r.account_id from quotes q join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
          where q.professional_id = o.professional_id and q.id = o.aggregate_id)
        when 'payment' then (
          select coalesce(b.account_id, r.account_id)
          from payments y
          left join bookings b on b.professional_id = y.professional_id and b.id = y.booking_id
          left join quotes q on q.professional_id = y.professional_id and q.id = y.quote_id
          left join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
          where y.professional_id = o.professional_id and y.id = o.aggregate_id)
        when 'review' then (
          select r.account_id from reviews r where r.professional_id = o.professional_id and r.id = o.aggregate_id)
      end as creator_account
    from outbox_events o
    left join professionals p on p.id = o.professional_id
    where o.id = any (event_ids)
  ), subscribed as materialized (
    select b.position, b.id as event_id, e.id as endpoint_id
    from batch b
    join webhook_endpoints e on e.account_id in (b.creator_account, b.pro_account)
    where e.status = 'enabled' and b.type = any (e.events)
  ), kept as (
    insert into webhook_events (id, type, aggregate_id, body, customer_url, customer_account_id, traceparent, created_at)
    select b.id, b.type, b.aggregate_id, case when b.is_test then left(w.body, -1) || ',"mode":"test"}' else w.body end,
      b.customer_url,
      case when b.customer_url is not null and not acts_for_pro(b.creator_account, b.professional_id) then b.creator_account end,
      b.traceparent, b.created_at
    from batch b
    cross join webhook_body(b.id, b.type, b.created_at, b.sequence, b.data) w (body)
    where exists (select from subscribed s where s.event_id = b.id)
    on conflict do nothing
  )
  insert into webhook_deliveries as d (endpoint_id, event_id, next_attempt_at, created_at)
  select s.endpoint_id, s.event_id, as_of, as_of
  from subscribed s order by s.position, s.endpoint_id
  on conflict do nothing
  returning d.id, d.endpoint_id
$$;
