-- Files that their sender puts into the bucket: `waiting` until the sender says that the content is there.
--
-- Until then somebody may put content under the name, for files that did not come through the server.
alter table files add column open_until timestamptz;
alter table files
  drop constraint files_status_check,
  drop constraint files_check3,
  add constraint files_status_check check (status in ('uploading', 'waiting', 'received', 'ready', 'refused')) not valid,
  add constraint files_check3 check (status not in ('uploading', 'waiting', 'received') or sizes is null) not valid,
  add constraint files_open_until check (status <> 'waiting' or open_until is not null) not valid;
alter table files validate constraint files_status_check;
alter table files validate constraint files_check3;
alter table files validate constraint files_open_until;

insert into state_transitions (aggregate, from_state, to_state) values
  ('file', '', 'waiting'), ('file', 'waiting', 'received');
