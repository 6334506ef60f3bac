-- name: findReviewedPro :one on tx
-- A pause keeps no review away.
-- not null: is_own, is_test, is_blocked
select json_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name) as pro,
  p.account_id = :account_id or exists (
    select from (
      select email from accounts where id = p.account_id
      union all select email from users where account_id = p.account_id
    ) own
    where own.email = :email
      or own.email = (select email from accounts where id = :account_id)) as is_own,
  p.test_account_id is not null as is_test, is_blocked_customer(p.id, :email) as is_blocked
from professionals p where p.id = :id and (p.status = 'paused' or is_visible(p.active, p.test_account_id, test_account(:account_id)))

-- name: findReviewedBooking :one on tx
-- nullable: ends_at
select b.status, b.ends_at, p.time_zone
from bookings b join professionals p on p.id = b.professional_id
where b.id = :id and b.professional_id = :professional_id and b.customer_email = :email
for share of b

-- name: findReviewedJob :one on tx
select j.status, null::timestamptz as ends_at, null::text as time_zone
from jobs j join quotes q on q.id = j.quote_id join rfqs r on r.id = q.rfq_id
where j.id = :id and j.professional_id = :professional_id
  and r.customer_email = :email
for share of j

-- name: insertReview :one on tx
insert into reviews as r (id, professional_id, account_id, booking_id, job_id, status, rating, title, content,
  punctuality, communication, quality, value, customer_name, customer_email, photos, source,
  event_sequence, created_at)
values (:id, :professional_id, :account_id, :booking_id?,
  :project_id?, 'pending', :rating, :title?, :content,
  :punctuality?, :communication?, :quality?,
  :value?, :name, :email, :photos,
  :source, 1, :now)
on conflict (professional_id, customer_email, booking_id, job_id) where status <> 'rejected' do nothing
returning r.id, r.professional_id, r.event_sequence, review_record(r) as record

-- name: findReviewStatus :one on write
select status from reviews where id = :id

-- name: findReviewForUpdate :one on tx
-- A review, locked until the transaction ends; with a pro, only one of theirs.
select id, status from reviews
where id = :id and (:professional_id?::uuid is null or professional_id = :professional_id?) for update

-- name: saveApproved :one on tx
update reviews r set status = :status, approved_at = :now, event_sequence = event_sequence + 1
where id = :id
returning r.id, r.professional_id, r.event_sequence, review_record(r) as record

-- name: saveRejected :one on tx
update reviews r set status = :status, rejected_at = :now, rejection_reason = :reason
where id = :id returning review_record(r) as record

-- name: saveResponse :one on tx
update reviews r set response = :content, responded_at = :now
where id = :id returning review_record(r) as record

-- name: lockReview :many on tx
select from reviews r
where r.id = :review_id and r.status = 'approved' and is_test_pro(r.professional_id) = (
  select a.test_of is not null from accounts a where a.id = :account_id)
for no key update

-- name: saveVote :one on tx
with before as (
  select helpful from review_votes where review_id = :review_id and account_id = :account_id
), stored as (
  insert into review_votes (review_id, account_id, helpful, voted_at)
  values (:review_id, :account_id, :helpful, :now)
  on conflict (review_id, account_id) do update set helpful = excluded.helpful, voted_at = excluded.voted_at
)
update reviews set
  helpful_yes = helpful_yes + :helpful::boolean::integer - (select count(*) from before where helpful),
  helpful_no = helpful_no + (not :helpful::boolean)::integer - (select count(*) from before where not helpful)
where id = :review_id returning helpful_yes as yes, helpful_no as no

-- name: selectReviewLines :many on replicas
-- not null: professional_id, rating, content
-- What the review that helped most says, of each of some pros.
select pro.id as professional_id, r.rating, left(r.content, 200) as content
from unnest(:ids::text::uuid[]) as pro (id)
cross join lateral (
  select rating, content from reviews
  where professional_id = pro.id and status = 'approved'
  order by helpful_yes - helpful_no desc, created_at desc, id desc limit 1
) r
