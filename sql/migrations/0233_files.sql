-- What people sent: pictures and documents. The content is in the storage of files, under the name, which cannot be guessed.
create table files (
  id uuid primary key,
  name text not null unique,
  account_id uuid not null references accounts on delete cascade,
  -- Of a pro's own files.
  professional_id uuid references professionals on delete cascade,
  purpose text not null check (purpose in ('pro_logo', 'pro_cover', 'pro_gallery', 'member', 'request', 'review', 'job',
    'package', 'marketplace', 'verification')),
  status text not null check (status in ('uploading', 'received', 'ready', 'refused')),
  -- Not cached by anybody, and served to signed links only.
  private boolean not null,
  bytes integer,
  -- By the content.
  type text,
  refusal text,
  width integer,
  height integer,
  placeholder text,
  sizes jsonb,
  -- When the worker looks at it next; null once nothing is left to do.
  next_claim_at timestamptz,
  claims integer not null default 0,
  -- What uses it. Nothing does since `unused_since`.
  rfq_id uuid references rfqs on delete cascade,
  review_id uuid references reviews on delete cascade,
  job_id uuid references jobs on delete cascade,
  caption text,
  position integer,
  unused_since timestamptz,
  created_at timestamptz not null,
  decided_at timestamptz,
  check ((status in ('ready', 'refused')) = (decided_at is not null)),
  check ((status = 'refused') = (refusal is not null)),
  check (status in ('uploading', 'refused') or bytes is not null),
  check (status not in ('uploading', 'received') or sizes is null)
);
create index files_account on files (account_id, created_at);
create index files_professional on files (professional_id, purpose) where professional_id is not null;
create index files_rfq on files (rfq_id) where rfq_id is not null;
create index files_review on files (review_id) where review_id is not null;
create index files_job on files (job_id) where job_id is not null;
create index files_due on files (next_claim_at) where next_claim_at is not null;
create index files_unused on files (unused_since) where unused_since is not null;

-- Content of deleted rows that is to be removed from the storage.
create table file_removals (
  name text primary key,
  -- When a worker saw it first; the trigger that adds it knows no time.
  seen_at timestamptz,
  next_attempt_at timestamptz not null default '-infinity'
);
create index file_removals_due on file_removals (next_attempt_at);

insert into state_transitions (aggregate, from_state, to_state) values
  ('file', '', 'uploading'), ('file', 'uploading', 'received'), ('file', 'received', 'ready'),
  ('file', 'received', 'refused');
