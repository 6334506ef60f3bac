// Which statements may be answered by a replica, and that only these can be.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { ReplicaPool } from '../../../src/platform/postgres/database.ts'
import { statementFile } from '../../../src/platform/postgres/statement-files.ts'
import { parseStatements } from '../../../src/platform/postgres/statements.ts'
import { ROOT, filesUnder, readSources } from '../../support/imports.ts'

/** What they show may be a second old. Keys, look-ups, own lists and everything else come from the primary. */
const MAY_BE_OLD = [
  'findLastSlot',
  'findNextOpenTimes',
  'findOpenSlots',
  'findProfessionalDetail',
  'findPublicProfile',
  'findServiceSlots',
  'searchNarrowed',
  'searchPage',
  'selectDepositTakers',
  'selectLogos',
  'selectPublicPictures',
  'selectReviewLines',
  'selectReviewsPage',
  'selectSlugs',
]

const sources = readSources(['src', 'workers']).filter(({ path }) => !path.startsWith('src/platform/postgres/'))

/** Each use of a ctx's pool for statements, with the function or the statement that runs it. */
const ofFiles = filesUnder('src')
  .filter((path) => path.endsWith('.sql'))
  .flatMap((path) =>
    parseStatements(readFileSync(join(ROOT, path), 'utf8')).map(({ name, on = '' }) => ({ path, pool: on, name })),
  )
const composed = sources.flatMap(({ path, text }) =>
  Array.from(text.matchAll(/\bctx\.(read|write|tx|replicas)\b/g), ({ index, 1: pool = '' }) => {
    const before = Array.from(text.slice(0, index).matchAll(/^(?:export )?(?:async )?(?:function\*? |const )(\w+)/gm))
    return { path, pool, name: before.at(-1)?.[1] ?? '' }
  }),
)
const uses = [...ofFiles, ...composed]

test('every statement names its pool, and only reads for the public may be answered by a replica', () => {
  expect(uses.length).toBeGreaterThan(400)
  const old = uses.filter(({ pool }) => pool === 'replicas')
  expect(old.map(({ name }) => name).toSorted()).toEqual(MAY_BE_OLD)
  expect(old.filter(({ path }) => !/\/queries(\/[^/]+)?\.(ts|sql)$/.test(path))).toEqual([])
})

test('no other code has the replicas run statements', () => {
  const direct = sources.filter(({ text }) => /(?<!ctx\.)\breplicas\.(run|prepared)\b/.test(text))
  expect(direct.map(({ path }) => path)).toEqual([])
})

/** Never runs: the compiler checks it. */
export function pairings(replicas: ReplicaPool): unknown[] {
  const fresh = statementFile('pro-analytics', 'fresh')
  return [
    // @ts-expect-error A statement file that must see the latest changes does not run on a replica.
    fresh.run(replicas, []),
  ]
}
