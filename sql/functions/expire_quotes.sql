-- Marks up to cardinality(event_ids) quotes as expired, with their unpaid payments, and emits their events. Returns how many. Skips locked requests,
-- whose quote may just be accepted.
create or replace function expire_quotes(as_of timestamptz, event_ids uuid[], traceparent text) returns integer
  language plpgsql volatile as $$
declare
  due record;
  quote quotes;
  done integer := 0;
begin
  for due in
    select q.id, q.professional_id from quotes q
    join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
    where q.status in ('sent', 'viewed') and q.valid_until <= as_of
    order by q.valid_until, q.id limit cardinality(event_ids)
    for no key update of r skip locked
  loop
    -- Checks the state again under the lock: the quote may have been answered since the select.
    update quotes set status = 'expired', expired_at = as_of, event_sequence = event_sequence + 1
    where professional_id = due.professional_id and id = due.id and status in ('sent', 'viewed')
    returning * into quote;
    continue when not found;
    done := done + 1;
    update payments set status = 'expired'
    where professional_id = quote.professional_id and quote_id = quote.id and status in ('requires_payment', 'failed');
    perform emit_event(event_ids[done], 'quote.expired', quote.professional_id, 'quote', quote.id,
      quote.event_sequence, quote_object(quote, as_of)::jsonb, traceparent, as_of);
  end loop;
  return done;
end $$;
