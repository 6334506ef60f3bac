-- The marks of a pro that were withdrawn because what was checked has changed, with what it was then: an operator checks again.
alter table verification_requests add column withdrawn jsonb not null default '{}';
-- 0.2.0 runs with this: it does not write the column.
alter table verification_requests add constraint verification_requests_withdrawn check (jsonb_typeof(withdrawn) = 'object') not valid;
alter table verification_requests validate constraint verification_requests_withdrawn;

alter table operator_actions drop constraint operator_actions_action_check;
-- 0.2.0 runs with this: the constraint allows all that it writes, and one action more.
alter table operator_actions add constraint operator_actions_action_check check (action in (
    'review.approved', 'review.rejected', 'payment.refunded', 'pro.verification', 'pro.marks_withdrawn', 'refund.resent',
    'refund.returned', 'booking.disowned', 'request.disowned', 'review.disowned'))
    not valid;
alter table operator_actions validate constraint operator_actions_action_check;

-- Triggers write rows, too, and have no caller to take an id from.
alter table operator_actions alter column id set default gen_random_uuid();
alter table notices alter column id set default gen_random_uuid();
