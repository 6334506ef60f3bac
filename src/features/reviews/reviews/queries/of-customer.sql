-- name: selectReviewsOfCustomer :one on write
-- not null: total
with own as (
  select r.* from reviews r
  where r.customer_email = :customer_email and r.disowned_at is null and not is_test_pro(r.professional_id)
), page as (select * from own order by created_at desc, id desc limit :limit offset :offset)
select (select count(*)::int from own) as total, coalesce((
  select json_agg(json_build_object('id', r.id, 'businessName', p.business_name, 'slug', p.slug, 'rating', r.rating,
    'title', r.title, 'content', r.content, 'status', r.status, 'createdAt', iso_instant(r.created_at))
    order by r.created_at desc, r.id desc)
  from page r join professionals p on p.id = r.professional_id), '[]') as reviews
