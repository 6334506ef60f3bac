-- name: findMarketplace :one on read
-- The version in use.
select version, name, tagline, email, phone, address, is_open from marketplace_versions order by version desc limit 1

-- name: insertMarketplace :one on tx
-- Nothing when another operator has saved this version meanwhile.
insert into marketplace_versions (version, name, tagline, email, phone, address, is_open, by_user_id, at)
values (:version, :name, :tagline?, :email?, :phone?, :address?, :is_open, :by_user_id?, :now)
on conflict (version) do nothing
returning version

-- name: listMarketplaceVersions :many on read
-- The latest, the newest first, with the address of the operator while there is one.
-- nullable: by
select v.version, v.name, v.is_open, v.at, u.email as by from marketplace_versions v left join users u on u.id = v.by_user_id
order by v.version desc limit :limit
