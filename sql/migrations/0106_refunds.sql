-- A payment can be refunded in parts: a refund has its own amount.
alter table payment_refunds
  add column amount_cents integer,
  -- Why an operator refunded it, for the customer to read.
  add column note text;

update payment_refunds r set amount_cents = p.captured_cents from payments p where p.id = r.payment_id;

-- 0.1.0 runs with this: it makes one refund of a payment.
alter table payment_refunds drop constraint payment_refunds_payment_key;
-- 0.1.0 runs with this: refunds are few, and the index is built at once.
create index payment_refunds_payment on payment_refunds (payment_id);

-- 0.1.0 runs with this: it writes the reasons and states that were allowed before.
alter table payment_refunds
  drop constraint payment_refunds_reason_check,
  add constraint payment_refunds_reason_check
    check (reason in ('cancelled', 'rejected', 'paid_too_late', 'wrong_amount', 'operator')) not valid,
  drop constraint payment_refunds_status_check,
  -- `part`: pending, of a part of the payment. 0.1.0 refunds whole payments only and must not send it.
  add constraint payment_refunds_status_check check (status in ('pending', 'part', 'done')) not valid,
  add constraint payment_refunds_amount_check check (amount_cents > 0) not valid,
  add constraint payment_refunds_note_check check (length(note) between 1 and 5000) not valid;
alter table payment_refunds validate constraint payment_refunds_reason_check;
alter table payment_refunds validate constraint payment_refunds_status_check;
alter table payment_refunds validate constraint payment_refunds_amount_check;
alter table payment_refunds validate constraint payment_refunds_note_check;
-- 0.1.0 runs with this: refunds are few, and the index is built at once.
create index payment_refunds_parts_due on payment_refunds (next_attempt_at) where status = 'part';

-- 0.1.0 runs with this: it does not call the function.
--
-- The refunds of a payment never exceed what was captured. A refund without an amount is of what is left.
create function check_refund_amount() returns trigger language plpgsql as $$
declare
  left_cents integer;
begin
  select p.captured_cents into left_cents from payments p
  where p.professional_id = new.professional_id and p.id = new.payment_id for update;
  select left_cents - coalesce(sum(r.amount_cents), 0) into left_cents
  from payment_refunds r
  where r.professional_id = new.professional_id and r.payment_id = new.payment_id and r.id <> new.id;
  new.amount_cents := coalesce(new.amount_cents, left_cents);
  if new.amount_cents > left_cents or left_cents <= 0 then
    raise exception 'Refunds of payment % exceed what was paid.', new.payment_id
      using errcode = 'check_violation', constraint = 'payment_refunds_within_payment';
  end if;
  return new;
end $$;
-- 0.1.0 runs with this: it refunds a captured payment once, and the trigger fills in the amount.
create trigger refund_amount before insert or update of amount_cents, payment_id on payment_refunds
  for each row execute function check_refund_amount();
