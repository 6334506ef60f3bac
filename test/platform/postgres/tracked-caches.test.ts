// No cache of database data outlives its notifications: all are registered, and each is read anew soon while LISTEN is cut off.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { createApp } from '../../../src/app.ts'
import { createKey } from '../../../src/auth/keys/verbs/keys.ts'
import { PRESETS } from '../../../src/auth/scopes.ts'
import { readConfig } from '../../../src/config.ts'
import { openDeps } from '../../../src/deps.ts'
import { getCatalogNames } from '../../../src/features/catalog/services/verbs/names.ts'
import { getMarketplace } from '../../../src/features/upkeep/marketplace/verbs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { DEAF_AGE_MS } from '../../../src/platform/postgres/notifications.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import { openFailingPostgres } from '../../support/failing-postgres.ts'
import { ROOT, filesUnder } from '../../support/imports.ts'
import { testRedisUrl } from '../../support/stores.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { opened } from '../../support/fixture.ts'
const database = await opened(cloneDatabase('seeded'), 'drop')
const direct = await opened(openFailingPostgres(database.url))
const sql = await opened(testSql(database.url, 1), 'end')
await sql`alter database ${sql(new URL(database.url).pathname.slice(1))} set hearth.restored = 'a test'`
const env = { DATABASE_URL: database.url, DATABASE_DIRECT_URL: direct.url, REDIS_URL: testRedisUrl }
const deps = await opened(openDeps(readConfig({ ...env, LOG_LEVEL: 'silent', PUBLIC_RATE_PER_MINUTE: '1000000' })))
const app = createApp(deps)
const [priced] = await sql<{ serviceId: string }[]>`
    select service_id from pricing_aggregates where state = '' and city_id = 0 limit 1`
/** One whose prices are known. */
const service = priced?.serviceId ?? ''
const key = { ownerEmail: 'developer@test.example', scopes: PRESETS['full-server'], name: 'test' }
const secret = (await createKey(ctxOf(deps), { ...key, rateMultiplier: 10_000 })).secret

const request = (path: string, headers?: Record<string, string>) =>
  app.handle(new Request(`http://hearth.test${path}`, headers ? { headers } : {}))
const textOf = async (path: string) => await (await request(path)).text()

interface Walk {
  /** Uses the cache. */
  ask: () => Promise<unknown>
  /** Changes what it holds. */
  change: () => PromiseLike<unknown>
}

/** Each cache by its name. */
const CACHES: Readonly<Record<string, Walk>> = {
  keys: {
    ask: async () => (await request('/api/v1/services', { authorization: `Bearer ${secret}` })).status,
    change: () => sql`update api_keys set revoked_at = now()`,
  },
  catalog: {
    ask: () => textOf('/api/v1/services'),
    change: () => sql`update pro_search_area set pros = pros + 1, verified = verified + 1`,
  },
  offered: {
    ask: () => textOf('/'),
    change: () =>
      sql`insert into categories (id, ordinal, name, slug) select gen_random_uuid(), max(ordinal) + 1, 'New trade', 'new-trade' from categories`,
  },
  prices: {
    ask: () => textOf(`/api/v1/pricing?service=${service}`),
    change: () => sql`update pricing_aggregates set completed_projects = completed_projects + 1`,
  },
  names: {
    ask: async () => (await getCatalogNames(ctxOf(deps))).services.map(({ name }) => name),
    change: () => sql`update services set name = name || ' and more'`,
  },
  marketplace: {
    ask: async () => (await getMarketplace(ctxOf(deps))).name,
    change: () => sql`
      insert into marketplace_versions (version, name, at)
      select coalesce(max(version), 0) + 1, 'A name of version ' || coalesce(max(version), 0) + 1, now() from marketplace_versions`,
  },
  'restored copy': {
    ask: async () => (await deps.restoredCopy.target()) ?? 'none',
    change: () => sql`insert into restorations (target) values ('a test')`,
  },
}

const readiness = async () => (await (await request('/readyz')).json()) as { status?: string; degraded?: unknown }

const askAll = async () =>
  Object.fromEntries(await Promise.all(Object.entries(CACHES).map(async ([name, { ask }]) => [name, await ask()])))

test('while LISTEN is cut off each cache is read anew within a second, and readiness says so', async () => {
  await askAll()
  expect(await waitUntil(() => deps.notifications.isListening(), 5000)).toBe(true)
  expect(await readiness()).not.toHaveProperty('degraded')
  // Nothing reconnects.
  direct.failWith('53300')
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'hearth-direct'`
  expect(await waitUntil(() => !deps.notifications.isListening(), 5000)).toBe(true)
  const caches = deps.notifications.deafCaches()
  expect(caches.map(({ name }) => name).toSorted()).toEqual(Object.keys(CACHES).toSorted())
  expect(caches.filter(({ maxAgeMs }) => maxAgeMs > DEAF_AGE_MS)).toEqual([])
  expect(await readiness()).toMatchObject({ status: 'ready', degraded: { notifications: { caches } } })
  const before = await askAll()
  for (const { change } of Object.values(CACHES)) await change()
  const changedMs = performance.now()
  const isStale = async () => {
    const now = await askAll()
    return Object.keys(CACHES).filter((name) => Bun.deepEquals(now[name], before[name]))
  }
  let stale = Object.keys(CACHES)
  await waitUntil(async () => (stale = await isStale()).length === 0, 5000, 20)
  expect(stale).toEqual([])
  // A busy machine may take a while to answer.
  expect(performance.now() - changedMs).toBeLessThan(DEAF_AGE_MS + 1500)
  direct.recover()
  expect(await waitUntil(() => deps.notifications.isListening(), 5000)).toBe(true)
  expect(await readiness()).not.toHaveProperty('degraded')
})

test('a response is read anew after a second also while notifications arrive, because one may never be sent', async () => {
  expect(await waitUntil(() => deps.notifications.isListening(), 5000)).toBe(true)
  // The first change may be seen because listening has just begun.
  for (let n = 0; n < 2; n++) {
    const before = await textOf('/api/v1/services')
    await CACHES['catalog']?.change()
    expect(await waitUntil(async () => (await textOf('/api/v1/services')) !== before, 3000)).toBe(true)
  }
})

test('names stay cached while notifications arrive, and a notification changes them', async () => {
  await sql`set session_replication_role = replica`
  const before = await getCatalogNames(ctxOf(deps))
  await CACHES['names']?.change()
  expect(await getCatalogNames(ctxOf(deps))).toBe(before)
  await sql`set session_replication_role = origin`
  await CACHES['names']?.change()
  expect(await waitUntil(async () => (await getCatalogNames(ctxOf(deps))) !== before, 3000)).toBe(true)
})

/** What a process keeps in memory and is not registered as a cache of database data. */
const OTHER_MEMORY: Readonly<Record<string, string>> = {
  'src/auth/accounts/verbs.ts': 'the id of the site’s own account, which never changes',
  'src/auth/keys/verbs/last-used.ts': 'times to be written',
  'src/auth/keys/verbs/usage.ts': 'counts to be written',
  'src/auth/oauth/verbs/metadata-documents.ts': 'hosts that did not answer, for 10 s; documents themselves are rows',
  'src/auth/users/passwords.ts': 'a hash of no password',
  'src/features/catalog/services/zip-codes.ts': 'a file of the build',
  'src/features/calendar/imported-calendars/verbs/download.ts': 'the guard of outbound requests',
  'src/features/calendar/imported-calendars/verbs/read-calendar.ts': 'processes that read calendars',
  'src/features/files/files/verbs/decode.ts': 'processes that decode pictures',
  'src/features/upkeep/brand-pictures/verbs.ts': 'processes that decode pictures',
  'src/features/search/counts/verbs/counts.ts': 'counts to be written',
  'src/features/upkeep/outbox/verbs.ts': 'whose turn is next in a partition',
  'src/features/agents/threads/verbs/runs.ts': 'requests that wait; each reads the run every second',
  'src/features/calendar/time-zones/verbs.ts': 'zone data of PostgreSQL’s installation, read anew every ten minutes',
  'src/http/content-coding.ts': 'compressed forms, by their content',
  'src/http/health.ts': 'the phase of the process',
  'src/http/receive-body.ts': 'bodies being received',
  'src/http/traffic.ts': 'requests in progress',
  'src/mcp/payment/payment-gateway.ts': 'a library with its settings',
  'src/mcp/server/tool-metrics.ts': 'metrics',
  'src/payments/open-provider.ts': 'clients of providers, by the configuration',
  'src/platform/ics/isolated-reader.ts': 'whose calendars took long to read',
  'src/platform/net/client-address.ts': 'parsed addresses, by their text',
  'src/platform/net/outbound-fetch.ts': 'addresses of names, for seconds',
  'src/rate-limit/limiter/memory-windows.ts': 'counts of requests',
  'src/rate-limit/limiter/rate-limiter.ts': 'counts of requests',
  'src/rate-limit/request-limits.ts': 'limits, by the caller that was looked up',
  'src/web/ops/queues.tsx': 'the adapter of a board',
  'src/web/public/search/outlines.ts': 'a file of the build',
  'src/web/ui/face.ts': 'rows that never change, by their id',
  'src/web/public/share-pictures.ts': 'drawn pictures, by a digest of all that they show',
  'src/webhooks/delivery/attempt.ts': 'decrypted secrets, by their encrypted form',
}

/** They run in browsers. */
const BROWSER_SCRIPTS = 'src/web/ui/assets/scripts/'
/** State of a process or of its dependencies. */
const MEMORY = /new LRUCache\b|= oncePerDeps\(|^(?:export )?let \w/m

test('every cache is registered, or holds nothing of the database that may change', () => {
  const programs = filesUnder('src').filter(
    (file) => /\.tsx?$/.test(file) && file !== 'src/deps.ts' && !file.startsWith(BROWSER_SCRIPTS),
  )
  const found = programs.filter((file) => MEMORY.test(readFileSync(join(ROOT, file), 'utf8')))
  const unregistered = found.filter((file) => !isRegistered(readFileSync(join(ROOT, file), 'utf8')))
  expect(unregistered.toSorted()).toEqual(Object.keys(OTHER_MEMORY).toSorted())
})

const isRegistered = (text: string) => /notifications\.track\(|new ResponseCache\(/.test(text)
