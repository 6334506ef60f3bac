-- name: addUsage :exec on write
insert into key_usage (key_id, day, requests, refused, limited, failed)
select counted.* from unnest(:key_ids::uuid[], :days::text[]::date[], :requests::bigint[],
  :refused::bigint[], :limited::bigint[], :failed::bigint[]) as counted (key_id, day)
join api_keys k on k.id = counted.key_id
order by key_id, day
on conflict (key_id, day) do update set requests = key_usage.requests + excluded.requests,
  refused = key_usage.refused + excluded.refused, limited = key_usage.limited + excluded.limited,
  failed = key_usage.failed + excluded.failed

-- name: selectUsage :many on read
-- The usage of the account's keys since a day: latest day first, then busiest key first.
-- not null: day, requests, refused, limited, failed
select u.key_id, k.name, k.last_four, k.is_grant, u.day::text, u.requests::float8, u.refused::float8, u.limited::float8,
  u.failed::float8
from key_usage u join api_keys k on k.id = u.key_id
where k.account_id in (
    select :account_id::uuid union all select p.account_id from professionals p where p.test_account_id = :account_id)
  and u.day >= :from::text::date
order by u.day desc, u.requests desc, u.key_id
