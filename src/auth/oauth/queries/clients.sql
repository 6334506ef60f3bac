-- name: findClient :one on read
select id, name, redirect_uris, uri, read_at, fresh_seconds, stale_seconds, etag from oauth_clients where id = :id

-- name: insertClient :exec on write
-- Inserts a registered app.
insert into oauth_clients (id, name, redirect_uris, uri, created_at, used_at)
values (:id, :name, :redirect_uris, :uri?, :now, :now)

-- name: saveOAuthDocument :exec on write
insert into oauth_clients
  (id, name, redirect_uris, uri, created_at, read_at, used_at, fresh_seconds, stale_seconds, etag)
values (:id, :name, :redirect_uris, :uri?, :at, :at, :at, :fresh_seconds, :stale_seconds, :etag?)
on conflict (id) do update set (name, redirect_uris, uri, read_at, fresh_seconds, stale_seconds, etag) =
  (excluded.name, excluded.redirect_uris, excluded.uri, excluded.read_at, excluded.fresh_seconds,
    excluded.stale_seconds, excluded.etag)
