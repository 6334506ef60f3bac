-- The address of a log-in changed.
alter table user_changes drop constraint user_changes_action_check;
-- 0.2.0 runs with this: the constraint allows all that it writes, and more.
alter table user_changes
  add constraint user_changes_action_check check (action in
    ('created', 'disabled', 'enabled', 'logged_out', 'link_made', 'password_set', 'role_given', 'email_changed')) not valid;
