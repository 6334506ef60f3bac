-- The colour of what can be acted on: links and buttons. Null: the software's own.
alter table marketplace_versions add column accent text check (accent ~ '^#[0-9a-f]{6}$');
