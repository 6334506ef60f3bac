// What a real PgBouncer keeps of a connection is recognised, and refused where it cannot work.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readConfig } from '../../../src/config.ts'
import { pooledStatementLimitMs } from '../../../src/deps.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { type Routes, poolerOf } from '../../../src/platform/postgres/configured-urls.ts'
import { connect } from '../../../src/platform/postgres/open-database.ts'
import { checkRoutes } from '../../../src/platform/postgres/pooler.ts'
import { askOnce } from '../../../src/platform/postgres/primary.ts'
import { missingRoleSettings, sharedSettings } from '../../../src/platform/postgres/role-settings.ts'
import { saveRoleSettings } from '../../../src/platform/postgres/settings.ts'
import { asStoreError } from '../../../src/platform/store-error.ts'
import { INSTALL_MS } from '../../support/apt-programs.ts'
import { openBlockedProxy } from '../../support/blocked-proxy.ts'
import { cloneDatabase, databaseUrl, withoutSocket } from '../../support/database.ts'
import { ROOT } from '../../support/imports.ts'
import { MODES, PREPARING, type PgBouncer, type Settings, startPgBouncer } from '../../support/pgbouncer.ts'
import { runServerUntilExit, startServer } from '../../support/server.ts'
import { testRedisUrl } from '../../support/stores.ts'
import { startWorker } from '../../support/workers.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let direct: string
const poolers: PgBouncer[] = []

beforeAll(async () => {
  database = await cloneDatabase('migrated')
  direct = withoutSocket(database.url)
  await pooler({})
}, INSTALL_MS)
afterAll(async () => {
  for (const one of poolers) await one.stop()
  await database.drop()
})

const pooler = (settings: Settings) => startedBefore(direct, settings)

async function startedBefore(url: string, settings: Settings = MODES.transaction): Promise<PgBouncer> {
  const started = await startPgBouncer(url, settings)
  poolers.push(started)
  return started
}

const STATEMENT_LIMIT_MS = pooledStatementLimitMs(
  readConfig({ DATABASE_URL: databaseUrl('postgres'), REDIS_URL: testRedisUrl }),
)

const routesTo = (databaseUrl: string, changes: Partial<Routes> = {}): Routes => ({
  databaseUrl,
  databaseReadUrls: [],
  databaseDirectUrl: undefined,
  poolerPrepares: false,
  ...changes,
})

test('connections of the pooler have the settings that their clients cannot set', async () => {
  const admin = connect(direct, 1, { applicationName: 'hearth-test' })
  const settings = sharedSettings(STATEMENT_LIMIT_MS)
  expect(await saveRoleSettings(admin, settings)).toEqual(Object.keys(settings).toSorted())
  expect(await saveRoleSettings(admin, settings)).toEqual([])
  await admin.end()
  const { url } = await pooler(MODES.transaction)
  const routes = routesTo(url, { databaseDirectUrl: direct })
  const sql = connect(url, 1, { applicationName: 'hearth-test', pooler: poolerOf(routes) })
  const [row] = await sql`
    select current_setting('statement_timeout') as timeout, current_setting('jit') as jit,
      current_setting('enable_seqscan') as seqscan, current_setting('TimeZone') as zone,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('tcp_user_timeout') as unacknowledged`
  await sql.end()
  expect(row).toEqual({
    timeout: '1400ms',
    jit: 'off',
    seqscan: 'off',
    zone: 'UTC',
    idle: '10s',
    unacknowledged: '15000',
  })
})

const IGNORING = { ignore_startup_parameters: 'jit,statement_timeout,plan_cache_mode,enable_seqscan' }

describe('what cannot work is refused with what to set', () => {
  test.each([
    [
      'a pooler in transaction mode without a direct URL',
      MODES.transaction,
      /^DATABASE_URL .* in transaction mode: set DATABASE_DIRECT_URL/,
    ],
    ['one that ignores settings', { ...MODES.transaction, ...IGNORING }, /^DATABASE_URL .* set DATABASE_DIRECT_URL/],
    [
      'a pooler in session mode without a direct URL',
      MODES.session,
      /^DATABASE_URL .* in session mode: set DATABASE_DIRECT_URL/,
    ],
    ['statement mode', { pool_mode: 'statement' }, /^DATABASE_URL .* statement mode: set its pool_mode/],
  ])('%s', async (_, settings, message) => {
    const { url } = await pooler(settings)
    expect(checkRoutes(routesTo(url))).rejects.toThrow(message)
  })

  test('a direct URL to a pooler or to another database', async () => {
    const { url } = await pooler(MODES.transaction)
    const refusalOf = (changes: Partial<Routes>) =>
      checkRoutes(routesTo(url, changes)).catch((error: unknown) => String(error))
    expect(await refusalOf({ databaseDirectUrl: url })).toContain('DATABASE_DIRECT_URL leads to a connection pooler')
    expect(await refusalOf({ databaseDirectUrl: withoutSocket(databaseUrl('postgres')) })).toContain(
      'different databases',
    )
  })

  test(
    'DATABASE_POOLER_PREPARES before a pooler that forgets statements, and not before one that keeps them',
    async () => {
      const refusalOf = async (settings: Settings) => {
        const { url } = await pooler(settings)
        const routes = routesTo(url, { databaseDirectUrl: direct, poolerPrepares: true })
        return await checkRoutes(routes).then(
          () => 'accepted',
          (error: unknown) => String(error),
        )
      }
      expect(await refusalOf({ ...PREPARING, max_prepared_statements: 0 })).toContain('forgets prepared statements')
      expect(await refusalOf(PREPARING)).toBe('accepted')
    },
    INSTALL_MS,
  )

  test('by servers, workers and their supervisor, in one line', async () => {
    const { url } = await pooler(MODES.transaction)
    const runUntilExit = async (script: string, args: string[]) => {
      const started = startWorker(script, { databaseUrl: url, args })
      return { code: await started.exited, output: started.output() }
    }
    const processes = await Promise.all([
      runServerUntilExit({ DATABASE_URL: url, REDIS_URL: testRedisUrl }),
      runUntilExit('workers/actors/relay-outbox.ts', []),
      runUntilExit('src/cli.ts', ['work']),
    ])
    for (const { code, output } of processes) {
      expect(code).toBe(1)
      expect(
        output
          .trim()
          .split('\n')
          .filter((line) => !line.startsWith('{')),
      ).toEqual([expect.stringMatching(/^hearth: DATABASE_URL leads to a connection pooler in transaction mode: set /)])
    }
  }, 30_000)

  test('not by a worker whose supervisor has checked the routes for it', async () => {
    const { url } = await pooler(MODES.transaction)
    const env = { HEARTH_SESSION_SOCKET: join(tmpdir(), 'hearth-without-supervisor.sock') }
    const worker = startWorker('workers/actors/relay-outbox.ts', { databaseUrl: url, env })
    await worker.waitForOutput('"actor":"relay-outbox"')
    expect(await worker.stop()).toBe(0)
  }, 30_000)
})

test('a start asks all URLs at once, so that three frozen replicas delay it as long as one', async () => {
  const proxies = await Promise.all(Array.from({ length: 3 }, () => openBlockedProxy(direct)))
  const checking = checkRoutes(routesTo(direct, { databaseReadUrls: proxies.map(({ url }) => url) }))
  const areAsked = await waitUntil(() => proxies.every((proxy) => proxy.clients() > 0), 3000)
  for (const proxy of proxies) proxy.open()
  await checking
  for (const proxy of proxies) proxy.stop()
  expect(areAsked).toBe(true)
})

describe('settings that the role lacks', () => {
  const LACKS = /^connections of the pooler lack settings: run `hearth migrate`/
  let other: Awaited<ReturnType<typeof cloneDatabase>>

  beforeEach(async () => {
    other = await cloneDatabase('migrated')
  })
  afterEach(() => other.drop())

  test('are named by a server at its start', async () => {
    const lacking = withoutSocket(other.url)
    const { url } = await startedBefore(lacking)
    const server = await startServer({ databaseUrl: url, env: { DATABASE_DIRECT_URL: lacking } })
    const warnings = server.log().filter(({ msg }) => LACKS.test(msg ?? ''))
    await server.stop()
    expect(warnings.map(({ missing }) => missing)).toEqual([expect.arrayContaining(['statement_timeout'])])
  }, 30_000)

  test('are saved by `hearth migrate`, whose own connection of the pooler does not outlive it', async () => {
    const lacking = withoutSocket(other.url)
    const { url } = await startedBefore(lacking)
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: url,
      DATABASE_DIRECT_URL: lacking,
      REDIS_URL: testRedisUrl,
    }
    const migrating = Bun.spawn([process.execPath, join(ROOT, 'src/cli.ts'), 'migrate'], { env, stdout: 'pipe' })
    expect(await migrating.stdout.text()).toContain('set defaults of the role in this database')
    expect(await migrating.exited).toBe(0)
    const routes = routesTo(url, { databaseDirectUrl: lacking })
    expect(await missingRoleSettings(routes, STATEMENT_LIMIT_MS, 'hearth-test')).toEqual([])
  }, 30_000)
})

test('a pooler without a place for another client is named', async () => {
  const { url } = await pooler({ ...MODES.transaction, max_client_conn: 1 })
  const holding = connect(url, 1, { applicationName: 'hearth-test', pooler: { prepares: false } })
  await holding`select 1`
  const refused = await askOnce(url).catch(asStoreError)
  expect(refused).toMatchObject({ store: 'postgres', state: 'is not reached through its pooler' })
  await holding.end()
})

test.each([
  ['unnamed', MODES.transaction, { prepares: false }],
  ['prepared', PREPARING, { prepares: true }],
])(
  'thousands of pipelined %s statements and transactions get their own rows',
  async (_, settings, options) => {
    const { url } = await pooler(settings)
    const open = () => connect(url, 8, { applicationName: 'hearth-test', pooler: options })
    const [single, transacting] = [open(), open()]
    const ask = async (n: number): Promise<boolean> => {
      if (n % 5 === 0) return (await single`select 1 as one`)[0]?.['one'] === 1
      if (n % 5 === 1) return (await single`select ${`text ${n}`}::text as text`)[0]?.['text'] === `text ${n}`
      if (n % 5 === 2) {
        const rows = await transacting.begin(async (tx) => [
          await tx`select ${n}::int as n`,
          await tx`select ${-n}::int as n`,
        ])
        return rows.map(([row]) => row?.['n'] as number).join() === `${n},${-n}`
      }
      if (n % 5 === 3) return (await single`select ${n}::int / 0`.then(() => '', String)).includes('zero')
      return (await single`select ${n}::int as n, ${n % 2 === 0}::boolean as even`)[0]?.['n'] === n
    }
    let next = 0
    const foreign: number[] = []
    const caller = async () => {
      while (next < 5000) {
        const n = next++
        if (!(await ask(n))) foreign.push(n)
      }
    }
    await Promise.all(Array.from({ length: 64 }, caller))
    await Promise.all([single.end(), transacting.end()])
    expect(foreign).toEqual([])
  },
  30_000,
)

test('a statement that is planned anew keeps its parameters', async () => {
  const sql = connect(direct, 1, { applicationName: 'hearth-test' })
  await sql`create table planned (flag boolean, note jsonb)`
  const insert = () => sql`insert into planned values (${true}, ${sql.json({ a: 1 })}) returning *`
  await insert()
  await sql`alter table planned add column further int`
  expect([...(await insert())]).toEqual([{ flag: true, note: { a: 1 }, further: null }])
  await sql.end()
})
