-- name: selectMembers :one on read
-- not null: total
select
  (select count(*)::int from members where professional_id = :professional_id and active) as total,
  (select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name, 'email', m.email, 'role', m.role,
      'createdAt', iso_instant(m.created_at)) order by m.created_at desc, m.id desc), '[]')
    from (
      select * from members where professional_id = :professional_id and active
      order by created_at desc, id desc limit :limit offset :offset
    ) m) as members

-- name: insertMember :one on tx
-- Inserts a member. Returns undefined when an active member already has the e-mail address.
insert into members (id, professional_id, name, email, role, created_at)
values (:id, :professional_id, :name, :email, :role,
  :now)
on conflict (professional_id, email) where active do nothing
returning id, name, email, role, created_at

-- name: lockMember :many on tx
select id from members where professional_id = :professional_id and id = :id and active for share

-- name: deactivateMember :many on tx
update members set active = false, removed_at = :now
where professional_id = :professional_id and id = :id and active returning id

-- name: findMember :one on read
-- An active member.
select id, name, email, role, created_at from members where professional_id = :professional_id and id = :id and active

-- name: findOwner :one on tx
-- The account of the pro, and what messages name.
select p.account_id, p.business_name, a.email from professionals p join accounts a on a.id = p.account_id where p.id = :professional_id
