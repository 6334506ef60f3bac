-- The last requests of each key that were answered with an error, for the people who program against the API.
create table failed_requests (
  id bigint generated always as identity primary key,
  key_id uuid not null references api_keys on delete cascade,
  failed_at timestamptz not null,
  method text not null,
  path text not null,
  status integer not null check (status between 400 and 599),
  code text not null,
  detail text not null,
  errors jsonb not null default '[]' check (jsonb_typeof(errors) = 'array'),
  request_id text
);
create index failed_requests_by_key on failed_requests (key_id, id);
create index failed_requests_by_age on failed_requests (failed_at);
