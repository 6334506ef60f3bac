-- A block in API responses.
create or replace function block_object(block availability_blocks) returns json
  language sql stable parallel safe as $$
  select json_build_object(
    'id', block.id, 'startDateTime', iso_instant(block.starts_at), 'endDateTime', iso_instant(block.ends_at),
    'reason', block.reason)
$$;
