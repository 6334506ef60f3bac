-- name: listLegalTexts :many on read
-- not null: is_empty
-- nullable: content
-- All versions, the newest of each kind first, with the text of those in force.
select kind, version, at, content = '' as is_empty,
  case when version = max(version) over (partition by kind) then content end as content
from marketplace_texts order by kind, version desc

-- name: findLegalText :one on read
select content from marketplace_texts where kind = :kind and version = :version

-- name: listLegalVersions :many on read
-- not null: is_empty
-- nullable: by
-- The newest first, with the address of the operator while there is one.
select t.version, t.at, t.content = '' as is_empty, u.email as by
from marketplace_texts t left join users u on u.id = t.by_user_id
where t.kind = :kind order by t.version desc limit :limit

-- name: insertLegalText :one on tx
-- Nothing when another operator has published this version meanwhile.
insert into marketplace_texts (kind, version, content, by_user_id, at)
values (:kind, :version, :content, :by_user_id?, :now)
on conflict (kind, version) do nothing
returning version
