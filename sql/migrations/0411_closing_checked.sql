-- Reads the rows that were there before, while writers go on.
alter table operator_actions validate constraint operator_actions_action_check;
alter table professionals validate constraint professionals_status;
