-- Files of pros that operators upload. Each is read in a dry run first, and imported once an operator has seen what it would do.
create table pro_imports (
  id uuid primary key,
  -- Who uploaded it, and later who started the import.
  by_user_id uuid references users on delete set null,
  name text not null check (length(name) between 1 and 200),
  bytes integer check (bytes > 0),
  format text check (format in ('csv', 'jsonl')),
  options jsonb not null check (jsonb_typeof(options) = 'object'),
  status text not null check (status in ('uploading', 'uploaded', 'checked', 'running', 'done', 'failed')),
  -- What the import would do, and what it has done so far.
  preview jsonb,
  counts jsonb,
  -- What it found in the file: columns that were not read, the first refused lines, where it stopped.
  findings jsonb,
  -- Why it failed.
  problem text check (length(problem) <= 1000),
  -- When a worker reads the file next; while one does, when its claim ends.
  next_at timestamptz,
  claim uuid,
  claims integer not null default 0,
  -- Until when the storage keeps the file and the refused lines. Null once it has neither.
  kept_until timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  check ((status in ('uploaded', 'running')) = (next_at is not null)),
  check (claim is null or next_at is not null),
  check ((status in ('done', 'failed')) = (finished_at is not null)),
  check ((status = 'failed') = (problem is not null)),
  check (status = 'uploading' or bytes is not null)
);
-- One file is read at a time.
create unique index pro_imports_claimed on pro_imports ((claim is not null)) where claim is not null;
create index pro_imports_due on pro_imports (next_at) where next_at is not null;
create index pro_imports_kept on pro_imports (kept_until) where kept_until is not null;
create index pro_imports_created on pro_imports (created_at);
create index pro_imports_by_user on pro_imports (by_user_id) where by_user_id is not null;

insert into state_transitions (aggregate, from_state, to_state) values
  ('import', '', 'uploading'), ('import', 'uploading', 'uploaded'), ('import', 'uploaded', 'checked'),
  ('import', 'uploaded', 'failed'), ('import', 'checked', 'running'), ('import', 'running', 'done'), ('import', 'running', 'failed');
