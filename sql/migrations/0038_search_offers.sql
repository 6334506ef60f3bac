-- Search answers for the service asked for: its price, its length, and whether it can be booked at once with each pro.
-- sql/functions/search_upgrade.sql fills the columns of existing rows.
alter table pro_search
  -- The facets with a service that can be booked at once (booking_obstacle); empty when the pro has none.
  add column bookable smallint[] not null default '{}',
  -- By position in `facets`: what matchedService says about the offer, as JSON text; null where the facet is no service.
  add column offers text[] not null default '{}';
alter table pro_search alter column offers set storage external;

-- Deposits, the longest interval of the hours and the usual length of a service decide what can be booked at once.
create or replace function search_pros_updated() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(
    select n.id from new_rows n join old_rows o on o.id = n.id
    where (n.slug, n.business_name, n.description, n.active, n.verified, n.city_id,
        n.latitude, n.longitude, n.review_count, n.rating_sum, n.instant_booking_enabled, n.deposit_required,
        n.longest_interval_minutes)
      is distinct from (o.slug, o.business_name, o.description, o.active, o.verified, o.city_id,
        o.latitude, o.longitude, o.review_count, o.rating_sum, o.instant_booking_enabled, o.deposit_required,
        o.longest_interval_minutes)));
  return null;
end $$;
create or replace function search_services_updated() returns trigger language plpgsql as $$
begin
  perform refresh_search(array(
    select distinct ps.professional_id
    from new_rows n join old_rows o on o.id = n.id join professional_services ps on ps.service_id = n.id
    where (n.ordinal, n.category_id, n.name, n.slug, n.active, n.duration_minutes)
      is distinct from (o.ordinal, o.category_id, o.name, o.slug, o.active, o.duration_minutes)));
  return null;
end $$;
