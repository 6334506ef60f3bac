-- Pricing statistics per service and place, made by refresh_pricing() and read as they are.
create table pricing_aggregates (
  service_id uuid not null references services on delete cascade,
  -- '' and 0 stand for "anywhere": the three scopes are service, service + state, service + city.
  state text not null,
  city_id integer not null,
  average_cents integer not null,
  median_cents integer not null,
  min_cents integer not null,
  max_cents integer not null,
  professional_listings integer not null,
  accepted_quotes integer not null,
  completed_projects integer not null,
  -- The day on which one of these figures last changed.
  last_updated date not null,
  primary key (service_id, state, city_id),
  check (city_id = 0 or state <> ''),
  check (min_cents <= median_cents and median_cents <= max_cents)
);

create function notify_pricing() returns trigger language plpgsql as $$
begin
  perform pg_notify('pricing_changed', '');
  return null;
end $$;
create trigger pricing_changed after insert or update or delete on pricing_aggregates
  for each statement execute function notify_pricing();
