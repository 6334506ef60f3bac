// Thousands of pros are imported, changed and imported again while searches run: every total equals the tables at every moment.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { importPros } from '../../../../src/features/business/imports/verbs/import-pros.ts'
import { type SearchQuery, toStatement } from '../../../../src/features/search/pros/queries/search.ts'
import { seed } from '../../../../src/local/seed/seed.ts'
import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT, testSql } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { differencesFromRebuilt, searchByReference } from '../../../support/search.ts'

const PROS = 10_000
const SECONDS = 60

const app = await opened(openTestApp('migrated'))
const sql = await opened(testSql(app.databaseUrl, 4), 'end')
await seed(sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })

const PLACES = ['Columbus, OH', 'Austin, TX', '43215', 'Dublin, OH', 'Portland, OR']
const SERVICES = ['plumber: 95/hour', 'electrician: 80-140', 'house cleaning: 120', 'Lawn mowing']

const row = (n: number, { price = 95, name = `Import Works ${n}` } = {}) =>
  [
    `t-${n}`,
    name,
    `owner${n}@import.example`,
    PLACES[n % PLACES.length],
    String(10 + (n % 40)),
    `plumber: ${price}/hour; ${SERVICES[1 + (n % 3)]}`,
  ].map((value) => `"${value}"`)

async function* fileOf(rows: Iterable<string[]>) {
  yield Buffer.from('external_id,business,email,place,radius,services\n')
  for (const values of rows) yield Buffer.from(`${values.join(',')}\n`)
}

const importRows = (rows: Iterable<string[]>, options: { pausesMissing?: boolean } = {}) =>
  importPros(ctxOf(app.deps), {
    file: fileOf(rows),
    by: null,
    isDryRun: false,
    pausesMissing: false,
    status: 'active',
    invitesPerMinute: null,
    onRefused: (line) => expect(line).toBeUndefined(),
    ...options,
  })

const [ohio] = await sql<{ ordinal: number }[]>`select ordinal from states where code = 'OH'`
const QUERIES: SearchQuery[] = [
  {},
  { state: ohio?.ordinal ?? 0 },
  { point: { lat: 39.9612, lng: -82.9988 } },
  { point: { lat: 30.2672, lng: -97.7431 } },
].map((place) => ({ facet: 0, radiusMiles: 25, limit: 5, offset: 0, baseUrl: 'https://hearth.example', ...place }))

/** Compares totals in one snapshot, until the work ends. */
async function whileSearching<T>(work: Promise<T>): Promise<T> {
  let isOver = false
  let searches = 0
  const done = work.finally(() => (isOver = true))
  do {
    await sql.begin('isolation level repeatable read read only', async (snapshot) => {
      for (const query of QUERIES) {
        const { statement, parameters } = toStatement(query)
        const [found] = await snapshot.unsafe<{ total: number }[]>(statement.text, parameters as never[])
        const reference = await searchByReference(snapshot as unknown as typeof sql, query)
        expect({ query, total: found?.total }).toEqual({ query, total: reference.length })
        searches++
      }
    })
  } while (!isOver)
  expect(searches).toBeGreaterThan(0)
  return await done
}

const numbers = Array.from({ length: PROS }, (_, n) => n)
const countsOf = async (work: ReturnType<typeof importRows>) => (await whileSearching(work)).counts

test('imports and changes keep every total of search exact, in less than a minute', async () => {
  const startedMs = performance.now()
  expect(await countsOf(importRows(numbers.map((n) => row(n))))).toMatchObject({ created: PROS, refused: 0 })
  expect((performance.now() - startedMs) / 1000).toBeLessThan(SECONDS)
  expect(await differencesFromRebuilt(sql)).toEqual([])

  expect(await countsOf(importRows(numbers.map((n) => row(n))))).toMatchObject({
    created: 0,
    changed: 0,
    unchanged: PROS,
  })
  const changed = numbers.slice(1).map((n) => row(n, n % 10 === 0 ? { price: 111, name: `Renamed Works ${n}` } : {}))
  expect(await countsOf(importRows(changed, { pausesMissing: true }))).toMatchObject({
    created: 0,
    changed: PROS / 10 - 1,
    unchanged: PROS - PROS / 10,
    paused: 1,
  })
  expect(await differencesFromRebuilt(sql)).toEqual([])
  const [priced] = await sql<{ n: number }[]>`
    select count(*)::int as n from professional_services where base_price_cents = 11100 and price_type = 'hourly'`
  expect(priced?.n).toBe(PROS / 10 - 1)
}, 180_000)
