-- Reads the rows that were there before, while writers go on.
alter table professionals validate constraint professionals_external_id;
