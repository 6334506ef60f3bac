// The processes of a machine: two servers, and a supervisor with all actors. They share their sessions with PostgreSQL.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import { createKey, revokeKey } from '../../src/auth/keys/verbs/keys.ts'
import { systemClock, systemIds } from '../../src/platform/clock/clock.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { ACTOR_NAMES } from '../../workers/runtime/actor-names.ts'
import { INSTALL_MS } from '../support/apt-programs.ts'
import { type TestDatabase, openTestDatabase, withoutSocket } from '../support/database.ts'
import { ROOT } from '../support/imports.ts'
import { MODES, startPgBouncer } from '../support/pgbouncer.ts'
import { REVOKED_WITHIN_MS } from '../support/revocations.ts'
import { type TestServer, startServer } from '../support/server.ts'
import { type TestWorker, startWorker } from '../support/workers.ts'

const START_MS = 60_000

describe.each([
  ['PostgreSQL itself', false],
  ['PgBouncer', true],
])('by %s', (_, pooled) => {
  let database: TestDatabase
  let servers: [first: TestServer, second: TestServer]
  let supervisor: TestWorker
  const stops: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    database = await openTestDatabase()
    stops.push(() => database.close())
    const options = { databaseUrl: database.url, env: {} }
    if (pooled) {
      const direct = withoutSocket(database.url)
      const bouncer = await startPgBouncer(direct, MODES.transaction)
      stops.push(() => bouncer.stop())
      Object.assign(options, { databaseUrl: bouncer.url, env: { DATABASE_DIRECT_URL: direct } })
    }
    // The first one lends its session.
    servers = [await startServer(options), await startServer(options)]
    supervisor = startWorker(join(ROOT, 'src/cli.ts'), { ...options, args: ['work'] })
    stops.push(() => Promise.all([supervisor.stop(), ...servers.map((server) => server.stop())]))
    const working = () => supervisor.output().split('"msg":"working"').length - 1
    expect(await waitUntil(() => working() === ACTOR_NAMES.length, START_MS)).toBe(true)
  }, INSTALL_MS)
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop()
  }, START_MS)

  const sessions = async () =>
    (
      await database.sql<{ pid: number }[]>`
        select pid from pg_stat_activity where datname = current_database() and application_name = 'hearth-direct'`
    ).map(({ pid }) => pid)

  test('the servers share one session with PostgreSQL, and all workers another one', async () => {
    expect(await sessions()).toHaveLength(2)
  })

  test('a key that is revoked as the lender is killed stops working within a second, and a server takes its place', async () => {
    const { write } = database
    const key = await createKey(
      { write, clock: systemClock, ids: systemIds },
      { ownerEmail: 'developer@test.example', scopes: ['services:read'], name: 'test' },
    )
    const [lender, server] = servers
    const status = async () =>
      (await fetch(`${server.url}/api/v1/services`, { headers: { authorization: `Bearer ${key.secret}` } })).status
    expect(await status()).toBe(200)
    const before = await sessions()
    lender.signal('SIGKILL')
    await revokeKey({ write, clock: systemClock, ids: systemIds }, key.id)
    const revokedMs = performance.now()
    expect(await waitUntil(async () => (await status()) === 401, 5000)).toBe(true)
    // A busy machine may take a while to answer.
    expect(performance.now() - revokedMs).toBeLessThan(REVOKED_WITHIN_MS + 500)
    const hasNewLender = async () => {
      const now = await sessions()
      return now.length === 2 && now.some((pid) => !before.includes(pid))
    }
    expect(await waitUntil(hasNewLender, 10_000)).toBe(true)
  }, 60_000)
})
