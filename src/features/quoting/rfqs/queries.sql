-- name: findAskedPro :one on tx
-- Whether an active pro offers the service, if one is named, and the day in the pro's time zone; undefined without a
-- pro.
-- not null: offers_service, is_blocked, today
select :service_id?::uuid is null or exists (
    select from professional_services o join services s on s.id = o.service_id and s.active
    where o.professional_id = p.id and o.service_id = :service_id?) as offers_service,
  is_blocked_customer(p.id, :email) as is_blocked, (:now::timestamptz at time zone p.time_zone)::date as today
from professionals p where p.id = :professional_id and is_visible(p.active, p.test_account_id, test_account(:account_id))

-- name: insertRfq :one on tx
with inserted as (
  insert into rfqs (id, professional_id, service_id, account_id, status, description, budget, timeline,
    preferred_date, customer_name, customer_email, customer_phone, address, photos, answers, source, source_agent_id,
    event_sequence, created_at, proven_at, asked_together)
  values (:id, :professional_id, :service_id?, :account_id, 'new', :description,
    :budget?, :timeline?, :preferred_date?, :name,
    :email, :phone?, :address?,
    :photos, :answers, :source, :source_agent_id?, 1,
    :now, :proven_at?, :asked_together?)
  returning *)
select rfq_receipt(inserted::rfqs) as rfq from inserted

-- name: listRfqs :one on read
-- not null: total
with matching as (
  select * from rfqs
  where not (:account_id?::uuid is null and disowned_at is not null)
    and (:account_id?::uuid is null or account_id = :account_id?) and customer_email = :email),
page as (select * from matching order by created_at desc, id desc limit :limit offset :offset)
select (select count(*) from matching) as total,
  (select coalesce(json_agg(json_build_object(
      'rfq', rfq_object(page::rfqs, :now),
      'answerable', case when not acts_for_pro(:account_id?, page.professional_id) then (
        select json_build_object('id', q.id, 'validUntil', iso_instant(q.valid_until)) from quotes q
        where q.professional_id = page.professional_id and q.rfq_id = page.id and q.status <> 'draft'
        order by q.sent_at desc, q.id desc limit 1) end)
    order by created_at desc, id desc), '[]') from page) as items

-- name: listCustomerRfqs :one on write
-- not null: total
with page as (
  select * from rfqs where customer_email = :customer_email and disowned_at is null and not is_test_pro(professional_id)
  order by created_at desc, id desc limit :limit offset :offset)
select (select count(*)::int from rfqs
    where customer_email = :customer_email and disowned_at is null and not is_test_pro(professional_id)) as total,
  (select coalesce(json_agg(rfq_object(page::rfqs, :now) order by created_at desc, id desc), '[]')
   from page) as items

-- name: findLead :one on read
select lead_object(r, :now) as rfq from rfqs r
where r.id = :id and r.professional_id = :professional_id

-- name: lockRfq :one on tx
-- A request made to the pro, locked until the transaction ends. Always lock it before changing one of its quotes.
select id, status, professional_id, service_id from rfqs
where id = :id and professional_id = :professional_id for no key update

-- name: selectAskedTogether :many on tx
-- The requests that the customer sent to other pros at once, in the order in which they are locked.
-- not null: is_accepted
-- type: status rfqs.status
select o.id, o.status,
  exists (select from quotes q where q.rfq_id = o.id and q.status = 'accepted') as is_accepted
from rfqs r join rfqs o on o.asked_together = r.asked_together and o.id <> r.id
where r.id = :id order by o.id

-- name: markLost :exec on tx
update rfqs set lost_at = :now where id = :id

-- name: setRfqStatus :exec on tx
update rfqs set status = :status where id = :id
