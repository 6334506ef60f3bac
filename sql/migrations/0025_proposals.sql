-- Changes that an agent proposes and its pro confirms or dismisses; and what an agent prepared, kept to be found again.
create table proposals (
  id uuid primary key,
  professional_id uuid not null references professionals,
  -- Which editor makes the change, and of what: a quote, a service, or (the pro's own id) what is the pro's own.
  kind text not null check (kind in ('quote_content', 'service_pricing', 'service_content', 'business_profile',
    'public_profile', 'business_entity', 'site_config')),
  target_id uuid not null,
  status text not null check (status in ('open', 'confirmed', 'dismissed', 'expired', 'conflict')),
  -- What is given to the editor.
  change jsonb not null check (jsonb_typeof(change) = 'object'),
  -- [{ "field": …, "before": …, "after": … }]: what the change does. It is applied to exactly this, or not at all.
  differences jsonb not null check (jsonb_typeof(differences) = 'array' and jsonb_array_length(differences) > 0),
  summary text not null check (length(summary) between 1 and 500),
  -- Who made it: a key, or a run of the pro's agent (by its id, and that of the thread it belongs to).
  key_id uuid references api_keys,
  run_id uuid,
  thread_id uuid,
  created_at timestamptz not null,
  -- From this moment on it counts as expired, whether or not anyone has written that down yet: proposal_status().
  expires_at timestamptz not null check (expires_at > created_at),
  confirmed_at timestamptz,
  dismissed_at timestamptz,
  expired_at timestamptz,
  conflicted_at timestamptz,
  -- { "reason": …, "fields": […] }
  conflict jsonb,
  -- What each state implies; the transition table is drawn in ARCHITECTURE.md.
  constraint proposals_state check (
    (status = 'confirmed') = (confirmed_at is not null)
    and (status = 'dismissed') = (dismissed_at is not null)
    and (status = 'expired') = (expired_at is not null)
    and (status = 'conflict') = (conflicted_at is not null)
    and (status = 'conflict') = (conflict is not null)
    and confirmed_at < expires_at and dismissed_at < expires_at and conflicted_at < expires_at
    and expired_at >= expires_at),
  constraint proposals_of_the_pro check (kind in ('quote_content', 'service_pricing', 'service_content')
    or target_id = professional_id)
);
create index proposals_professional on proposals (professional_id, created_at desc, id desc);
create index proposals_open on proposals (professional_id) where status = 'open';
create index proposals_due on proposals (expires_at) where status = 'open';

insert into state_transitions (aggregate, from_state, to_state) values
  ('proposal', '', 'open'), ('proposal', 'open', 'confirmed'), ('proposal', 'open', 'dismissed'),
  ('proposal', 'open', 'expired'), ('proposal', 'open', 'conflict');
create trigger proposal_transition before insert or update of status on proposals
  for each row execute function check_transition('proposal');

-- Work that was prepared from what is known, for the pro to read: none of it has gone to anyone.
create table prepared_work (
  id uuid primary key,
  professional_id uuid not null references professionals,
  kind text not null
    check (kind in ('quote_draft', 'assessment_notes', 'day_brief', 'job_spec', 'customer_message')),
  -- What it is about; a day's brief is about its day.
  rfq_id uuid references rfqs,
  booking_id uuid references bookings,
  job_id uuid references jobs,
  day date,
  -- The draft that a 'quote_draft' explains; gone when the draft is deleted.
  quote_id uuid references quotes on delete cascade,
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  created_at timestamptz not null,
  constraint prepared_work_subject check (num_nonnulls(rfq_id, booking_id, job_id, day) = 1),
  constraint prepared_work_day check ((kind = 'day_brief') = (day is not null)),
  constraint prepared_work_quote check ((kind = 'quote_draft') = (quote_id is not null))
);
create index prepared_work_listing on prepared_work (professional_id, kind, created_at desc, id desc);
create index prepared_work_quote on prepared_work (quote_id) where quote_id is not null;
