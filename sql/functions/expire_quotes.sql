-- Marks quotes that are past their time, as many as there are ids for their events, and gives how many. Requests that
-- someone else works on are left for the next time: their quote may be being accepted.
create or replace function expire_quotes(as_of timestamptz, event_ids uuid[], traceparent text) returns integer
  language plpgsql volatile as $$
declare
  due record;
  quote quotes;
  done integer := 0;
begin
  for due in
    select q.id from quotes q join rfqs r on r.id = q.rfq_id
    where q.status in ('sent', 'viewed') and q.valid_until <= as_of
    order by q.valid_until, q.id limit cardinality(event_ids)
    for no key update of r skip locked
  loop
    -- Seen anew under the lock: it may have been answered since the look above.
    update quotes set status = 'expired', expired_at = as_of, event_sequence = event_sequence + 1
    where id = due.id and status in ('sent', 'viewed')
    returning * into quote;
    continue when not found;
    done := done + 1;
    perform emit_event(event_ids[done], 'quote.expired', quote.professional_id, 'quote', quote.id,
      quote.event_sequence, quote_object(quote, as_of)::jsonb, traceparent, as_of);
  end loop;
  return done;
end $$;
