-- What an operator may do (src/auth/users/rules/operator-roles.ts). It says nothing of other users. 0.2.0 runs with this: it writes no role, so
-- the operators that it makes are administrators, as all were.
alter table users add column operator_role text not null default 'administrator';
-- 0.2.0 runs with this: each row has the default.
alter table users add constraint users_operator_role check (operator_role in ('administrator', 'support', 'moderation', 'finance')) not valid;

alter table user_changes add column operator_role text;
alter table user_changes drop constraint user_changes_action_check;
-- 0.2.0 runs with this: the constraints allow all that it writes.
alter table user_changes
  add constraint user_changes_action_check check (action in
    ('created', 'disabled', 'enabled', 'logged_out', 'link_made', 'password_set', 'role_given')) not valid,
  add constraint user_changes_operator_role check (
    case when operator_role is null then action <> 'role_given'
    else operator_role in ('administrator', 'support', 'moderation', 'finance') end) not valid;
