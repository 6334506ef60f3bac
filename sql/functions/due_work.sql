-- What is due, by the names that periodic tasks have for it (src/platform/postgres/due-work.ts). The relay asks once a second for all
-- workers, so that they need not; each line is the first step in an index.
create or replace function due_work(as_of timestamptz) returns table (work text) language sql stable as $$
  select 'holds' where exists (select from bookings where hold_expires_at <= as_of)
  union all select 'unanswered'
  where exists (select from bookings where status = 'pending' and hold_expires_at is null and starts_at <= as_of)
  union all select 'quotes' where exists (select from quotes where status in ('sent', 'viewed') and valid_until <= as_of)
  union all select 'proposals' where exists (select from proposals where status = 'open' and expires_at <= as_of)
  union all select 'refunds'
  where exists (select from payment_refunds where status = 'pending' and next_attempt_at <= as_of)
    or exists (select from payment_refunds where status = 'part' and next_attempt_at <= as_of)
  union all select 'erasures' where exists (select from erasure_requests where next_attempt_at <= as_of)
  union all select 'marks' where exists (select from mark_evidence where next_at <= as_of)
  union all select 'closings' where exists (select from pro_closings where next_at <= as_of)
  union all select 'dead-letters' where exists (select from dead_letters where retried_at is not null)
  union all select 'messages' where exists (select from messages where status = 'pending' and next_attempt_at <= as_of)
  -- While any delivery is pending, workers look for themselves; each of them has a lease, whose lock is free once it died.
  union all select 'deliveries'
  where exists (select from webhook_deliveries where state = 'pending')
    or exists (
      select from webhook_couriers c where pg_try_advisory_xact_lock(hashtextextended('webhook courier ' || c.id, 0)))
  union all select 'calendars' where exists (select from imported_calendars where next_read_at <= as_of)
  union all select 'files' where exists (select from files where next_claim_at <= as_of)
  union all select 'file-removals' where exists (select from file_removals where next_attempt_at <= as_of)
  union all select 'imports'
  where exists (select from pro_imports where next_at <= as_of) or exists (select from pro_imports where kept_until <= as_of)
  union all select 'invitations' where exists (select from pro_invitations where send_at <= as_of)
  union all select 'catalog'
  where exists (select from search_refreshes) or exists (select from services where active and merged_into is not null)
    or exists (select from categories where active and merged_into is not null)
  union all select 'prices' where exists (select from pricing_changes)
  union all select 'runs' where exists (select from agent_runs where status in ('queued', 'running'))
  union all select 'tasks' where exists (select from metered_tasks where status = 'reserved' and deadline_at <= as_of)
  union all select 'balances' where exists (select from credit_ledgers where notice_due is not null and month_ends_at > as_of)
$$;
