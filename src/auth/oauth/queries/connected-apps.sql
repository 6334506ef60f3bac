-- name: selectOAuthGrants :many on write
-- shape: scopes
select k.id as key_id, g.client_id, g.resource, k.scopes, k.created_at, k.last_used_at,
  c.name, c.redirect_uris, c.uri
from api_keys k join oauth_grants g on g.key_id = k.id join oauth_clients c on c.id = g.client_id
where k.account_id = :account_id and k.is_grant and k.revoked_at is null and k.expires_at > :now
order by coalesce(k.last_used_at, k.created_at) desc, k.id
