// Which statements may be answered by a replica, and that only these can be.
import { expect, test } from 'bun:test'

import { findKeyByHash } from '../../../src/auth/keys/queries/keys.ts'
import { searchPros } from '../../../src/features/pros/queries/search.ts'
import type { ReadPool, ReplicaPool } from '../../../src/platform/postgres/database.ts'
import { statementFile } from '../../../src/platform/postgres/statement-files.ts'
import { readSources } from '../../support/imports.ts'

/** What they show may be a second old. Keys, look-ups, own lists and everything else come from the primary. */
const MAY_BE_OLD = [
  'findLastSlot',
  'findNextOpenTimes',
  'findOpenSlots',
  'findProfessionalDetail',
  'findPublicProfile',
  'findServiceSlots',
  'searchNarrowed',
  'searchPros',
  'selectDepositTakers',
  'selectReviewsPage',
  'selectSlugs',
]

const queries = readSources(['src', 'workers']).filter(({ path }) => !path.startsWith('src/platform/postgres/'))

/** Each exported or local function that takes a pool or transaction, with the type of that parameter. */
const statements = queries.flatMap(({ path, text }) =>
  Array.from(
    text.matchAll(
      /(?:function\*? |const )(\w+)[^\n]*?\(\s*(?:db|tx|read|write|on|runner): (LaggingRunner|Runner|Transaction|WritePool|ReadPool)\b/g,
    ),
    ([, name = '', type = '']) => ({ path, name, type }),
  ),
)

test('every statement says whether its answer may be old, and only reads for the public do', () => {
  expect(statements.length).toBeGreaterThan(200)
  const old = statements.filter(({ type, name }) => type === 'LaggingRunner' && name !== 'run')
  expect(old.map(({ name }) => name).toSorted()).toEqual(MAY_BE_OLD)
})

test('the pool of replicas is passed to functions, whose parameter says that the answer may be old', () => {
  const direct = queries.filter(({ text }) => /\breplicas\.(run|prepared)\b/.test(text))
  expect(direct.map(({ path }) => path)).toEqual([])
})

/** Never runs: the compiler checks it. */
export function pairings(replicas: ReplicaPool, read: ReadPool): unknown[] {
  const fresh = statementFile('pro-analytics', 'fresh')
  const search: Parameters<typeof searchPros>[1] = { facet: 0, radiusMiles: 1, limit: 1, offset: 0, baseUrl: '' }
  return [
    searchPros(replicas, search),
    searchPros(read, search),
    findKeyByHash(read, Buffer.of()),
    // @ts-expect-error A replica may not know that the key is revoked.
    findKeyByHash(replicas, Buffer.of()),
    // @ts-expect-error A statement file that must see the latest changes does not run on a replica.
    fresh.run(replicas, []),
  ]
}
