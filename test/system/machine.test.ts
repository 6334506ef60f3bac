// The processes of a machine: servers, and a supervisor with all actors. They share their sessions with PostgreSQL, and rest while
// there is nothing to do.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
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
import { insertBookings, insertPro } from '../support/schedule.ts'
import { type TestServer, startServer } from '../support/server.ts'
import { type TestWorker, startWorker } from '../support/workers.ts'
import { ctxOf } from '../../src/ctx.ts'
import type { Deps } from '../../src/deps.ts'

const START_MS = 60_000
/** Commits a second of an idle machine: the relay looks once a second for all. */
const IDLE_COMMITS = 2
const IDLE_WINDOW_MS = 20_000
/** In the first minute each task still runs several times, and all of them once more at its end. */
const IDLE_WITHIN_MS = 180_000
/** Each reading is a commit, too. */
const READ_EVERY_MS = 5000
/** The relay looks each second, and tells the actor; a busy machine may take a while. */
const FOUND_WITHIN_MS = 2500

/** Waits until all actors of a supervisor work. */
const allWork = (supervisor: TestWorker) =>
  waitUntil(() => supervisor.output().split('"msg":"working"').length - 1 === ACTOR_NAMES.length, START_MS)

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
    expect(await allWork(supervisor)).toBe(true)
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
    const ctx = ctxOf({ write: database.write, clock: systemClock, ids: systemIds } as Deps)
    const key = await createKey(ctx, {
      ownerEmail: 'developer@test.example',
      scopes: ['services:read'],
      name: 'test',
    })
    const [lender, server] = servers
    const status = async () =>
      (await fetch(`${server.url}/api/v1/services`, { headers: { authorization: `Bearer ${key.secret}` } })).status
    expect(await status()).toBe(200)
    const before = await sessions()
    lender.signal('SIGKILL')
    await revokeKey(ctx, { id: key.id })
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

describe('one server and all actors, with nothing to do', () => {
  let database: TestDatabase
  let server: TestServer
  let supervisor: TestWorker
  const stops: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    database = await openTestDatabase()
    stops.push(() => database.close())
    const options = { databaseUrl: database.url, env: {} }
    server = await startServer(options)
    supervisor = startWorker(join(ROOT, 'src/cli.ts'), { ...options, args: ['work'] })
    stops.push(() => Promise.all([supervisor.stop(), server.stop()]))
    expect(await allWork(supervisor)).toBe(true)
  }, START_MS)
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop()
  }, START_MS)

  test(
    'commit fewer than two transactions a second',
    async () => {
      const commits = async () =>
        (
          await database.sql<{ commits: number }[]>`
          select xact_commit::int as commits from pg_stat_database where datname = current_database()`
        )[0]?.commits ?? 0
      const readings: { atMs: number; count: number }[] = []
      // After the start, tasks rest for longer and longer. A window is long because sessions report their commits some seconds late.
      const isIdle = async () => {
        const now = { atMs: performance.now(), count: await commits() }
        const before = readings.findLast(({ atMs }) => atMs <= now.atMs - IDLE_WINDOW_MS)
        readings.push(now)
        return before !== undefined && (now.count - before.count) / ((now.atMs - before.atMs) / 1000) < IDLE_COMMITS
      }
      const isReached = await waitUntil(isIdle, IDLE_WITHIN_MS, READ_EVERY_MS)
      const seen = isReached ? '' : `commits: ${JSON.stringify(readings)}\n${server.output()}\n${supervisor.output()}`
      expect(isReached, seen).toBe(true)
    },
    IDLE_WITHIN_MS + START_MS,
  )

  /** How long after it became due. */
  const msUntil = async (dueAtMs: number, isDone: () => Promise<boolean>) => {
    expect(await waitUntil(isDone, 30_000)).toBe(true)
    return Date.now() - dueAtMs
  }

  test('relay an event within seconds that no wake-up announced', async () => {
    const { sql } = database
    const id = randomUUID()
    // The notice of the wake-up goes to this connection, which sends none.
    await sql`select emit_event(${id}, 'test.event', ${id}, 'test', ${id}, 1, '{}', null, now())`
    const isRelayed = async () =>
      (await sql`select from outbox_events where id = ${id} and relayed_at is null`).length === 0
    expect(await msUntil(Date.now(), isRelayed)).toBeLessThan(FOUND_WITHIN_MS)
  }, 60_000)

  test('send a message at its time', async () => {
    const { sql } = database
    const sendAt = new Date(Date.now() + 5000)
    await sql`
      insert into messages (key, kind, recipient, data, send_at, next_attempt_at, created_at)
      values ('at a time', 'new-review', 'pro@example.com', '{}', ${sendAt.toISOString()}, ${sendAt.toISOString()}, now())`
    const attempts = async () =>
      (await sql<{ attempts: number }[]>`select attempts from messages where key = 'at a time'`)[0]?.attempts ?? 0
    const lateMs = await msUntil(sendAt.getTime(), async () => (await attempts()) > 0)
    expect(lateMs).toBeGreaterThanOrEqual(0)
    expect(lateMs).toBeLessThan(FOUND_WITHIN_MS)
  }, 60_000)

  test('end a hold at its time', async () => {
    const { sql } = database
    const endsAt = new Date(Date.now() + 5000)
    const pro = await insertPro(sql)
    const startsAt = new Date(Date.now() + 86_400_000).toISOString()
    await insertBookings(sql, pro, [{ startsAt, status: 'pending', durationMinutes: 60, bufferMinutes: 0 }])
    await sql`update bookings set hold_expires_at = ${endsAt.toISOString()}, lapse_event_id = gen_random_uuid()`
    const isEnded = async () => (await sql`select from bookings where hold_expires_at is not null`).length === 0
    const lateMs = await msUntil(endsAt.getTime(), isEnded)
    expect(lateMs).toBeGreaterThanOrEqual(0)
    expect(lateMs).toBeLessThan(FOUND_WITHIN_MS)
  }, 60_000)
})
