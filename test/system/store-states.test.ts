// A store that runs and cannot be used: requests get 503 or are served without it; /readyz and `hearth doctor` say why.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { cloneDatabase, databaseUrl, testSql, withoutSocket } from '../support/database.ts'
import { UNAVAILABLE, expectSoon, notReady, openObservedServer } from '../support/observed-server.ts'
import { REDIS_STATES } from '../support/redis-states.ts'

const ROLE = `limited_${crypto.randomUUID().slice(0, 8)}`
const PASSWORD = 'limited'

let database: Awaited<ReturnType<typeof cloneDatabase>>
/** The database as a role that limits apply to: they do not to superusers. */
let url: string
let sql: Sql
let client: BookingClient

beforeAll(async () => {
  database = await cloneDatabase('migrated')
  sql = testSql(database.url, 1)
  client = await openBookingClient(database.url)
  await sql`create role ${sql(ROLE)} login password 'limited'`
  await sql`grant pg_read_all_data, pg_write_all_data, pg_read_all_stats to ${sql(ROLE)}`
  const limited = new URL(withoutSocket(database.url))
  Object.assign(limited, { username: ROLE, password: PASSWORD })
  url = limited.href
})
afterAll(async () => {
  await sql`drop owned by ${sql(ROLE)}`
  await sql`drop role ${sql(ROLE)}`
  await sql.end()
  await database.drop()
})

/** The server in this process as the role that limits apply to. */
const openServer = (env: Record<string, string>) => openObservedServer(client, { DATABASE_URL: url, ...env })

/** Ends the server's connections. Keeps the one that readiness uses, if `exceptProbe`. */
const endConnections = (exceptProbe = false) => sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where usename = ${ROLE} and not (${exceptProbe} and query like '%transaction_read_only%')`

describe('PostgreSQL', () => {
  let server: ReturnType<typeof openServer>

  beforeAll(() => {
    server = openServer({})
  })
  afterAll(() => server.close())
  // A test that fails must not leave its state to the next ones.
  afterEach(async () => {
    await sql`alter role ${sql(ROLE)} connection limit -1`
    await sql`alter role ${sql(ROLE)} reset default_transaction_read_only`
    await sql`drop event trigger if exists disk_full`
    await sql`drop function if exists disk_full_event`
    await sql`drop function if exists disk_full cascade`
  })

  const recovers = async () => {
    await expectSoon(async () => (await server.readiness()).status, 'ready')
    await expectSoon(async () => (await server.book()).status, 201)
  }

  test('read-only: reads succeed, writes get 503', async () => {
    await recovers()
    await sql`alter role ${sql(ROLE)} set default_transaction_read_only = on`
    await endConnections()
    const says = 'is read-only'
    await expectSoon(() => server.readiness(), notReady(`PostgreSQL ${says}`))
    await expectSoon(async () => [await server.read(), await server.book()], [200, UNAVAILABLE])
    expect(await server.doctor()).toContain(
      `writes: refused: PostgreSQL ${says} → connect to the primary, or allow writes`,
    )
    await sql`alter role ${sql(ROLE)} reset default_transaction_read_only`
    await endConnections()
    await recovers()
    expect(await server.doctor()).toContain('writes: accepted → fine')
  }, 30_000)

  test('disk full: reads succeed, writes get 503 until a write succeeds', async () => {
    // PostgreSQL reports a full disk with this SQLSTATE when a relation grows.
    await sql`
      create function disk_full() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file "base/1/2"' using errcode = '53100'; end $$`
    await sql`create trigger disk_full before insert on bookings execute function disk_full()`
    await sql`
      create function disk_full_event() returns event_trigger language plpgsql as
        $$ begin raise exception 'could not extend file "base/1/2"' using errcode = '53100'; end $$`
    await sql`create event trigger disk_full on ddl_command_end when tag in ('CREATE TABLE AS', 'CREATE TABLE')
        execute function disk_full_event()`
    expect([await server.read(), await server.book()]).toEqual([200, UNAVAILABLE])
    for (let check = 0; check < 3; check++)
      expect(await server.readiness()).toEqual(notReady('PostgreSQL has no disk space left'))
    expect(await server.doctor()).toContain(
      'writes: refused: PostgreSQL has no disk space left → free or add disk space',
    )
    await sql`drop event trigger disk_full`
    await sql`drop function disk_full_event`
    await sql`drop function disk_full cascade`
    await recovers()
  }, 30_000)

  test('no connection left for the pools: /readyz notices, although its own connection works', async () => {
    await recovers()
    await sql`alter role ${sql(ROLE)} connection limit 0`
    await endConnections(true)
    await expectSoon(async () => [await server.book(), await server.read()], [UNAVAILABLE, 503])
    await expectSoon(() => server.readiness(), notReady('PostgreSQL accepts no more connections'))
    expect((await server.doctor())[0]).toMatch(/^PostgreSQL: \S+ accepts no more connections → raise max_connections/)
    await sql`alter role ${sql(ROLE)} connection limit -1`
    await recovers()
  }, 30_000)

  test('a refused password, a missing database and an unknown host are 503 and named', async () => {
    const at = (change: Partial<URL>) => Object.assign(new URL(url), change).href
    const states = [
      [at({ password: 'wrong' }), 'refuses the user or the password'],
      [withoutSocket(databaseUrl('absent')), 'lacks the database'],
      [at({ hostname: 'no-such-host.invalid' }), 'has a host name that cannot be resolved'],
      [at({ port: String(await findFreePort()) }), 'refuses connections'],
    ] as const
    const checkState = async ([changed, says]: (typeof states)[number]) => {
      const broken = openServer({ DATABASE_URL: changed })
      await waitUntil(() => broken.deps.redis.status === 'ready', 5000)
      expect([says, await broken.book(), await broken.read()]).toEqual([says, UNAVAILABLE, 503])
      expect(await broken.readiness()).toEqual(notReady(`PostgreSQL ${says}`))
      expect((await broken.doctor())[0]).toMatch(new RegExp(`^PostgreSQL: \\S+ ${says} → `))
      await broken.close()
    }
    await Promise.all(states.map(checkState))
  }, 60_000)
})

describe('Redis', () => {
  for (const [name, { says, open }] of Object.entries(REDIS_STATES))
    test(`${name}: requests are served, /readyz and doctor say why`, async () => {
      const state = await open()
      const server = openServer({ REDIS_URL: state.url })
      try {
        await expectSoon(() => server.readiness(), notReady(`Redis ${says}`))
        expect([await server.read(), (await server.book()).status]).toEqual([200, 201])
        expect((await server.doctor()).join('\n')).toMatch(new RegExp(`^Redis: \\S+ ${says} → `, 'm'))
      } finally {
        await server.close()
        await state.close()
      }
    }, 30_000)
})
