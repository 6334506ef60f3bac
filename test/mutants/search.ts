// Mutants of what search is built on.
import type { Mutant } from './mutant.ts'

export const SEARCH: readonly Mutant[] = [
  {
    guarantee: 'A pro who is listed again gets the former search slot.',
    file: 'sql/functions/search_refresh.sql',
    from: "coalesce(r.slot, nextval('pro_search_slot_seq')::integer)",
    to: "coalesce(nextval('pro_search_slot_seq')::integer, r.slot)",
    killedBy: 'test/features/pros/search-slots.test.ts',
  },
  {
    guarantee: 'The slot of a pro who is not listed now is kept.',
    file: 'sql/functions/search_refresh.sql',
    from: 'from gone g join professionals p on p.id = g.professional_id;',
    to: 'from gone g join professionals p on p.id = g.professional_id and p.active;',
    killedBy: 'test/features/pros/search-slots.test.ts',
  },
]
