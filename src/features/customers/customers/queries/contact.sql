-- name: selectLatestContact :one on write
-- not null: name
select name, phone, address from (
  (select customer_name as name, customer_phone as phone, address, created_at from bookings
    where customer_email = :customer_email and proven_at is not null and not is_test_pro(professional_id)
    order by address is null, created_at desc limit 1)
  union all
  (select customer_name, customer_phone, address, created_at from rfqs
    where customer_email = :customer_email and proven_at is not null and not is_test_pro(professional_id)
    order by address is null, created_at desc limit 1)
) known
order by address is null, created_at desc limit 1
