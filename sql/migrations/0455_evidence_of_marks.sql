-- What each mark of a pro rests on, and its last day. A mark without a row was given without either.
create table mark_evidence (
  professional_id uuid not null references professionals (id) on delete cascade,
  mark text not null check (mark in ('verified', 'backgroundCheck', 'insurance', 'credentials')),
  evidence text check (length(evidence) between 1 and 1000),
  -- In the pro's time zone; null where it has no end.
  valid_until date,
  -- When `sweep-expired` acts next: it warns the pro, and withdraws the mark at the end of its last day.
  next_at timestamptz,
  primary key (professional_id, mark),
  constraint mark_evidence_end check ((valid_until is null) = (next_at is null))
);
create index mark_evidence_due on mark_evidence (next_at) where next_at is not null;
