// Mutants of what search is built on.
import type { Mutant } from './mutant.ts'

export const SEARCH: readonly Mutant[] = [
  {
    guarantee: 'A pro who is listed again gets the former search slot.',
    file: 'sql/functions/search_refresh.sql',
    from: "coalesce(r.slot, nextval('pro_search_slot_seq')::integer)",
    to: "coalesce(nextval('pro_search_slot_seq')::integer, r.slot)",
    killedBy: 'test/features/search/pros/search-slots.test.ts',
  },
  {
    guarantee: 'The slot of a pro who is not listed now is kept.',
    file: 'sql/functions/search_refresh.sql',
    from: 'from gone g join professionals p on p.id = g.professional_id;',
    to: 'from gone g join professionals p on p.id = g.professional_id and p.active;',
    killedBy: 'test/features/search/pros/search-slots.test.ts',
  },
  {
    guarantee: 'A change of a counter does not wait for another transaction that changes it.',
    file: 'sql/functions/search_refresh.sql',
    from: 'for update of a skip locked',
    to: 'for update of a',
    killedBy: 'test/features/search/pros/search-counters.test.ts',
  },
  {
    guarantee: 'A change of a counter joins the rows that no other transaction holds.',
    file: 'sql/functions/search_refresh.sql',
    from: 'join pro_search_area a on a.area = changed.area and a.facet = changed.facet',
    to: 'join pro_search_area a on a.area = changed.area and a.facet = changed.facet and a.pros > 0',
    killedBy: 'test/features/search/pros/search-counters.test.ts',
  },
  {
    guarantee: 'The rows of a counter that are replaced count.',
    file: 'sql/functions/search_refresh.sql',
    from: 'from (select * from replaced union all select * from unnest(cells)) part',
    to: 'from (select * from replaced where pros > 1 union all select * from unnest(cells)) part',
    killedBy: 'test/features/search/pros/search.test.ts',
  },
  {
    guarantee: 'A search with a highest price finds pros at that price.',
    file: 'sql/queries/search-narrowed.sql',
    from: 'price.cents <= $10',
    to: 'price.cents < $10',
    killedBy: 'test/features/search/pros/narrowed-search.test.ts',
  },
  {
    guarantee: 'A search with a lowest rating finds pros of that rating.',
    file: 'sql/queries/search-narrowed.sql',
    from: '    ) >= $11)',
    to: '    ) > $11)',
    killedBy: 'test/features/search/pros/narrowed-search.test.ts',
  },
  {
    guarantee: 'A search for open times before an instant leaves out those that begin at it.',
    file: 'sql/queries/search-narrowed.sql',
    from: 'opens_at < $12',
    to: 'opens_at <= $12',
    killedBy: 'test/features/search/pros/narrowed-search.test.ts',
  },
  {
    guarantee: 'Three prices of a pro for a service count of each kind, the latest.',
    file: 'sql/functions/price_points.sql',
    from: 'where n.nth <= 3',
    to: 'where n.nth <= 30',
    killedBy: 'test/features/catalog/pricing/price-rules.test.ts',
    tests: 'latest three',
  },
]
