-- A pro's plan may have a last day, in the pro's time zone (sql/functions/current_plan.sql).
alter table professionals add column plan_until date;
alter table professionals drop constraint professionals_plan;
-- 0.2.0 runs with this: the three plans that it writes are there.
alter table professionals add constraint professionals_plan foreign key (plan) references plans not valid;

-- The audit log has what operators do to plans, too, which belong to no pro.
alter table operator_actions add column plan_id text references plans,
  alter column subject_id drop not null, alter column professional_id drop not null;
alter table operator_actions drop constraint operator_actions_action_check;
-- 0.2.0 runs with this: the constraints allow all that it writes.
alter table operator_actions
  add constraint operator_actions_action_check check (action in (
    'review.approved', 'review.rejected', 'payment.refunded', 'pro.created', 'pro.plan_given', 'pro.verification', 'pro.marks_withdrawn',
    'refund.resent', 'refund.returned', 'booking.disowned', 'request.disowned', 'review.disowned',
    'category.added', 'category.changed', 'service.added', 'service.changed',
    'plan.added', 'plan.changed', 'plan.retired', 'plan.offered')) not valid,
  add constraint operator_actions_subject check (
    case when action like 'plan.%' then plan_id is not null and subject_id is null and professional_id is null
    else plan_id is null and subject_id is not null end) not valid;
