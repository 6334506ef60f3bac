-- The peers' own tables: the fields of a search result, normalized as for an ORM, with the same pros. Rows are ordered by
-- location, as PostGIS's manual advises (CLUSTER on a spatial index), so that neighbours share pages here too.
create schema peer;

create table peer.services as
  select s.id, s.slug, s.name, k.name as category from public.services s join public.categories k on k.id = s.category_id
  where s.active;
alter table peer.services add primary key (id), add unique (slug);

create table peer.professionals as
  select p.id, p.slug, p.business_name, p.description, p.verified,
    trim_scale(round(p.rating_sum::numeric / nullif(p.review_count, 0), 2))::float8 as rating, p.review_count,
    p.instant_booking_enabled, c.name as city, c.state, p.latitude, p.longitude,
    st_point(p.longitude, p.latitude, 4326)::geography as location
  from public.professionals p join public.cities c on c.id = p.city_id
  where p.active
  order by st_point(p.longitude, p.latitude, 4326);
alter table peer.professionals add primary key (id), add unique (slug);
create index on peer.professionals using gist (location);

create table peer.professional_services as
  select ps.professional_id, ps.service_id,
    least(ps.min_price_cents, ps.base_price_cents, ps.max_price_cents) / 100.0::float8 as min_price,
    greatest(ps.min_price_cents, ps.base_price_cents, ps.max_price_cents) / 100.0::float8 as max_price
  from public.professional_services ps
  join peer.professionals p on p.id = ps.professional_id
  join peer.services s on s.id = ps.service_id
  order by ps.professional_id;
alter table peer.professional_services add primary key (professional_id, service_id);
create index on peer.professional_services (service_id, professional_id);

vacuum (analyze) peer.professionals, peer.professional_services, peer.services;
