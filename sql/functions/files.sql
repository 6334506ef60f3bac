-- The content of a deleted file is removed from the storage, also where a foreign key deletes the row.
create or replace function ask_file_removal() returns trigger language plpgsql as $$
begin
  insert into file_removals (name) values (old.name);
  return null;
end $$;
create or replace trigger file_removal after delete on files for each row execute function ask_file_removal();

-- A file as the API shows it to its owner; without its addresses, which are made from its name.
create or replace function file_object(file files) returns json language sql stable parallel safe as $$
  select json_build_object(
    'id', file.id, 'name', file.name, 'purpose', file.purpose, 'state', file.status, 'reason', file.refusal,
    'private', file.private, 'type', file.type, 'width', file.width, 'height', file.height,
    'placeholder', file.placeholder, 'sizes', coalesce(file.sizes, '[]'), 'caption', file.caption,
    'createdAt', iso_instant(file.created_at))
$$;

-- Photos of a review are seen by everyone while it is published, and by its pro and moderators otherwise.
create or replace function publish_review_photos() returns trigger language plpgsql as $$
begin
  update files set private = new.status <> 'approved' where review_id = new.id;
  return null;
end $$;
create or replace trigger review_photos after update of status on reviews
  for each row when (new.status is distinct from old.status) execute function publish_review_photos();
