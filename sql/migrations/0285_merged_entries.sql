-- Operators merge categories and services. From the beginning of a merge, `merged_into` names the target. Once everything is copied
-- (sql/functions/merge_entries.sql), at `replaced_at`, the names of the entry mean the target. It is retired after that.
alter table categories
  add column merged_into uuid references categories on delete set null,
  add column replaced_at timestamptz;
alter table services
  add column merged_into uuid references services on delete set null,
  add column replaced_at timestamptz;

-- The search rows of pros who offer a service that has changed: those up to `last_id` are refreshed.
create table search_refreshes (
  id uuid primary key default gen_random_uuid(),
  service_id uuid not null references services on delete cascade,
  last_id uuid
);

alter table operator_actions drop constraint operator_actions_action_check;
-- 0.2.0 runs with this: the constraint allows all that it writes.
alter table operator_actions add constraint operator_actions_action_check check (action in (
    'review.approved', 'review.rejected', 'payment.refunded', 'pro.created', 'pro.verification', 'pro.marks_withdrawn', 'refund.resent',
    'refund.returned', 'booking.disowned', 'request.disowned', 'review.disowned', 'category.added', 'category.changed',
    'category.merged', 'service.added', 'service.changed', 'service.merged', 'pro.plan_given', 'plan.added', 'plan.changed',
    'plan.retired', 'plan.offered'))
    not valid;
alter table operator_actions validate constraint operator_actions_action_check;
