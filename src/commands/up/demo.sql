-- name: chooseDemoPro :one
select p.id, p.slug, a.email
from professionals p join accounts a on a.id = p.account_id join cities c on c.id = p.city_id
where p.active
order by
  p.instant_booking_enabled and not p.requires_approval and not p.deposit_required desc,
  exists (
    select from professional_services ps join services s on s.id = ps.service_id
    join categories g on g.id = s.category_id
    where ps.professional_id = p.id and ps.instant_book_enabled and g.slug = 'plumbing') desc,
  not exists (select from jsonb_each(p.business_hours) day where day.value = '[]'::jsonb) desc,
  p.verified desc, p.lead_time_hours > 8, c.population desc, p.id
limit 1

-- name: openDemoPro :exec
update professionals set plan = 'business', instant_booking_enabled = true, requires_approval = false,
  deposit_required = false, deposit_percentage = null,
  business_hours = (
    select jsonb_object_agg(day, case when business_hours -> day = '[]' then '[{"start":"09:00","end":"17:00"}]'
      else business_hours -> day end)
    from unnest(array['monday','tuesday','wednesday','thursday','friday','saturday','sunday']) as day)
where id = :id and (plan <> 'business' or not instant_booking_enabled or requires_approval or deposit_required
  or exists (select from jsonb_each(business_hours) day where day.value = '[]'::jsonb))

-- name: countDemoKeys :one
-- not null: count
select count(*)::int as count from api_keys
where encode(hash, 'hex') = any(string_to_array(:hashes, ',')) and revoked_at is null

-- name: choosePicturedPros :many
-- The demo pro, and the plumbers nearest to Austin.
select p.id, p.account_id from professionals p
where p.id = :id or p.id in (
  select q.id from professionals q
  where q.active and exists (
    select from professional_services o join services s on s.id = o.service_id join categories g on g.id = s.category_id
    where o.professional_id = q.id and g.slug = 'plumbing')
  order by (q.latitude - 30.27) ^ 2 + (q.longitude + 97.74) ^ 2, q.id limit 9)
order by p.id = :id desc, p.id
