-- Threads: what a pro and their agent have said to each other. The messages of one are numbered without gaps.
create table threads (
  professional_id uuid not null references professionals,
  id uuid not null,
  title text not null check (length(title) between 1 and 200),
  -- Also the position of its last message.
  message_count integer not null default 0 check (message_count >= 0),
  created_at timestamptz not null,
  last_activity_at timestamptz not null check (last_activity_at >= created_at),
  primary key (professional_id, id)
);
create index threads_listing on threads (professional_id, last_activity_at desc, id desc);

create table thread_messages (
  professional_id uuid not null,
  thread_id uuid not null,
  position integer not null check (position > 0),
  -- 'tool': a step that the agent took; 'system': what became of a run that did not succeed.
  role text not null check (role in ('person', 'agent', 'tool', 'system')),
  content text not null check (length(content) between 1 and 5000),
  -- The run that it began, or that it came from.
  run_id uuid not null,
  -- Which step of the run, of the role 'tool'.
  step smallint,
  created_at timestamptz not null,
  primary key (professional_id, thread_id, position),
  constraint thread_messages_thread foreign key (professional_id, thread_id) references threads,
  constraint thread_messages_step check ((role = 'tool') = (step is not null))
);
