-- How long an app's metadata document may be used without being read again, and while it cannot be read, as its HTTP headers say.
alter table oauth_clients
  add column fresh_seconds integer not null default 3600 check (fresh_seconds between 0 and 86400),
  add column stale_seconds integer not null default 86400 check (stale_seconds between 0 and 86400),
  add column etag text check (length(etag) between 1 and 500);
