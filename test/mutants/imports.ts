// Mutants of imports of pros: what a second import changes, and whom it pauses.
import type { Mutant } from './mutant.ts'

const KILLED = 'test/features/business/pros/import.test.ts'

export const IMPORTS: readonly Mutant[] = [
  {
    guarantee: 'A second import changes only what the file says otherwise, and leaves the edits of pros.',
    file: 'src/features/business/imports/verbs/plan-lines.ts',
    from: "text === (before?.[column] ?? '') ? [] : column",
    to: "text === '' ? [] : column",
    killedBy: KILLED,
    tests: 'leaves the edits of pros',
  },
  {
    guarantee: 'Services that the file writes as before stay as the pro has them.',
    file: 'src/features/business/imports/verbs/plan-lines.ts',
    from: 'former.get(offer.serviceId)?.written !== written',
    to: 'true || former.get(offer.serviceId)?.written !== written',
    killedBy: 'test/features/business/pros/import.test.ts',
    tests: 'one service of a cell',
  },
  {
    guarantee: 'An import pauses only pros of imports.',
    file: 'src/features/business/imports/queries.sql',
    from: 'from imported_pros i join professionals p on',
    to: 'from professionals p left join imported_pros i on',
    killedBy: KILLED,
    tests: 'pauses only pros of imports',
  },
  {
    guarantee: 'A pro whose line is refused is not missing.',
    file: 'src/features/business/imports/verbs/import-pros.ts',
    from: 'if (given.externalId && !this.#ids.has(given.externalId)) this.#ids',
    to: 'if (given.externalId && faults.length === 0 && !this.#ids.has(given.externalId)) this.#ids',
    killedBy: KILLED,
    tests: 'pauses only pros of imports',
  },
]
