-- A completed visit decides what its deposit adds to the revenue: see payment_revenue_cents().
create or replace function settle_visit_revenue() returns trigger
  language plpgsql as $$
begin
  perform settle_revenue(array(
    select y.id from payments y where y.professional_id = new.professional_id and y.booking_id = new.id));
  return null;
end $$;

-- The trigger, and the visits of before, once: those who write bookings wait until the end of the transaction.
do $$
begin
  if exists (select from pg_trigger where tgname = 'visit_revenue') then
    return;
  end if;
  create constraint trigger visit_revenue after update of status on bookings
    deferrable initially deferred for each row
    when (new.status = 'completed' and old.status <> 'completed' and new.deposit_cents > 0)
    execute function settle_visit_revenue();
  -- A database of 0.1.0 has just been counted as a whole.
  delete from pro_days where kind = 'visit';
  delete from pro_counts where kind = 'visit';
  perform count_pro_facts(null, 'visit');
  perform settle_revenue(array(
    select r.payment_id from payment_refunds r
    join payments y on y.professional_id = r.professional_id and y.id = r.payment_id
    join bookings b on b.professional_id = y.professional_id and b.id = y.booking_id
    where b.status = 'completed' and r.created_at < b.completed_at));
end $$;
