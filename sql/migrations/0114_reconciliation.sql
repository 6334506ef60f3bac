-- How far the daily comparison with the payment provider is. It goes on where a process stopped.
create table payment_reconciliations (
  provider text primary key check (provider = 'stripe'),
  -- What is compared: the provider's lists, then our rows.
  step text not null check (step in ('intents', 'refunds', 'disputes', 'ours')),
  -- The last object that was compared in this step.
  after_id text check (length(after_id) between 1 and 255),
  started_at timestamptz not null,
  -- When the last comparison that was completed had started.
  completed_at timestamptz,
  -- When the next part is due. A part that a process has begun is due again some minutes later.
  next_at timestamptz not null
);

-- Intents of which the provider and our rows say different things after a comparison. A person resolves them.
create table payment_differences (
  intent_id text primary key check (length(intent_id) between 1 and 255),
  -- Our id as the provider has it. The payment may not exist.
  payment_id uuid,
  -- What is left of the intent: captured, without what was refunded or lost by a dispute.
  provider_cents integer not null,
  our_cents integer not null,
  found_at timestamptz not null
);

-- 0.1.0 runs with this: it writes the actions that were allowed before.
alter table operator_actions
  drop constraint operator_actions_action_check,
  add constraint operator_actions_action_check check (
    action in ('review.approved', 'review.rejected', 'payment.refunded', 'pro.verification', 'refund.resent', 'refund.returned')
  ) not valid;
alter table operator_actions validate constraint operator_actions_action_check;
