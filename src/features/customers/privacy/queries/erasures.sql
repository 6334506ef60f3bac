-- name: insertErasure :exec on tx
-- `lookAgainAt`: when copies are looked for that were stored meanwhile.
insert into customer_erasures (id, email_digest, pseudonym, requested_by, erased_at, counts, look_again_at)
values (:id, :email_digest, :pseudonym, :requested_by, :now, '{}', :look_again_at)

-- name: addCountsOfErasure :one on tx
update customer_erasures e set look_again_at = :look_again_at, counts = (
  select coalesce(jsonb_object_agg(sum.table, sum.rows), '{}')
  from (
    select counted.key as table, sum(counted.value::bigint) as rows
    from (select * from jsonb_each_text(e.counts)
      union all select * from jsonb_each_text(:counts::text::jsonb)) counted
    group by counted.key having sum(counted.value::bigint) > 0
  ) sum)
where e.id = :id returning e.counts

-- name: findErasure :one on tx
-- The latest erasure of an address.
-- not null: erased_at
select pseudonym, iso_instant(erased_at) as erased_at from customer_erasures where email_digest = :email_digest
order by erased_at desc, id desc limit 1

-- name: claimLookAgain :one on write
-- Claims the erasure after which it is due to look again, until `leaseEndsAt`.
update customer_erasures set look_again_at = :lease_ends_at
where id = (
  select id from customer_erasures where look_again_at <= :now
  order by look_again_at limit 1 for update skip locked)
returning id, pseudonym

-- name: endLookAgain :exec on write
update customer_erasures set look_again_at = null where id = :id

-- name: eraseNotes :many on tx
-- What operators wrote about the customer.
update operator_actions set reason = :placeholder
where reason is not null and subject_id = (select id from customer_profiles where email = :email)
returning id

-- name: eraseProfile :many on tx
-- A blocked customer stays so: the address is left as a digest.
with gone as (delete from customer_profiles where email = :email and blocked_at is null returning id),
left_blocked as (
  update customer_profiles set email = null, email_digest = customer_digest(id, email), block_reason = :placeholder
  where email = :email and blocked_at is not null returning id)
select id from gone union all select id from left_blocked
