-- The rows of pro_search for these pros, without the slot. An inactive pro has no row.
create or replace function search_pro_rows(p_ids uuid[])
returns table (
  professional_id uuid, slug text, doc text, "position" geography, flags smallint, city_id integer, state smallint,
  standing bigint, facets smallint[], bookable smallint[], offers text[]
) language sql stable as $$
  select p.id, p.slug,
    concat('{"id":"', p.id, '","slug":"', p.slug, '","businessName":', to_json(p.business_name),
      ',"description":', coalesce(to_json(p.description)::text, 'null'),
      ',"verified":', p.verified::text,
      ',"verificationDetails":{"backgroundCheck":', p.background_check::text, ',"insurance":', p.insurance::text,
      ',"credentials":', p.credentials::text,
      '},"rating":', coalesce(trim_scale(round(p.rating_sum::numeric / nullif(p.review_count, 0), 2))::text, 'null'),
      ',"reviewCount":', p.review_count,
      ',"categories":[', offered.categories, '],"services":[', offered.services,
      '],"pricing":', case when offered.min_cents is null then 'null' else
        concat('{"min":', dollars(offered.min_cents), ',"max":', dollars(offered.max_cents), ',"currency":"', marketplace_currency(), '"}') end,
      ',"location":{"city":', to_json(c.name), ',"state":"', c.state,
      '","latitude":', p.latitude, ',"longitude":', p.longitude,
      '},"instantBookingEnabled":', (offered.bookable is not null)::text),
    st_point(p.longitude, p.latitude, 4326)::geography,
    search_flags(p.verified, offered.bookable is not null,
      search_reaches(p.service_radius_miles, p.latitude, p.longitude, c.latitude, c.longitude), p.service_radius_miles),
    p.city_id, st.ordinal, search_standing(p.rating_sum, p.review_count),
    coalesce(offered.facets, '{0}'), coalesce(offered.bookable, '{}'), coalesce(offered.offers, '{null}')
  from professionals p
  join cities c on c.id = p.city_id
  join states st on st.code = c.state
  left join (
    select pro.id as professional_id,
      string_agg(distinct to_json(k.name)::text, ',') as categories,
      string_agg(concat('{"id":"', s.id, '","name":', to_json(s.name), ',"slug":"', s.slug, '"}'), ','
        order by s.ordinal) as services,
      -- Prices of different units are not comparable: the range covers prices per visit only.
      min(least(ps.min_price_cents, ps.base_price_cents, ps.max_price_cents))
        filter (where ps.price_type = 'flat') as min_cents,
      max(greatest(ps.min_price_cents, ps.base_price_cents, ps.max_price_cents))
        filter (where ps.price_type = 'flat') as max_cents,
      array[0::smallint] || category_facets(array_agg(k.ordinal) || array_agg(target.ordinal))
        || array_agg(s.ordinal order by s.ordinal) as facets,
      case when bool_or(is_bookable) then array[0::smallint]
        || category_facets(array_agg(k.ordinal) filter (where is_bookable) || array_agg(target.ordinal) filter (where is_bookable))
        || array_agg(s.ordinal order by s.ordinal) filter (where is_bookable) end as bookable,
      -- Nulls for the facets before the services.
      array_fill(null::text, array[1 + cardinality(category_facets(array_agg(k.ordinal) || array_agg(target.ordinal)))])
        || array_agg(with_deposit(search_offer(ps, minutes, is_bookable), case when is_bookable then
          deposit_for(pro, coalesce(ps.base_price_cents, ps.min_price_cents)) end) order by s.ordinal) as offers
    from professionals pro
    join professional_services ps on ps.professional_id = pro.id
    join services s on s.id = ps.service_id and s.active
    join categories k on k.id = s.category_id
    -- A category that is being merged is found by either.
    left join categories target on target.id = k.merged_into
    cross join lateral (select service_minutes(ps, s) as minutes) length
    cross join lateral (select booking_obstacle(pro, ps, minutes) is null as is_bookable) obstacle
    where pro.id = any (p_ids)
    group by pro.id
  ) offered on offered.professional_id = p.id
  where p.active and p.id = any (p_ids)
$$;

-- Each ordinal once, in order.
create or replace function category_facets(ordinals smallint[]) returns smallint[] language sql immutable parallel safe as $$
  select array(select distinct o from unnest(ordinals) o where o is not null order by o)
$$;

-- What `matchedService` of a result says about an offer: JSON text after the service's names.
create or replace function search_offer(offer professional_services, minutes integer, is_bookable boolean) returns text
language sql stable parallel safe as $$
  select concat('"pricing":', offer_price(offer), ',"booking":{"durationMinutes":', minutes,
    ',"instantBookEnabled":', is_bookable::text, '}}')
$$;

-- The text of search_offer with the deposit as the last member of `booking`; unchanged without one.
create or replace function with_deposit(offer text, deposit_cents integer) returns text
language sql immutable parallel safe as $$
  select case when deposit_cents > 0 then concat(left(offer, -2), ',"deposit":', dollars(deposit_cents), '}}') else offer end
$$;

-- The entries of one row of pro_search: one per facet.
create or replace function search_entries(p_row pro_search) returns setof pro_search_entry
language sql immutable parallel safe as $$
  select search_place(f, at.latitude, at.longitude),
    (p_row).standing, (p_row).professional_id, (p_row).slot, (p_row).city_id, f, (p_row).state,
    (((p_row).flags & ~2) + 2 * (f = any ((p_row).bookable))::integer)::smallint,
    search_position(at.latitude, at.longitude)
  from (
    select st_y((p_row).position::geometry) as latitude, st_x((p_row).position::geometry) as longitude offset 0
  ) at
  cross join unnest((p_row).facets) f
$$;

-- The contribution of one row of pro_search to the counters: a row per counter.
create or replace function search_counts(p_row pro_search)
returns table (facet smallint, area integer, cell bigint, verified integer, instant integer)
language sql immutable parallel safe as $$
  select f, counter.area, counter.cell, (p_row).flags & 1, (f = any ((p_row).bookable))::integer
  from (
    select st_y((p_row).position::geometry) as latitude, st_x((p_row).position::geometry) as longitude offset 0
  ) at
  cross join unnest((p_row).facets) f
  cross join lateral (values
    (0, null::bigint), (-(p_row).state::integer, null), ((p_row).city_id, null),
    (null::integer, search_cell(f, 0::smallint, at.latitude, at.longitude)),
    (null, search_cell(f, 1::smallint, at.latitude, at.longitude))
  ) counter (area, cell)
$$;
