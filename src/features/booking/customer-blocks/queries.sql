-- name: selectCustomerBlocks :one on read
-- not null: total
select
  (select count(*)::int from customer_blocks where professional_id = :professional_id) as total,
  (select coalesce(json_agg(json_build_object('id', k.id, 'email', k.email, 'reason', k.reason,
      'createdAt', iso_instant(k.created_at)) order by k.created_at desc, k.id desc), '[]')
    from (
      select * from customer_blocks where professional_id = :professional_id
      order by created_at desc, id desc limit :limit offset :offset
    ) k) as customers

-- name: findBookedEmail :one on tx
select customer_email as email from bookings where id = :booking_id and professional_id = :professional_id

-- name: insertCustomerBlock :many on tx
insert into customer_blocks as k (id, professional_id, email, reason, created_at)
values (:id, :professional_id, :email, :reason?, :now)
on conflict (professional_id, email) do update set reason = coalesce(excluded.reason, k.reason)
returning id, email, reason, created_at

-- name: deleteCustomerBlock :many on write
delete from customer_blocks where id = :id and professional_id = :professional_id returning id
