-- name: lock_proposals :exec on tx
-- Serializes changes of the pro's proposals until the transaction ends.
select lock_proposals(:professional_id)

-- name: countOpenProposals :one on tx
-- not null: open
select count(*) as open from proposals
where professional_id = :professional_id and status = 'open' and expires_at > :now

-- name: findTargetName :one on tx
select s.name from services s
where s.id = case when :kind = 'quote_content'
  then (select r.service_id from quotes q join rfqs r on r.id = q.rfq_id where q.id = :target_id)
  else :target_id::uuid end

-- name: insertProposal :exec on tx
insert into proposals (id, professional_id, kind, target_id, status, change, differences, summary, key_id, run_id,
  thread_id, created_at, expires_at)
values (:id, :professional_id, :kind, :target_id, 'open',
  :change::text::jsonb, :differences::text::jsonb, :summary,
  :key_id?, :run_id?, :thread_id?, :created_at, :expires_at)

-- name: findProposal :one on read
select proposal_object(p, :now) as proposal from proposals p
where p.id = :id and p.professional_id = :professional_id

-- name: selectProposals :one on read
-- not null: total
with matching as (
  select p.* from proposals p
  where p.professional_id = :professional_id
    and (:kind?::text is null or p.kind = :kind?)
    and (:run_id?::uuid is null or p.run_id = :run_id?)
    and (:status?::text is null or proposal_status(p, :at) = :status?)),
page as (select * from matching order by created_at desc, id desc limit :limit offset :offset)
select (select count(*) from matching) as total,
  (select coalesce(json_agg(proposal_object(page::proposals, :at) order by created_at desc, id desc), '[]')
   from page) as items

-- name: lockProposal :one on tx
-- not null: status
-- type: status proposals.status
select id, kind, target_id, proposal_status(p, :now) as status, change, differences
from proposals p where id = :id and professional_id = :professional_id for update

-- name: saveProposalState :exec on tx
update proposals set status = :status,
  confirmed_at = case when :status = 'confirmed' then :at::timestamptz end,
  dismissed_at = case when :status = 'dismissed' then :at::timestamptz end,
  conflicted_at = case when :status = 'conflict' then :at::timestamptz end,
  conflict = :conflict?::text::jsonb
where id = :id

-- name: expire_proposals :one on write
-- not null: expired
select expire_proposals(:now, :limit) as expired
