-- A property as the API shows it to its owner.
create or replace function property_object(property properties) returns json
  language sql stable parallel safe as $$
  select json_build_object(
    'id', property.id, 'name', property.name,
    'address', json_build_object(
      'street', property.street, 'city', property.city, 'state', property.state, 'zipCode', property.zip_code),
    'bedrooms', property.bedrooms, 'bathrooms', trim_scale(property.bathrooms),
    'areaSquareFeet', property.area_square_feet, 'accessNotes', property.access_notes,
    'createdAt', iso_instant(property.created_at), 'updatedAt', iso_instant(property.updated_at))
$$;
