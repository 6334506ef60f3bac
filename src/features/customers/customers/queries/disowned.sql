-- name: selectDisowned :one on write
-- not null: total
with page as (
  select * from operator_actions
  where action in ('booking.disowned', 'request.disowned', 'review.disowned')
  order by at desc, id desc limit :limit offset :offset
), made as (
  select d.*, coalesce(b.customer_email, r.customer_email, v.customer_email) as email,
    coalesce(b.created_at, r.created_at, v.created_at) as made_at, coalesce(b.status, r.status, v.status) as status,
    coalesce(b.account_id, r.account_id, v.account_id) as account_id, coalesce(b.source, r.source, v.source) as source
  from page d
  left join bookings b on d.action = 'booking.disowned' and b.id = d.subject_id
  left join rfqs r on d.action = 'request.disowned' and r.id = d.subject_id
  left join reviews v on d.action = 'review.disowned' and v.id = d.subject_id
)
select (
  select count(*)::int from operator_actions
  where action in ('booking.disowned', 'request.disowned', 'review.disowned')) as total, coalesce((
  select json_agg(json_build_object('id', m.subject_id, 'kind', split_part(m.action, '.', 1),
    'disownedAt', iso_instant(m.at), 'businessName', p.business_name, 'slug', p.slug, 'email', m.email,
    'madeAt', iso_instant(m.made_at), 'status', m.status, 'account', a.email, 'accountKind', a.kind,
    'source', m.source) order by m.at desc, m.id desc)
  from made m join professionals p on p.id = m.professional_id left join accounts a on a.id = m.account_id), '[]') as rows
