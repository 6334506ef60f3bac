// Mutants of the catalog as operators edit it.
import type { Mutant } from './mutant.ts'

const MERGE = 'src/features/catalog/entries/verbs/merge.ts'

export const CATALOG: readonly Mutant[] = [
  {
    guarantee: 'The names of a merged service keep its meaning until all offers are copied.',
    file: MERGE,
    from: 'if (part?.hasMore === true) return true',
    to: 'if (part?.hasMore === undefined) return true',
    killedBy: 'test/features/catalog/entries/many-pros.test.ts',
    tests: 'both names find all of their pros',
  },
  {
    guarantee: 'Search results keep a merged service until all processes know what its names mean.',
    file: MERGE,
    from: 'const HEARD_MS = 5000',
    to: 'const HEARD_MS = -1',
    killedBy: 'test/features/catalog/entries/merge.test.ts',
    tests: 'merged, its id',
  },
  {
    guarantee: 'A category that is being merged is found by its target, too.',
    file: 'sql/functions/search_pro_rows.sql',
    from: 'left join categories target on target.id = k.merged_into',
    to: 'left join categories target on target.id = k.merged_into and k.replaced_at is not null',
    killedBy: 'test/features/catalog/entries/catalog-oracle.test.ts',
    tests: 'beside changes|tables say',
  },
  {
    guarantee: 'A change of a service of many pros is done in parts.',
    file: 'sql/functions/search_changes.sql',
    from: 'if refreshed + cardinality(pros) > max_search_refresh() then',
    to: 'if refreshed > max_search_refresh() then',
    killedBy: 'test/features/catalog/entries/many-pros.test.ts',
    tests: 'renamed and retired',
  },
  {
    guarantee: 'A pro who offers both services keeps the price of the target.',
    file: 'sql/functions/merge_entries.sql',
    from: '  on conflict do nothing;',
    to: '  on conflict (professional_id, service_id) do update set base_price_cents = excluded.base_price_cents;',
    killedBy: 'test/features/catalog/entries/merge.test.ts',
  },
  {
    guarantee: 'The package of a merged service moves to the target.',
    file: 'sql/functions/merge_entries.sql',
    from: 'update packages k set service_id = into_id',
    to: 'update packages k set service_id = from_id',
    killedBy: 'test/features/catalog/entries/merge.test.ts',
  },
  {
    guarantee: 'The id of a merged service finds the target.',
    file: 'src/features/catalog/services/verbs/service-names.ts',
    from: '[id, slug, ...formerIds]',
    to: '[id, slug, ...formerIds.slice(1)]',
    killedBy: 'test/features/catalog/entries/merge.test.ts',
  },
  {
    guarantee: 'No pro begins to offer a service that is being merged.',
    file: 'src/features/business/offers/queries.sql',
    from: 'and active and merged_into is null for share',
    to: 'and active for share',
    killedBy: 'test/features/catalog/entries/merge.test.ts',
  },
]
