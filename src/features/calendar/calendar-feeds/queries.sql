-- name: listFeeds :many on write
-- The feed of all bookings, then that of each active member by name.
-- nullable: created_at
select o.id as member_id, o.name as member_name, f.created_at
from (
  select null::uuid as id, null::text as name
  union all
  select m.id, m.name from members m where m.professional_id = :professional_id and m.active
) o
left join calendar_feeds f on f.professional_id = :professional_id and f.member_id is not distinct from o.id
order by o.id is not null, o.name, o.id

-- name: upsertFeed :exec on tx
-- Creates the feed, or gives it a new token.
insert into calendar_feeds (id, professional_id, member_id, token_hash, created_at)
values (:id, :professional_id, :member_id?, :token_hash, :now)
on conflict on constraint calendar_feeds_one_each
do update set token_hash = excluded.token_hash, created_at = excluded.created_at

-- name: deleteFeed :exec on write
delete from calendar_feeds
where professional_id = :professional_id and member_id is not distinct from :member_id?

-- name: findFeed :one on write
-- Whose feed has this token; undefined also for that of a member who left.
-- nullable: member_name
select f.professional_id, f.member_id, p.business_name, m.name as member_name
from calendar_feeds f
join professionals p on p.id = f.professional_id
left join members m on m.professional_id = f.professional_id and m.id = f.member_id
where f.token_hash = :token_hash and (f.member_id is null or m.active)
