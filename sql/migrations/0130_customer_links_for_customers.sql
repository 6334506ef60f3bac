-- The customer's link of an event, for the endpoints of the account that created its subject and does not act for the pro.
-- 0.1.0 stored the link in the body, which all endpoints got.
alter table webhook_events add column if not exists customer_url text, add column if not exists customer_account_id uuid;

update webhook_events v set
  customer_url = v.body::jsonb #>> '{data,object,customerUrl}',
  customer_account_id = (
    select r.account_id from quotes q join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
    join professionals p on p.id = q.professional_id
    where q.id = v.aggregate_id and r.account_id <> p.account_id),
  body = regexp_replace(regexp_replace(v.body, ', "customerUrl": "[^"]*"', ''), '"customerUrl": "[^"]*", ', '')
where v.type = 'quote.sent' and v.body like '%"customerUrl": "%';

update idempotency_records set result = (result::jsonb #- '{value,customerUrl}')::json
where operation in ('sendQuote', 'sendDraft');
