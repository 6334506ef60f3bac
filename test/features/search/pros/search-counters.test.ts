// Changes of different pros do not wait for each other, and every total of search stays exact meanwhile.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type SearchQuery, toStatement } from '../../../../src/features/search/pros/queries/search.ts'
import type { Sql } from '../../../../src/platform/postgres/database.ts'
import { cloneDatabase, testSql } from '../../../support/database.ts'
import { CITIES, differencesFromRebuilt, insertMarketplace, searchByReference } from '../../../support/search.ts'

const WRITERS = 6

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Sql
let writers: Awaited<ReturnType<Sql['reserve']>>[]
let ids: string[]

beforeAll(async () => {
  clone = await cloneDatabase('migrated')
  sql = testSql(clone.url, WRITERS + 2)
  await insertMarketplace(sql, 1500)
  // Pros of one place: all their counters are the same.
  await sql`
    update professionals p set city_id = o.city_id, latitude = o.latitude, longitude = o.longitude
    from professionals o where o.id = md5('pro1')::uuid and p.id in (select md5('pro' || n)::uuid from generate_series(1, 40) n)`
  await sql`update professionals set active = true, status = 'active' where id in (select md5('pro' || n)::uuid from generate_series(1, 40) n)`
  ids = Array.from({ length: WRITERS }, (_, n) => `pro${n + 1}`)
  writers = await Promise.all(Array.from({ length: WRITERS }, () => sql.reserve()))
  for (const writer of writers) await writer`set lock_timeout = '500ms'`
}, 60_000)

afterAll(async () => {
  for (const writer of writers) writer.release()
  await sql.end()
  await clone.drop()
})

type Connection = Pick<Sql, 'unsafe'>

/** Everywhere, in a state, in a city and around a point; all, verified and bookable pros. */
const queries = CITIES.slice(0, 4).flatMap(({ id, state, lat, lng }): SearchQuery[] =>
  [{}, { verified: true }, { instantBook: true }, { verified: true, instantBook: false }].flatMap((flags) =>
    [{}, { state }, { cityIds: [id] }, { point: { lat, lng } }].map((place) => ({
      facet: 0,
      radiusMiles: 25,
      limit: 5,
      offset: 0,
      baseUrl: 'https://hearth.example',
      ...place,
      ...flags,
    })),
  ),
)

/** Compares the totals that this connection sees with the base tables that it sees. */
async function expectExactTotals(connection: Connection): Promise<void> {
  for (const query of queries) {
    const { statement, parameters } = toStatement(query)
    const [row] = await connection.unsafe<{ total: number }[]>(statement.text, parameters as never[])
    const reference = await searchByReference(connection as Sql, query)
    expect({ query, total: row?.total }).toEqual({ query, total: reference.length })
  }
}

test('open transactions that change different pros of one place do not wait, and every one sees exact totals', async () => {
  for (const [n, writer] of writers.entries()) {
    await writer`begin`
    await writer`update professionals set verified = not verified where id = md5(${ids[n] ?? ''})::uuid`
    await writer`
      update professionals set active = not active, status = case when active then 'paused' else 'active' end where id = md5(${`pro${n + 11}`})::uuid`
  }
  await Promise.all([expectExactTotals(sql), ...writers.map(expectExactTotals)])
  for (const [n, writer] of writers.entries()) {
    await writer.unsafe(n % 3 === 2 ? 'rollback' : 'commit')
    await expectExactTotals(sql)
  }
  expect(await mostRows()).toBeLessThanOrEqual(WRITERS)
}, 60_000)

test('the next change of a counter joins the rows that others left', async () => {
  const [writer] = writers
  expect(await mostRows()).toBeGreaterThan(1)
  await writer?.unsafe(
    `update professionals set active = not active, status = case when active then 'paused' else 'active' end where id = md5('pro20')::uuid`,
  )
  expect(await rowsEverywhere()).toBe(1)
  await expectExactTotals(sql)
}, 30_000)

test('a process that dies in a transaction leaves exact totals', async () => {
  const dying = testSql(clone.url, 1)
  const [own] = await dying<{ pid: number }[]>`select pg_backend_pid() as pid`
  const dead = dying
    .begin(async (tx) => {
      await tx`update professionals set verified = not verified where id = md5('pro1')::uuid`
      await sql`update professionals set verified = not verified where id = md5('pro2')::uuid`
      await sql`select pg_terminate_backend(${own?.pid ?? 0})`
      await tx`select 1`
    })
    .catch(String)
  expect(await dead).toMatch(/terminating|CONNECTION|closed/i)
  await dying.end()
  await expectExactTotals(sql)
}, 30_000)

test('many writers at once leave the counters of a rebuild, whatever they undo', async () => {
  const rounds = writers.map(async (writer, n) => {
    for (let round = 0; round < 25; round++) {
      await writer`begin`
      await writer`
        update professionals set verified = not verified, active = not active, status = case when active then 'paused' else 'active' end
        where id = md5(${`pro${1 + n + WRITERS * (round % 5)}`})::uuid`
      await writer.unsafe((n + round) % 4 === 0 ? 'rollback' : 'commit')
    }
  })
  // Each statement of this transaction has the same snapshot.
  await Promise.all([...rounds, sql.begin('isolation level repeatable read', expectExactTotals)])
  await expectExactTotals(sql)
  expect(await differencesFromRebuilt(sql)).toEqual([])
}, 60_000)

/** The most rows that a counter has. */
async function mostRows(): Promise<number> {
  const [row] = await sql<{ most: number }[]>`
    select max(rows)::integer as most from (
      select count(*) as rows from pro_search_cell group by cell
      union all select count(*) from pro_search_area group by area, facet) counter`
  return row?.most ?? 0
}

/** Rows of the counter of all pros. */
async function rowsEverywhere(): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    select count(*)::integer as rows from pro_search_area where area = 0 and facet = 0`
  return row?.rows ?? 0
}
