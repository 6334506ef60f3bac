-- A package as the API shows it.
create or replace function package_object(package packages) returns json
  language plpgsql stable strict parallel safe as $$
begin
  return (
    select json_build_object(
      'id', package.id, 'sku', package.sku, 'kind', package.kind, 'name', package.name,
      'description', package.description, 'price', dollars(package.price_cents), 'currency', package.currency,
      'pricing', price_object('flat', package.price_cents, null, null, null, package.currency, 0),
      'includes', package.includes, 'cadence', package.cadence, 'durationMinutes', package.duration_minutes,
      'bedrooms', package.bedrooms, 'bathrooms', package.bathrooms,
      'location', json_build_object('city', c.name, 'state', c.state),
      'bookable', s.active and booking_obstacle(p, o, package.duration_minutes, true) is null,
      'service', json_build_object('id', s.id, 'name', s.name, 'slug', s.slug),
      'professional', json_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name,
        'verified', p.verified,
        'rating', trim_scale(round(p.rating_sum::numeric / nullif(p.review_count, 0), 2)),
        'reviewCount', p.review_count, 'instantBookingEnabled', has_bookable_service(p)),
      'updatedAt', iso_instant(package.updated_at))
    from professionals p join cities c on c.id = p.city_id join services s on s.id = package.service_id
    join professional_services o on o.professional_id = p.id and o.service_id = s.id
    where p.id = package.professional_id
  );
end $$;
