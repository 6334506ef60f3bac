-- Every price of a service in cents per unit, by source: listings (1), accepted quotes (2), completed jobs (3). A listing
-- counts only with the price type of the service, because an hourly price does not compare to a flat one. Readers must
-- leave out listings of inactive pros.
drop function if exists price_points(uuid[]);
create or replace view price_points as
  select ps.service_id, ps.professional_id, 1::smallint as source,
    coalesce(ps.base_price_cents, (ps.min_price_cents + ps.max_price_cents) / 2.0)::double precision as cents
  from professional_services ps
  join services s on s.id = ps.service_id
  where ps.price_type = s.price_type and ps.unit is not distinct from s.unit
    and (ps.base_price_cents is not null or (ps.min_price_cents is not null and ps.max_price_cents is not null))
  union all
  select r.service_id, q.professional_id, 2::smallint, q.amount_cents / coalesce(q.units, 1)::double precision
  from quotes q
  join rfqs r on r.id = q.rfq_id
  join services s on s.id = r.service_id
  where q.status = 'accepted' and (q.units is not null or s.unit is null)
  union all
  select j.service_id, j.professional_id, 3::smallint, j.amount_cents / coalesce(j.units, 1)::double precision
  from jobs j
  join services s on s.id = j.service_id
  where j.status = 'completed' and (j.units is not null or s.unit is null);
