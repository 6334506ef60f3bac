-- Reads the rows that were there before, while writers go on.
alter table users validate constraint users_operator_role;
alter table user_changes validate constraint user_changes_action_check;
alter table user_changes validate constraint user_changes_operator_role;
