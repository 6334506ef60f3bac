-- Acts that concern the marketplace itself have no row as their subject, and a message has one only as part of a booking.
alter table operator_actions drop constraint operator_actions_subject;
-- 0.2.0 runs with this: the constraint allows all that it writes, and more.
alter table operator_actions
  add constraint operator_actions_subject check (
    case
      when action like 'plan.%' then plan_id is not null and subject_id is null and professional_id is null
      when action in (
        'marketplace.changed', 'marketplace.opened', 'area.changed', 'text.published', 'district.added', 'district.changed', 'district.removed', 'address.lifted')
      then plan_id is null and subject_id is null and professional_id is null
      else plan_id is null and (subject_id is not null or action = 'message.resent')
    end) not valid;
alter table operator_actions validate constraint operator_actions_subject;
