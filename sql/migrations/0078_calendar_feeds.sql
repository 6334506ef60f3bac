-- Secret calendar feeds: of all bookings of a pro, or of those assigned to one member. A new address replaces the hash, a
-- revoked one deletes the row.
create table calendar_feeds (
  id uuid primary key,
  professional_id uuid not null references professionals on delete cascade,
  -- Null: all bookings of the pro.
  member_id uuid,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  constraint calendar_feeds_one_each unique nulls not distinct (professional_id, member_id),
  foreign key (professional_id, member_id) references members (professional_id, id) on delete cascade);
