-- Reads the rows that were there before, while writers go on.
alter table user_changes validate constraint user_changes_action_check;
