-- One page of the approved reviews of an active pro, with the statistics of all: one row, or none for an unknown pro.
-- $1 pro id · $2 order: recent | rating_high | rating_low | helpful · $3 limit · $4 offset · $5 test account, or null
-- $6 only reviews with so many stars, with an order by rating; or null
-- Each order has its own index, and branches of other orders are never executed. The orders by rating concatenate the
-- newest reviews of each rating, so that both share one index.
select coalesce(case when $6::int is null then s.rated_1 + s.rated_2 + s.rated_3 + s.rated_4 + s.rated_5
    else (array[s.rated_1, s.rated_2, s.rated_3, s.rated_4, s.rated_5])[$6] end, 0) as total,
  review_stats_object(s)::text as stats,
  (
    select coalesce(json_agg(review_object(page.r, w.name) order by page.place), '[]')::text
    from (
      select r, row_number() over () as place from (
        (select r from reviews r
        where $2 = 'recent' and r.professional_id = p.id and r.status = 'approved'
        order by r.created_at desc, r.id desc limit $3 offset $4)
        union all
        (select r from reviews r
        where $2 = 'helpful' and r.professional_id = p.id and r.status = 'approved'
        order by r.helpful_yes - r.helpful_no desc, r.created_at desc, r.id desc limit $3 offset $4)
        union all
        (select rated.r
        from (
          select step from generate_series(1, 5) step
          where $6 is null or $6 = case $2 when 'rating_low' then step else 6 - step end
        ) steps
        cross join lateral (
          select r from reviews r
          where r.professional_id = p.id and r.status = 'approved'
            and r.rating = case $2 when 'rating_low' then step else 6 - step end
          order by r.created_at desc, r.id desc limit $3 + $4
        ) rated
        where $2 in ('rating_high', 'rating_low')
        order by step, (rated.r).created_at desc, (rated.r).id desc limit $3 offset $4)
      ) chosen
    ) page
    left join jobs j on j.professional_id = p.id and j.id = (page.r).job_id
    left join services w on w.id = j.service_id
  ) as reviews
from professionals p
left join review_stats s on s.professional_id = p.id
where p.id = $1 and is_visible(p.active, p.test_account_id, $5::uuid)
