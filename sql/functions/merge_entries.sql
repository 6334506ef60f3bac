-- Merging a service: the offers are copied to the target in parts, while both are found; then the application retires the service, so
-- that its names mean the target, and continue_search_refresh removes it from the results.

-- Copies offers of one service to another, at most `at_most` in the caller's transaction, and returns whether more may follow. A pro
-- who offers both keeps the price of the target. A package moves, unless the pro has one of the target.
create or replace function copy_offers(from_id uuid, into_id uuid, at_most integer) returns boolean language plpgsql as $$
declare
  pros uuid[];
begin
  pros := array(
    select o.professional_id from professional_services o
    where o.service_id = from_id and (
        not exists (
          select from professional_services t where t.professional_id = o.professional_id and t.service_id = into_id)
        or exists (select from packages k where k.professional_id = o.professional_id and k.service_id = from_id)
          and not exists (
            select from packages t where t.professional_id = o.professional_id and t.service_id = into_id))
    order by o.professional_id limit at_most);
  -- First, as changes of a pro's offers do.
  perform from professionals where id = any (pros) order by id for no key update;
  insert into professional_services (professional_id, service_id, description, price_type, unit, base_price_cents,
    min_price_cents, max_price_cents, currency, duration_minutes, instant_book_enabled)
  select o.professional_id, into_id, o.description, o.price_type, o.unit, o.base_price_cents,
    o.min_price_cents, o.max_price_cents, o.currency, service_minutes(o, s), o.instant_book_enabled
  from professional_services o join services s on s.id = o.service_id
  where o.service_id = from_id and o.professional_id = any (pros)
  order by o.professional_id
  on conflict do nothing;
  update packages k set service_id = into_id
  where k.service_id = from_id and k.professional_id = any (pros) and not exists (
      select from packages t where t.professional_id = k.professional_id and t.service_id = into_id);
  return cardinality(pros) = at_most;
end $$;
