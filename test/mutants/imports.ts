// Mutants of imports of pros: what a second import changes, and whom it pauses.
import type { Mutant } from './mutant.ts'

const KILLED = 'test/features/business/pros/import.test.ts'

const UPLOADED = 'test/features/business/uploaded-imports/uploaded-imports.test.ts'

export const IMPORTS: readonly Mutant[] = [
  {
    guarantee: 'A process whose claim of an uploaded file has ended writes nothing more.',
    file: 'src/features/business/uploaded-imports/verbs/run.ts',
    from: '  if (!saved) throw new ClaimLost()',
    to: '',
    killedBy: UPLOADED,
    tests: 'whose claim has ended writes nothing more',
  },
  {
    guarantee: 'An import that was begun again counts what it did before.',
    file: 'src/features/business/uploaded-imports/verbs/run.ts',
    from: "status === 'running' && before ? joinedCounts(before, counts) : counts",
    to: 'counts',
    killedBy: UPLOADED,
    tests: 'another process goes on after a crash',
  },
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
    from: 'select professional_id from imported_pros where professional_id > :after order by professional_id limit',
    to: 'select id as professional_id from professionals where id > :after order by id limit',
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
  {
    guarantee: 'An operator starts no file that another one has sent and not described.',
    file: 'src/features/business/uploaded-imports/verbs/uploads.ts',
    from: 'found.by !== by || ',
    to: '',
    killedBy: UPLOADED,
    tests: 'another mistake',
  },
  {
    guarantee: 'The file of an import that is under way is not removed.',
    file: 'src/features/business/uploaded-imports/queries.sql',
    from: 'where kept_until <= :now and next_at is null order by',
    to: 'where kept_until <= :now order by',
    killedBy: UPLOADED,
    tests: 'whatever its age',
  },
  {
    guarantee: 'A process whose claim has ended says nothing of what it found.',
    file: 'src/features/business/uploaded-imports/queries.sql',
    from: 'kept_until = :kept_until\nwhere id = :id and claim = :claim\n\n-- name: saveFailed',
    to: 'kept_until = :kept_until\nwhere id = :id and :claim::uuid is not null\n\n-- name: saveFailed',
    killedBy: UPLOADED,
    tests: 'says nothing of the file',
  },
]
