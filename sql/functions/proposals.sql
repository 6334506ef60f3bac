-- The state of a proposal at a moment: it has expired after expires_at, even before expire_proposals() stores that.
create or replace function proposal_status(proposal proposals, as_of timestamptz) returns text
  language sql immutable parallel safe as $$
  select case when (proposal).status = 'open' and (proposal).expires_at <= as_of then 'expired'
    else (proposal).status end
$$;

-- A proposal as the API returns it.
create or replace function proposal_object(proposal proposals, as_of timestamptz) returns json
  language plpgsql stable parallel safe as $$
begin
  return (
    select json_build_object(
      'id', proposal.id,
      'kind', proposal.kind,
      'status', proposal_status(proposal, as_of),
      'target', json_build_object(
        'type', case when s.id is not null then 'service' when proposal.kind = 'quote_content' then 'quote'
          else 'professional' end,
        'id', proposal.target_id,
        'name', coalesce(s.name, requested.name)),
      'summary', proposal.summary,
      'differences', proposal.differences,
      'madeBy', json_build_object('keyId', proposal.key_id, 'runId', proposal.run_id, 'threadId', proposal.thread_id),
      'createdAt', iso_instant(proposal.created_at),
      'expiresAt', iso_instant(proposal.expires_at),
      'confirmedAt', iso_instant(proposal.confirmed_at),
      'dismissedAt', iso_instant(proposal.dismissed_at),
      'conflictedAt', iso_instant(proposal.conflicted_at),
      'conflict', proposal.conflict)
    from (select proposal.id) it
    left join services s on proposal.kind in ('service_pricing', 'service_content') and s.id = proposal.target_id
    left join quotes q on proposal.kind = 'quote_content' and q.professional_id = proposal.professional_id
      and q.id = proposal.target_id
    left join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
    left join services requested on requested.id = r.service_id
  );
end $$;

-- Marks up to `max` expired proposals, skipping locked ones. Returns their number.
create or replace function expire_proposals(as_of timestamptz, max integer) returns integer
  language plpgsql volatile as $$
declare
  expired integer;
begin
  with due as (
    select p.professional_id, p.id from proposals p where p.status = 'open' and p.expires_at <= as_of
    order by p.expires_at limit max for update skip locked
  )
  update proposals p set status = 'expired', expired_at = as_of from due
  where p.professional_id = due.professional_id and p.id = due.id;
  get diagnostics expired = row_count;
  return expired;
end $$;

-- Serializes changes of this pro's proposals until the end of the transaction.
create or replace function lock_proposals(pro_id uuid) returns void
  language sql volatile as $$
  select pg_advisory_xact_lock(hashtextextended('proposals:' || pro_id, 0))
$$;
