-- Each change of a payment and its refunds is an event (sql/functions/payment_updates.sql).
alter table payments
  add column event_sequence integer not null default 0,
  -- Of the payment as the last event showed it: what looks the same is not told again.
  add column event_digest text;

-- 0.1.0 runs with this: it does not call the function.
create function emit_payment_update() returns trigger language plpgsql as $$
begin
  return null;
end $$;

-- 0.1.0 runs with this: its changes are told, too, and the trigger refuses nothing.
create constraint trigger payment_updated after update of status, retained, captured_at on payments
  deferrable initially deferred for each row execute function emit_payment_update();
-- 0.1.0 runs with this: the same holds for its refunds.
create constraint trigger refund_updated after insert or update of status, amount_cents on payment_refunds
  deferrable initially deferred for each row execute function emit_payment_update();
