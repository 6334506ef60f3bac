-- A quote's deposit is paid by the same payments as a booking. A payment is for one of them.
alter table payments
  alter column booking_id drop not null,
  add column quote_id uuid references quotes,
  add constraint payments_purpose check (num_nonnulls(booking_id, quote_id) = 1);

-- A payment of the wrong amount is refunded and the quote stays open: its next payment is a new row.
create unique index payments_quote_open on payments (quote_id) where status in ('requires_payment', 'failed', 'succeeded');
create index payments_quote on payments (quote_id, created_at) where quote_id is not null;

-- Paying the deposit accepts the quote; a trigger refuses acceptance before the payment, whatever code runs.
create function check_quote_deposit() returns trigger
  language plpgsql as $$
begin
  if quote_deposit_cents(new) > 0 and not exists (
    select from payments y where y.quote_id = new.id and y.status = 'succeeded') then
    raise exception 'The deposit of quote % is not paid.', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger quote_deposit before update of status on quotes
  for each row when (new.status = 'accepted' and old.status <> 'accepted') execute function check_quote_deposit();
