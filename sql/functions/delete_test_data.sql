-- Deletes the work of a test account and of its test pros, and what was set up for the pros. Keys and their usage, webhook
-- endpoints and agent tasks stay; messages and events go by their age. Returns how much of it people look for.
create or replace function delete_test_data(wanted_id uuid, out bookings integer, out requests integer, out reviews integer)
  language plpgsql as $$
declare
  pros constant uuid[] := array(select p.id from professionals p where p.test_account_id = wanted_id order by p.id);
  owners constant uuid[] := wanted_id || array(select p.account_id from professionals p where p.id = any (pros));
begin
  -- In the order of those who book, quote and pay: they wait, and find a pro without work.
  perform lock_schedule(pro_id) from unnest(pros) pro_id;
  perform from rfqs r where r.professional_id = any (pros) order by r.id for update;
  perform from quotes q where q.professional_id = any (pros) order by q.id for update;
  perform from bookings b where b.professional_id = any (pros) order by b.id for update;
  delete from webhook_events v where v.id in (
    select d.event_id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where e.account_id = any (owners));
  delete from idempotency_records r where r.account_id = any (owners);
  delete from notices n where n.account_id = any (owners);
  delete from files f where f.account_id = any (owners) or f.professional_id = any (pros);
  delete from properties p where p.account_id = any (owners);
  delete from prepared_work w where w.professional_id = any (pros);
  delete from proposals p where p.professional_id = any (pros);
  delete from threads t where t.professional_id = any (pros);
  delete from agent_runs r where r.professional_id = any (pros);
  delete from payment_disputes d using payments p where p.id = d.payment_id and p.professional_id = any (pros);
  delete from payment_refunds r using payments p where p.id = r.payment_id and p.professional_id = any (pros);
  delete from payments p where p.professional_id = any (pros);
  delete from reviews r where r.professional_id = any (pros);
  get diagnostics reviews = row_count;
  delete from review_stats s where s.professional_id = any (pros);
  delete from bookings b where b.professional_id = any (pros);
  get diagnostics bookings = row_count;
  delete from jobs j where j.professional_id = any (pros);
  delete from quotes q where q.professional_id = any (pros);
  delete from rfqs r where r.professional_id = any (pros);
  get diagnostics requests = row_count;
  delete from pro_days d where d.professional_id = any (pros);
  delete from former_time_zones z where z.professional_id = any (pros);
  delete from pro_counts c where c.professional_id = any (pros);

  delete from availability_blocks b where b.professional_id = any (pros);
  delete from customer_blocks b where b.professional_id = any (pros);
  delete from calendar_feeds f where f.professional_id = any (pros);
  delete from imported_calendars c where c.professional_id = any (pros);
  delete from members m where m.professional_id = any (pros);
  delete from operator_actions a where a.professional_id = any (pros);
  delete from pro_business_entities e where e.professional_id = any (pros);
  delete from pro_public_profiles f where f.professional_id = any (pros);
  delete from pro_site_configs c where c.professional_id = any (pros);
  delete from professional_services o where o.professional_id = any (pros);
end $$;
