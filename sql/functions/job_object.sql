-- A job as its pro sees it.
create or replace function job_object(job jobs) returns json
  language plpgsql stable strict parallel safe as $$
begin
  return (
    select json_build_object(
      'id', job.id,
      'status', job.status,
      'amount', dollars(job.amount_cents),
      'currency', marketplace_currency(),
      'price', price_object('flat', job.amount_cents, null, null, null, marketplace_currency(), 0),
      'units', job.units,
      'quoteId', job.quote_id,
      'quotedAmount', dollars(q.amount_cents),
      'payment', case when q.id is not null then quote_payment(q, job.created_at) end,
      'balance', job_balance(job),
      'rfqId', r.id,
      'service', case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end,
      'customer', case when r.id is not null then
        json_build_object('name', r.customer_name, 'email', r.customer_email, 'phone', r.customer_phone) end,
      'address', r.address,
      'description', r.description,
      'timeZone', p.time_zone,
      'localTime', (
        select local_time(v.starts_at, p.time_zone) from bookings v
        where v.professional_id = job.professional_id and v.job_id = job.id and v.status <> 'cancelled'
        order by v.starts_at desc limit 1),
      'visits', (
        select coalesce(json_agg(json_build_object(
          'id', v.id, 'confirmationCode', v.confirmation_code, 'status', v.status, 'startDateTime', iso_instant(v.starts_at),
          'localTime', local_time(v.starts_at, p.time_zone), 'durationMinutes', v.duration_minutes) order by v.starts_at), '[]')
        from bookings v where v.professional_id = job.professional_id and v.job_id = job.id),
      'createdAt', iso_instant(job.created_at),
      'startedAt', iso_instant(job.started_at),
      'completedAt', iso_instant(job.completed_at),
      'cancelledAt', iso_instant(job.cancelled_at),
      'cancelledBy', job.cancelled_by,
      'cancellationReason', job.cancellation_reason)
    from professionals p
    left join quotes q on q.professional_id = job.professional_id and q.id = job.quote_id
    left join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
    left join services s on s.id = job.service_id
    where p.id = job.professional_id
  );
end $$;
