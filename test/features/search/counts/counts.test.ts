// Searches are counted by day and way, and what they asked for in vain by service or words and place: never by a request itself.
import { describe, expect, test } from 'bun:test'

import { NodeSDK } from '@opentelemetry/sdk-node'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'

import { createApp } from '../../../../src/app.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { PUBLIC } from '../../../../src/auth/caller.ts'
import { listMisses, searchCountsOf } from '../../../../src/features/search/counts/verbs/counts.ts'
import { findPros } from '../../../../src/features/search/pros/verbs/search.ts'
import { createKeyInMode } from '../../../../src/features/upkeep/test-mode/verbs.ts'
import { deleteOldRows } from '../../../../src/features/upkeep/retention/verbs.ts'
import { CUSTOMER_SERVER, callTool } from '../../../support/agents.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { startServer } from '../../../support/server.ts'
import { Visitor, loggedInVisitor } from '../../../support/visitor.ts'

const app = await opened(openTestApp())
const { sql } = app
const counts = searchCountsOf(app.deps)
const guest = new Visitor(app)
const DAY_MS = 86_400_000
const TODAY = app.deps.clock.now().toISOString().slice(0, 10)
/** Far from all pros. */
const NOWHERE = { lat: '71.2', lng: '-156.7' }

type Row = readonly [kind: string, phrase: string, place: string, times: number]

const storedDays = async () =>
  Object.fromEntries(
    (
      await sql<{ way: string; searches: number; misses: number }[]>`
        select way, searches::int, misses::int from search_days where day = ${TODAY}::date`
    ).map(({ way, searches, misses }) => [way, [searches, misses]]),
  )

const storedMisses = async (day = TODAY): Promise<Row[]> =>
  (
    await sql<{ kind: string; phrase: string; place: string; times: number }[]>`
      select kind, phrase, place, times::int from search_misses where day = ${day}::date order by kind, phrase, place`
  ).map(({ kind, phrase, place, times }) => [kind, phrase, place, times])

async function startAnew(): Promise<void> {
  await counts.flush()
  await sql`truncate search_days, search_misses`
}

const query = (terms: Record<string, string>) => new URLSearchParams(terms).toString()
const openPage = async (terms: Record<string, string>, headers: Record<string, string> = {}) => {
  const { status } = await guest.get(`/?${query(terms)}`, { accept: 'text/html', ...headers })
  expect(status).toBe(200)
}
const askApi = async (terms: Record<string, string>, init: { key?: string; method?: string } = {}) => {
  const { status } = await app.send(`/api/v1/pros?${query(terms)}`, init)
  expect(status).toBe(200)
}
const agentKey = await app.key(['mcp:read'])
const askAgent = async (args: object) => {
  const { isError } = await callTool(app, CUSTOMER_SERVER, agentKey, 'search_pros', args)
  expect(isError).toBe(false)
}

test('a day of searches on pages, by programs and by agents is counted, each first page once', async () => {
  await startAnew()
  const nearest = await sql<{ name: string }[]>`
    select name || ', ' || state as name from cities
    order by (latitude - 71.2) ^ 2 + ((longitude + 156.7) * cos(radians(71.2))) ^ 2 limit 1`
  const { secret: testKey } = await createKeyInMode(ctxOf(app.deps), {
    ownerEmail: 'tester@test.example',
    scopes: ['pros:read'],
    name: 'test',
    mode: 'test',
    rateMultiplier: 10_000,
  })
  await openPage({ service: 'plumbing', place: 'Austin, TX' })
  await openPage({ service: 'plumbing', place: 'Austin, TX', offset: '20' })
  await openPage({ service: 'plumbing', place: 'Austin, TX' }, { 'sec-purpose': 'prefetch' })
  await openPage(
    { service: 'plumbing', place: 'Austin, TX' },
    { 'user-agent': 'Mozilla/5.0 (compatible; search-bot/2.1)' },
  )
  await openPage({})
  await openPage({ service: 'Xylophone  Zeppelins!', place: 'Austin, TX' })
  await openPage({ service: 'plumbing', ...NOWHERE })
  await openPage({ service: 'plumbing', ...NOWHERE, verified: 'on' })
  await openPage(NOWHERE)
  await askApi({ q: 'plumber in austin tx' })
  await askApi({ q: 'xylophone zeppelins in austin tx' })
  await askApi({ service: 'plumbing', ...NOWHERE })
  await askApi({ service: 'plumbing', ...NOWHERE, radius: '1' })
  await askApi({ service: 'xylophone 5551234', place: 'Austin, TX' })
  await askApi({ service: 'me@xylophone.example' })
  await askApi({})
  await askApi({ service: 'plumbing' }, { key: testKey })
  await askAgent({ service: 'plumbing', place: 'Austin, TX' })
  await askAgent({ service: 'plumbing', lat: 71.2, lng: -156.7 })
  await askAgent({ service: 'plumbing', lat: 71.2, lng: -156.7, sort: 'rating' })
  await askAgent({ service: 'plumbing', lat: 71.2, lng: -156.7, date: TODAY })
  await askAgent({ service: 'plumbing', place: 'Austin, TX', offset: 5 })
  await counts.flush()
  expect(await storedDays()).toEqual({ pages: [5, 3], api: [6, 4], agents: [4, 2] })
  const place = nearest[0]?.name ?? ''
  expect(await storedMisses()).toEqual([
    ['any', '', place, 1],
    ['other', '', '', 1],
    ['other', '', 'Austin, TX', 1],
    ['service', 'Plumbing', place, 4],
    ['typed', 'xylophone zeppelins', 'Austin, TX', 2],
  ])
}, 60_000)

describe('what many different searches leave', () => {
  test('a process holds a bounded number, and counts the others together', async () => {
    await startAnew()
    for (let n = 0; n < 700; n++)
      counts.record({ way: 'api', miss: { kind: 'typed', phrase: `word ${lettersOf(n)}`, place: '' } })
    await counts.flush()
    const rows = await storedMisses()
    expect(rows).toHaveLength(501)
    expect(rows.find(([kind]) => kind === 'other')).toEqual(['other', '', '', 200])
    expect(rows.reduce((sum, [, , , times]) => sum + times, 0)).toBe(700)
  })

  test('a day has a bounded number of rows of a kind, and those that it has go on counting', async () => {
    await startAnew()
    for (let batch = 0; batch < 4; batch++) {
      for (let n = 0; n < 400; n++)
        counts.record({ way: 'api', miss: { kind: 'typed', phrase: `word ${lettersOf(400 * batch + n)}`, place: '' } })
      await counts.flush()
    }
    counts.record({ way: 'api', miss: { kind: 'typed', phrase: `word ${lettersOf(0)}`, place: '' } })
    counts.record({ way: 'api', miss: { kind: 'service', phrase: 'Plumbing', place: '' } })
    await counts.flush()
    const rows = await storedMisses()
    expect(rows.filter(([kind]) => kind === 'typed')).toHaveLength(1000)
    expect(rows.find(([kind]) => kind === 'other')).toEqual(['other', '', '', 600])
    expect(rows.find(([, phrase]) => phrase === `word ${lettersOf(0)}`)?.[3]).toBe(2)
    expect(rows.find(([kind]) => kind === 'service')).toEqual(['service', 'Plumbing', '', 1])
    expect(await storedDays()).toEqual({ api: [1602, 1602] })
  })
})

/** A number in letters, because words with digits are not kept. */
const lettersOf = (n: number): string =>
  String(n).replaceAll(/\d/g, (digit) => String.fromCodePoint(97 + Number(digit)))

test('concurrent processes lose no count', async () => {
  await startAnew()
  const processes = Array.from({ length: 6 }, () => searchCountsOf({ ...app.deps }))
  for (let round = 0; round < 10; round++) {
    for (const [at, one] of processes.entries())
      for (const phrase of at % 2 ? ['a', 'b', 'c'] : ['c', 'b', 'a'])
        one.record({ way: 'pages', miss: { kind: 'typed', phrase, place: '' } })
    await Promise.all(processes.map((one) => one.flush()))
  }
  expect(await storedDays()).toEqual({ pages: [180, 180] })
  expect((await storedMisses()).map(([, , , times]) => times)).toEqual([60, 60, 60])
})

test('a database that takes no writes fails and delays no search, and the counts are written once later', async () => {
  await startAnew()
  let isUnavailable = true
  const { promise: answer, resolve: giveUp } = Promise.withResolvers<void>()
  const write = {
    ...app.deps.write,
    run: (async (...args) => {
      if (!isUnavailable) return await app.deps.write.run(...args)
      await answer
      throw new Error('The database is unavailable.')
    }) as typeof app.deps.write.run,
  }
  const deps = { ...app.deps, write }
  const cut = createApp(deps)
  const search = async () => {
    const response = await cut.handle(
      new Request(`${deps.config.baseUrl}/?${query({ service: 'plumbing', ...NOWHERE })}`),
    )
    expect(response.status).toBe(200)
  }
  await search()
  const flushed = searchCountsOf(deps).flush()
  // The write hangs all the while.
  await search()
  await search()
  giveUp()
  await flushed
  expect(await storedDays()).toEqual({})
  isUnavailable = false
  await searchCountsOf(deps).flush()
  await searchCountsOf(deps).flush()
  expect(await storedDays()).toEqual({ pages: [3, 3] })
  expect((await storedMisses()).map(([kind, , , times]) => [kind, times])).toEqual([['service', 3]])
})

test('a server writes the remaining counts when it stops', async () => {
  const server = await startServer({ databaseUrl: app.databaseUrl })
  const total = async () =>
    (
      await sql<
        { total: number }[]
      >`select coalesce(sum(searches), 0)::int as total from search_days where way = 'pages'`
    )[0]?.total ?? Number.NaN
  const before = await total()
  for (let n = 0; n < 7; n++) expect((await fetch(`${server.url}/?service=plumbing`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
  expect((await total()) - before).toBe(7)
}, 60_000)

test('a counted search runs the statements of one that is not counted', async () => {
  const ran: string[] = []
  const note: SpanProcessor = {
    onStart: () => undefined,
    onEnd: ({ attributes, name }) => {
      if (attributes['db.system.name'] !== undefined) ran.push(name)
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  }
  new NodeSDK({
    autoDetectResources: false,
    metricReaders: [],
    logRecordProcessors: [],
    spanProcessors: [note],
  }).start()
  const statementsOf = async (countedAs?: 'api') => {
    ran.length = 0
    await findPros(ctxOf(app.deps, PUBLIC), { service: 'plumbing', lat: 71.2, lng: -156.7, countedAs })
    return [...ran]
  }
  await statementsOf()
  const uncounted = await statementsOf()
  expect(uncounted).not.toEqual([])
  expect(await statementsOf('api')).toEqual(uncounted)
})

test('what was searched for in vain is deleted after 90 days', async () => {
  await startAnew()
  await sql`
    insert into search_misses (day, kind, phrase, place, times)
    select ${TODAY}::date - n, 'typed', 'xylophone', '', 1 from generate_series(80, 100) n`
  await deleteOldRows(ctxOf(app.deps), { table: 'search_misses', limit: 10_000 })
  const [left] = await sql<{ oldest: string }[]>`select min(day)::text as oldest from search_misses`
  expect([dayBefore(90), dayBefore(89)]).toContain(left?.oldest ?? '')
})

const dayBefore = (days: number) => new Date(Date.parse(TODAY) - days * DAY_MS).toISOString().slice(0, 10)

test('typed words are shown once they were searched for on three days, names of the catalog at once', async () => {
  await startAnew()
  await sql`
    insert into search_misses (day, kind, phrase, place, times) values
      (${TODAY}, 'typed', 'secret of one person', 'Austin, TX', 900), (${dayBefore(1)}, 'typed', 'secret of one person', 'Austin, TX', 900),
      (${TODAY}, 'typed', 'xylophone', 'Austin, TX', 2), (${dayBefore(1)}, 'typed', 'xylophone', 'Austin, TX', 1),
      (${dayBefore(9)}, 'typed', 'xylophone', 'Austin, TX', 4), (${TODAY}, 'service', 'Plumbing', 'Waco, TX', 1),
      (${dayBefore(40)}, 'service', 'Roofing', '', 5), (${TODAY}, 'other', '', '', 50)`
  const expected = [
    { kind: 'typed', phrase: 'xylophone', place: 'Austin, TX', times: 7, last: TODAY },
    { kind: 'service', phrase: 'Plumbing', place: 'Waco, TX', times: 1, last: TODAY },
  ]
  const list = (first: string) => listMisses(ctxOf(app.deps), { first })
  expect(await list(dayBefore(29))).toEqual(expected as never)
  expect((await list(dayBefore(300))).map(({ phrase }) => phrase)).toEqual(['xylophone', 'Roofing', 'Plumbing'])
  await sql`insert into search_days (day, way, searches, misses) values (${TODAY}, 'pages', 9, 9)`
  const { text } = await (await loggedInVisitor(app, 'operator')).get('/console/growth')
  expect(text).toContain('href="/?service=xylophone&amp;place=Austin%2C+TX"')
  expect(text).toContain('href="/console/catalog"')
  expect(text).not.toContain('secret of one person')
  const digits = sql`insert into search_misses values (${TODAY}, 'typed', 'call 555', '', 1)`
  expect(await digits.catch(String)).toContain('search_misses_check')
})
