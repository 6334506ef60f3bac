-- name: insertApplication :exec on tx
-- A draft of the owner of the address, unless there is one.
insert into pro_applications (id, email, created_at, expires_at) values (:id, :email, :now, :expires_at?)
on conflict (email) do nothing

-- name: lockApplication :one on tx
-- The application with the id, or of the address, locked until the transaction ends.
select a.id from pro_applications a
where a.id = coalesce(:id?::uuid, (select b.id from pro_applications b where b.email = :email?::text)) for update

-- name: findApplication :one on write
-- type: status 'draft' | 'sent' | 'asked' | 'approved' | 'refused'
select a.id, a.email, a.status, a.business_name, a.person_name, a.phone, a.description, a.place, a.city_id, a.is_place_hidden, a.radius_miles,
  a.services, a.business_hours, a.has_declared, a.license_number, a.license_state, a.license_expires, a.insurance_carrier,
  a.insurance_policy, a.insurance_expires, a.operator_words, a.professional_id, a.created_at, a.sent_at
from pro_applications a
where a.id = coalesce(:id?::uuid, (select b.id from pro_applications b where b.email = :email?::text))

-- name: saveAnswers :exec on tx
update pro_applications set business_name = :business_name?, person_name = :person_name?, phone = :phone?, description = :description?,
  place = :place?, city_id = :city_id?, is_place_hidden = :is_place_hidden, radius_miles = :radius_miles?,
  services = :services?::text::jsonb, business_hours = :business_hours?::text::jsonb, has_declared = :has_declared,
  license_number = :license_number?, license_state = :license_state?, license_expires = :license_expires?::text::date,
  insurance_carrier = :insurance_carrier?, insurance_policy = :insurance_policy?, insurance_expires = :insurance_expires?::text::date,
  expires_at = :expires_at?
where id = :id

-- name: deleteApplication :exec on tx
delete from pro_applications where id = :id

-- name: saveApplicationStatus :exec on tx
update pro_applications set status = :status, operator_words = :operator_words?, professional_id = :professional_id?,
  sent_at = :sent_at?, expires_at = :expires_at?
where id = :id

-- name: listApplications :many on write
-- Those of a state, the longest waiting first; drafts are no operator's to read.
-- not null: total, city, services
select a.id, a.business_name, a.person_name, a.sent_at, jsonb_array_length(a.services) as services,
  coalesce(c.name || ', ' || c.state, '') as city, count(*) over ()::integer as total
from pro_applications a left join cities c on c.id = a.city_id
where a.status = :status and a.status <> 'draft' order by a.sent_at, a.id limit :limit offset :offset

-- name: countWaitingApplications :one on write
-- not null: count
select count(*)::integer as count from pro_applications where status = 'sent'

-- name: hasAccount :one on write
-- Whether the address belongs to a pro, or to another account that cannot have one.
-- not null: is_taken
select exists (select from accounts a where a.email = :email and (a.kind <> 'pro' or exists (select from professionals p where p.account_id = a.id)))
  or exists (select from users u where u.email = :email) as is_taken

-- name: findLikenesses :many on write
-- Pros and other applications with the address, the phone, or the name in the same city.
-- type: kind 'pro' | 'application'
-- not null: kind, id, business_name, same_email, same_phone, same_name
with pros as (
  select p.id from professionals p join accounts a on a.id = p.account_id where a.email = :email
  union select p.id from professionals p join users u on u.account_id = p.account_id where u.email = :email
  union select p.id from professionals p
    where p.phone is not null and reverse(regexp_replace(p.phone, '\D', '', 'g')) collate "C" = reverse(:digits::text) collate "C"
  union select p.id from professionals p where p.city_id = :city_id and lower(p.business_name) = lower(:business_name::text)
)
select 'pro' as kind, p.id, p.business_name, a.email = :email as same_email,
  coalesce(regexp_replace(p.phone, '\D', '', 'g') = :digits, false) as same_phone,
  lower(p.business_name) = lower(:business_name) as same_name
from pros join professionals p on p.id = pros.id join accounts a on a.id = p.account_id
where p.test_account_id is null and p.id is distinct from :own_pro?::uuid
union all
select 'application', o.id, o.business_name, false, coalesce(regexp_replace(o.phone, '\D', '', 'g') = :digits, false),
  lower(o.business_name) = lower(:business_name) and o.city_id = :city_id
from pro_applications o
where o.id <> :id and o.status in ('sent', 'asked', 'refused')
  and (regexp_replace(o.phone, '\D', '', 'g') = :digits or (o.city_id = :city_id and lower(o.business_name) = lower(:business_name)))
limit 20
