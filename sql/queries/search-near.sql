-- Pros of one facet around a point, nearest first: the page as JSON text, and the exact total.
-- $1 $2 $3 the point on the unit sphere · $4 flags that matter, $5 what they must be
-- $6 $7 ranges of places (from, to) for the trial radii, the asked one last · $8 $9 which ranges are a trial's (first,
-- last) · $10 the trials' squared chords
-- $11 $12 ranges of cells wholly inside the asked circle · $13 $14 ranges of places on its rim
-- $15 limit · $16 offset · $17 base URL
with trial as materialized (
  -- The first radius that holds the page: LIMIT 1 keeps the larger ones from being looked at.
  select first, last, chord2
  from unnest($8::integer[], $9::integer[], $10::float8[]) trial (first, last, chord2)
  where last = cardinality($6::bigint[]) or (
    select count(*)
    from unnest($6[first : last], ($7::bigint[])[first : last]) range (low, high)
    cross join lateral (
      select from pro_search_entry e
      where e.place between range.low and range.high and e.flags & $4::integer = $5::integer
        and search_chord2(e.x, e.y, e.z, $1::float8, $2::float8, $3::float8) <= trial.chord2
      offset 0
    ) hit
  ) >= $15::integer + $16::integer
  limit 1
), hits as materialized (
  select hit.professional_id, search_metres(hit.chord2) as metres
  from trial
  cross join lateral unnest($6[first : last], $7[first : last]) range (low, high)
  cross join lateral (
    select e.professional_id, search_chord2(e.x, e.y, e.z, $1, $2, $3) as chord2
    from pro_search_entry e
    where e.place between range.low and range.high and e.flags & $4 = $5
      and search_chord2(e.x, e.y, e.z, $1, $2, $3) <= trial.chord2
    offset 0
  ) hit
), page as (
  select professional_id, metres from hits order by metres, professional_id limit $15 offset $16
)
select
  case when (select last from trial) = cardinality($6) then (select count(*) from hits) else (
    select coalesce(sum((
      select sum(search_count(c.pros, c.verified, c.instant, c.verified_instant, $4, $5))
      from pro_search_cell c where c.cell between range.low and range.high
    )), 0) from unnest($11::bigint[], $12::bigint[]) range (low, high)
  ) + (
    select coalesce(sum((
      select count(*) from pro_search_entry e
      where e.place between range.low and range.high and e.flags & $4 = $5
        and search_chord2(e.x, e.y, e.z, $1, $2, $3) <= $10[cardinality($10)]
    )), 0) from unnest($13::bigint[], $14::bigint[]) range (low, high)
  ) end::integer as total,
  (
    select '[' || coalesce(string_agg(
      concat(p.doc, ',"distance":',
        round(page.metres / 1609.344 * 100) / 100,
        ',"profileUrl":"', $17::text, '/pros/', p.slug, '","bookingUrl":',
        case when p.flags & 2 = 2 then concat('"', $17, '/pros/', p.slug, '/book"}') else 'null}' end),
      ',' order by page.metres, page.professional_id), '') || ']'
    from page
    -- OFFSET 0 keeps this a look-up per row, whatever the planner believes about the page's length.
    cross join lateral (
      select doc, slug, flags from pro_search where professional_id = page.professional_id offset 0
    ) p
  ) as professionals
