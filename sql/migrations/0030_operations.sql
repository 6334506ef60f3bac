-- What operators look at: kept traces, and what each process did in the last hour. Unlogged: it costs no WAL, a crash of
-- the database empties it, and nothing else depends on it. Bounded by `pruneOperations` (features/operations).

-- What one process did of one trace. A trace is all rows with its id.
create unlogged table trace_parts (
  id bigint generated always as identity primary key,
  trace_id text not null check (trace_id ~ '^[0-9a-f]{32}$'),
  because text not null check (because in ('sampled', 'failed', 'refused')),
  service text not null,
  name text not null,
  method text,
  route text,
  status smallint,
  started_at timestamptz not null,
  duration_us bigint not null,
  spans jsonb not null,
  left_out integer not null
);
create index trace_parts_trace on trace_parts (trace_id);
create index trace_parts_because on trace_parts (because, id);

-- A line per process and few seconds: gauges as they stand, and what counters and histograms grew by since the line before.
create unlogged table process_reports (
  id bigint generated always as identity primary key,
  process uuid not null,
  service text not null,
  host text not null,
  pid integer not null,
  at timestamptz not null,
  seconds real not null,
  figures jsonb not null
);
create index process_reports_at on process_reports (at);
