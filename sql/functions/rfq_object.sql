-- A request for a quote in lists (section 2 of the API). Draft quotes do not count.
create or replace function rfq_object(rfq rfqs, as_of timestamptz) returns json
  language plpgsql stable parallel safe as $$
begin
  return (
    select json_build_object(
      'id', rfq.id,
      'status', rfq.status,
      'description', rfq.description,
      'budget', rfq.budget,
      'service', case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end,
      'professional', json_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name),
      'quotesReceived', (
        select count(*) from quotes q
        where q.professional_id = rfq.professional_id and q.rfq_id = rfq.id and q.status <> 'draft'),
      'latestQuote', (
        select json_build_object('amount', dollars(q.amount_cents), 'status', quote_status(q, as_of),
          'price', price_object('flat', q.amount_cents, null, null, null, marketplace_currency(), 0))
        from quotes q
        where q.professional_id = rfq.professional_id and q.rfq_id = rfq.id and q.status <> 'draft'
        order by q.sent_at desc, q.id desc limit 1),
      'createdAt', iso_instant(rfq.created_at))
    from professionals p
    left join services s on s.id = rfq.service_id
    where p.id = rfq.professional_id
  );
end $$;

-- A request in the response that creates it and in rfq.created (section 2 of the API, "Create response").
create or replace function rfq_receipt(rfq rfqs) returns json
  language plpgsql stable strict parallel safe as $$
begin
  return (
    select json_build_object(
      'id', rfq.id,
      'status', rfq.status,
      'description', rfq.description,
      'budget', rfq.budget,
      'timeline', rfq.timeline,
      'preferredDate', rfq.preferred_date,
      'answers', rfq.answers,
      'service', case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end,
      'professional', json_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name,
        'instantBookingEnabled', has_bookable_service(p)),
      'customer', json_build_object('name', rfq.customer_name, 'email', rfq.customer_email),
      'createdAt', iso_instant(rfq.created_at))
    from professionals p
    left join services s on s.id = rfq.service_id
    where p.id = rfq.professional_id
  );
end $$;

-- A request as its pro sees it: with all details and its quotes.
create or replace function lead_object(rfq rfqs, as_of timestamptz) returns jsonb
  language sql stable parallel safe as $$
  select rfq_object(rfq, as_of)::jsonb || jsonb_build_object(
    'timeline', (rfq).timeline,
    'preferredDate', (rfq).preferred_date,
    'answers', (rfq).answers,
    'customer', jsonb_build_object('name', (rfq).customer_name, 'email', (rfq).customer_email,
      'phone', (rfq).customer_phone),
    'address', (rfq).address,
    'photos', (rfq).photos,
    'source', (rfq).source,
    'sourceAgentId', (rfq).source_agent_id,
    'lostAt', iso_instant((rfq).lost_at),
    'quotes', coalesce(
      (select jsonb_agg(quote_object(q, as_of) order by q.created_at desc, q.id desc)
       from quotes q where q.professional_id = (rfq).professional_id and q.rfq_id = (rfq).id), '[]'))
$$;
