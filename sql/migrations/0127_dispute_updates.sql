-- Changes of disputes are told as those of payments and refunds are.
create constraint trigger dispute_updated after insert or update of state, amount_cents on payment_disputes
  deferrable initially deferred for each row execute function emit_payment_update();
