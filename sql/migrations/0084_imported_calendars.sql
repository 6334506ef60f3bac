-- Calendars elsewhere whose events block a pro's time. The address is a secret: it is encrypted, and only its host is shown.
create table imported_calendars (
  id uuid primary key,
  professional_id uuid not null references professionals on delete cascade,
  -- Whose calendar it is; null for the business.
  member_id uuid,
  name text not null check (length(name) between 1 and 200),
  address_encrypted text not null,
  address_digest text not null,
  host text not null,
  created_at timestamptz not null,
  -- The calendar is due from then on. A process that reads it has it until then.
  next_read_at timestamptz not null,
  -- Numbers the claims: only the latest claim may save what it read.
  claims integer not null default 0,
  last_read_at timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  last_error text,
  failure_told_at timestamptz,
  event_count integer not null default 0,
  unreadable_count integer not null default 0,
  -- What the server said of the file, for the next request.
  etag text,
  last_modified text,
  body_digest text,
  -- The busy time was expanded from this day on, with this zone for floating times.
  expanded_from date,
  expanded_zone text,
  constraint imported_calendars_of_professional unique (professional_id, id),
  constraint imported_calendars_once unique (professional_id, address_digest),
  constraint imported_calendars_member foreign key (professional_id, member_id) references members (professional_id, id)
    on delete cascade,
  check ((failing_since is null) = (failures = 0)),
  check ((failing_since is null) = (last_error is null)),
  check (failing_since is not null or failure_told_at is null)
);
create index imported_calendars_due on imported_calendars (next_read_at);

-- The busy time of imported calendars, as busy_time reads it: without overlaps within a calendar. It is cut at midnights in
-- UTC: busy_time needs a limit of the length.
create table imported_busy (
  professional_id uuid not null,
  calendar_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (professional_id, starts_at, calendar_id) include (ends_at),
  foreign key (professional_id, calendar_id) references imported_calendars (professional_id, id) on delete cascade,
  check (starts_at < ends_at and ends_at <= starts_at + interval '24 hours')
);

-- Bookings that overlap imported busy time and of which the pro was told.
create table imported_conflicts (
  calendar_id uuid not null references imported_calendars on delete cascade,
  booking_id uuid not null references bookings on delete cascade,
  told_at timestamptz not null,
  primary key (calendar_id, booking_id)
);
create index imported_conflicts_booking on imported_conflicts (booking_id);
