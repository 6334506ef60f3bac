-- Reads all attempts while others write them.
alter table webhook_attempts validate constraint webhook_attempts_first_ids;
