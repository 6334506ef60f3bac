-- Whether a place is within the pro's own service radius. Null without a place, and for test pros, who are found everywhere.
create or replace function in_service_area(pro professionals, at_latitude double precision, at_longitude double precision)
returns boolean language sql immutable parallel safe as $$
  select case when pro.test_account_id is null then
    search_reaches(pro.service_radius_miles, pro.latitude, pro.longitude, at_latitude, at_longitude) end
$$;
