-- The prices that may count in the statistics of a service, in cents per unit, by source: listings (1), accepted quotes
-- (2), completed jobs (3). One piece of work counts once: a completed job replaces the quote it came from. A listing
-- counts only with the price type of the service, because an hourly price does not compare to a flat one. Of a pro and a
-- source only the most recent 3 count. `rank` orders the prices of a pro and service: the latest completed job, the latest
-- accepted quote, the listing, then the second of each. Readers must leave out listings of inactive pros.
create or replace view price_points as
  select n.service_id, n.professional_id, n.source, n.cents,
    row_number() over (partition by n.service_id, n.professional_id order by n.nth, n.source desc)::smallint as rank
  from (
    select p.*, row_number() over (
        partition by p.service_id, p.professional_id, p.source order by p.agreed_at desc, p.id desc) as nth
    from (
      select ps.service_id, ps.professional_id, 1::smallint as source,
        coalesce(ps.base_price_cents, (ps.min_price_cents + ps.max_price_cents) / 2.0)::double precision as cents,
        null::timestamptz as agreed_at, null::uuid as id
      from professional_services ps
      join services s on s.id = ps.service_id
      where ps.price_type = s.price_type and ps.unit is not distinct from s.unit
        and (ps.base_price_cents is not null or (ps.min_price_cents is not null and ps.max_price_cents is not null))
      union all
      select r.service_id, q.professional_id, 2::smallint,
        coalesce(q.units_cents, q.amount_cents) / coalesce(q.units, 1)::double precision, q.accepted_at, q.id
      from quotes q
      join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
      join services s on s.id = r.service_id
      where q.status = 'accepted' and (q.units is not null or s.unit is null)
        and not exists (
          select from jobs j
          where j.professional_id = q.professional_id and j.quote_id = q.id and j.status = 'completed')
      union all
      select j.service_id, j.professional_id, 3::smallint,
        -- The final amount covers other lines in the share that the quote gives them.
        j.amount_cents * coalesce(q.units_cents / q.amount_cents::double precision, 1) / coalesce(j.units, 1),
        j.completed_at, j.id
      from jobs j
      join services s on s.id = j.service_id
      left join quotes q on q.professional_id = j.professional_id and q.id = j.quote_id
      where j.status = 'completed' and (j.units is not null or s.unit is null)
    ) p
  ) n
  where n.nth <= 3;

-- Notes that the prices of an accepted quote's service changed.
create or replace function note_quote_price() returns trigger
  language plpgsql as $$
declare
  quote constant quotes := coalesce(new, old);
begin
  insert into pricing_changes (service_id, professional_id)
  select r.service_id, quote.professional_id from rfqs r
  where r.professional_id = quote.professional_id and r.id = quote.rfq_id and r.service_id is not null;
  return null;
end $$;

-- What changes prices is noted, and their refresh reads the notes (refresh_changed_prices).
create or replace function note_job_price() returns trigger language plpgsql as $$
declare
  job constant jobs := coalesce(new, old);
begin
  if job.service_id is not null then
    insert into pricing_changes (service_id, professional_id) values (job.service_id, job.professional_id);
  end if;
  return null;
end $$;

create or replace function note_offers_inserted() returns trigger language plpgsql as $$
begin
  insert into pricing_changes (service_id, professional_id) select service_id, professional_id from new_rows;
  return null;
end $$;

create or replace function note_offers_updated() returns trigger language plpgsql as $$
begin
  with old_prices as (
    select professional_id, service_id, price_type, unit, base_price_cents, min_price_cents, max_price_cents
    from old_rows
  ), new_prices as (
    select professional_id, service_id, price_type, unit, base_price_cents, min_price_cents, max_price_cents
    from new_rows
  )
  insert into pricing_changes (service_id, professional_id)
  select distinct c.service_id, c.professional_id
  from (
    (table old_prices except table new_prices) union all (table new_prices except table old_prices)
  ) c;
  return null;
end $$;

create or replace function note_offers_deleted() returns trigger language plpgsql as $$
begin
  insert into pricing_changes (service_id, professional_id) select service_id, professional_id from old_rows;
  return null;
end $$;

create or replace function note_pro_moved() returns trigger language plpgsql as $$
begin
  insert into pricing_changes (city_id, professional_id) values (old.city_id, old.id);
  return coalesce(new, old);
end $$;

-- A listing counts only when it is priced the way its service is.
create or replace function note_service_priced() returns trigger language plpgsql as $$
begin
  insert into pricing_changes (service_id) values (new.id);
  return null;
end $$;

create or replace trigger price_deleted after delete on jobs for each row
  when (old.status = 'completed') execute function note_job_price();
create or replace trigger price_inserted after insert on jobs for each row
  when (new.status = 'completed') execute function note_job_price();
create or replace trigger price_updated after update of status, amount_cents, units on jobs for each row
  when ((old.status = 'completed' or new.status = 'completed')
    and (old.status, old.amount_cents, old.units) is distinct from (new.status, new.amount_cents, new.units))
  execute function note_job_price();
create or replace trigger prices_deleted after delete on professional_services
  referencing old table as old_rows for each statement execute function note_offers_deleted();
create or replace trigger prices_inserted after insert on professional_services
  referencing new table as new_rows for each statement execute function note_offers_inserted();
create or replace trigger prices_updated after update on professional_services
  referencing old table as old_rows new table as new_rows for each statement execute function note_offers_updated();
create or replace trigger prices_of_deleted before delete on professionals for each row execute function note_pro_moved();
create or replace trigger prices_of_moved before update of active, city_id on professionals for each row
  when (old.active is distinct from new.active or old.city_id is distinct from new.city_id)
  execute function note_pro_moved();
create or replace trigger price_deleted after delete on quotes for each row
  when (old.status = 'accepted') execute function note_quote_price();
create or replace trigger price_inserted after insert on quotes for each row
  when (new.status = 'accepted') execute function note_quote_price();
create or replace trigger price_updated after update of status, amount_cents, units, units_cents on quotes for each row
  when ((old.status = 'accepted' or new.status = 'accepted')
    and (old.status, old.amount_cents, old.units, old.units_cents)
      is distinct from (new.status, new.amount_cents, new.units, new.units_cents))
  execute function note_quote_price();
create or replace trigger prices_of_service after update of price_type, unit on services for each row
  when ((old.price_type, old.unit) is distinct from (new.price_type, new.unit))
  execute function note_service_priced();
