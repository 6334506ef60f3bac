-- What holds for new bookings, searches and pros, until an operator chooses otherwise. Bookings and quotes keep what they
-- were made with.
alter table marketplace_versions
  add column radius_miles double precision not null default 25,
  add column fee_cents integer not null default 500,
  add column min_deposit_percentage numeric(5, 2) not null default 0.01,
  add column max_deposit_percentage numeric(5, 2) not null default 100,
  add column free_cancellation_hours integer not null default 24,
  add column hold_minutes integer not null default 15,
  add column pros_may_join boolean not null default false,
  add constraint marketplace_versions_radius check (radius_miles between 1 and 500),
  add constraint marketplace_versions_fee check (fee_cents = 0 or fee_cents between 50 and 100000),
  add constraint marketplace_versions_deposits
    check (min_deposit_percentage >= 0.01 and max_deposit_percentage between min_deposit_percentage and 100),
  add constraint marketplace_versions_free_cancellation check (free_cancellation_hours between 0 and 168),
  add constraint marketplace_versions_hold check (hold_minutes between 5 and 1440);
