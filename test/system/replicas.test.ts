// Replicas that lag, freeze or die, and a replica that becomes the primary: clients get answers, never old authorisations.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { revokeKey } from '../../src/auth/keys/verbs/keys.ts'
import { checkReplicas } from '../../src/commands/doctor/stores.ts'
import { readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { StoreUnavailable } from '../../src/platform/store-error.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { type PostgresNode, hasCaughtUp, openReplicatedPostgres } from '../support/replicated-postgres.ts'
import { startServer } from '../support/server.ts'
import { testRedisUrl } from '../support/stores.ts'
import { ctxOf } from '../../src/ctx.ts'
import { opened } from '../support/fixture.ts'
let hours = 0

function node(of: PostgresNode | undefined): PostgresNode {
  if (!of) throw new Error('The replica is not open.')
  return of
}

const newClient = (primary: PostgresNode) => openBookingClient(primary.url, ['bookings:write', 'availability:read'])
const get = (path: string, key = client.key) =>
  fetch(`${server.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })
const availability = () => fetch(`${server.url}/api/v1/pros/${client.pro.id}/availability`)

interface Booked {
  booking: { id: string; confirmationCode: string }
}

interface ReadyReplica {
  state: string
  lagMs: number | null
}

async function readyReplicas(): Promise<ReadyReplica[]> {
  const body = (await (await fetch(`${server.url}/readyz`)).json()) as { replicas: ReadyReplica[] }
  return body.replicas
}
const states = async () => (await readyReplicas()).map(({ state }) => state)
const postgres = await opened(openReplicatedPostgres(2))
const second = postgres.replicas[1]
const client = await newClient(postgres.primary)
const { primary } = postgres
/** Names the primary and the replica that becomes the next one. */
const databaseUrl = primary.url.replace(primary.host, `${node(second).host},${primary.host}`)
const readUrl = postgres.replicas.map(({ url }) => url).join(',')
const server = await opened(startServer({ databaseUrl, env: { DATABASE_READ_URL: readUrl } }), 'stop')
await Promise.all(postgres.replicas.map((replica) => hasCaughtUp(primary, replica)))
expect(await waitUntil(async () => (await states()).includes('used'), 5000)).toBe(true)
const areIn = (wanted: string[]) =>
  waitUntil(async () => (await states()).every((state) => wanted.includes(state)), 10_000)

/** As another process does. */
async function revoke({ keyId }: BookingClient): Promise<void> {
  const deps = openDeps(readConfig({ DATABASE_URL: databaseUrl, REDIS_URL: testRedisUrl, LOG_LEVEL: 'silent' }))
  try {
    await revokeKey(ctxOf(deps), { id: keyId })
  } finally {
    await deps.close()
  }
}

/** How long the key still works. */
async function msUntilRefused({ key }: BookingClient): Promise<number> {
  const startedMs = performance.now()
  const isRefused = async () => (await get('bookings/019a0000-0000-7000-8000-000000000000', key)).status === 401
  expect(await waitUntil(isRefused, 10_000, 5)).toBe(true)
  return performance.now() - startedMs
}

interface Seen {
  status: number
  ms: number
  atMs: number
}

/** Sends requests one after another until `work` is done. */
async function underLoad(
  send: () => Promise<Response>,
  work: (seen: readonly Seen[]) => Promise<unknown>,
): Promise<Seen[]> {
  const seen: Seen[] = []
  let isDone = false
  const load = Array.from({ length: 4 }, async () => {
    while (!isDone) {
      const atMs = performance.now()
      const response = await send()
      await response.arrayBuffer()
      seen.push({ status: response.status, ms: performance.now() - atMs, atMs })
    }
  })
  await work(seen)
  isDone = true
  await Promise.all(load)
  return seen
}

const statusesOf = (seen: readonly Seen[]) => [...new Set(seen.map(({ status }) => status))].toSorted((a, b) => a - b)
const longestOf = (seen: readonly Seen[]) => Math.max(...seen.map(({ ms }) => ms))
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

describe('replicas that do not replay', () => {
  beforeAll(async () => {
    for (const replica of postgres.replicas) await replica.sql`select pg_wal_replay_pause()`
  })
  afterAll(async () => {
    for (const replica of postgres.replicas) await replica.sql`select pg_wal_replay_resume()`
  })

  test('a booking is found at once by id and by code', async () => {
    for (let n = 0; n < 5; n++) {
      const booked = await client.post(server.url, hours++)
      const { booking } = (await booked.json()) as Booked
      expect(booked.status).toBe(201)
      const found = [await get(`bookings/${booking.id}`), await get(`bookings?code=${booking.confirmationCode}`)]
      expect(found.map(({ status }) => status)).toEqual([200, 200])
    }
  })

  test('a revoked key is refused within a second', async () => {
    const revoked = await newClient(postgres.primary)
    expect((await revoked.post(server.url, hours++)).status).toBe(201)
    await revoke(revoked)
    const ms = await msUntilRefused(revoked)
    process.stdout.write(`a revoked key worked for ${ms.toFixed(0)} ms\n`)
    expect(ms).toBeLessThan(1000)
  })

  test('the primary answers in their place; /readyz, the metrics and the doctor say by how much they are behind', async () => {
    expect(await areIn(['behind'])).toBe(true)
    expect((await availability()).status).toBe(200)
    for (const { lagMs } of await readyReplicas()) expect(lagMs).toBeGreaterThan(1000)
    const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text()
    for (const { host } of postgres.replicas) {
      const label = `\\{replica="${host}"\\}`
      expect(metrics).toMatch(new RegExp(`hearth_postgres_replica_lag_seconds${label} [1-9]`))
      expect(metrics).toMatch(new RegExp(`hearth_postgres_replica_usable${label} 0`))
    }
    const deps = openDeps(
      readConfig({
        DATABASE_URL: databaseUrl,
        DATABASE_READ_URL: readUrl,
        REDIS_URL: testRedisUrl,
        LOG_LEVEL: 'silent',
      }),
    )
    try {
      for (const { message, remedy } of await checkReplicas(deps))
        expect(`${message} → ${remedy}`).toMatch(/ s \(\d+ bytes\) behind, more than REPLICA_MAX_LAG_MS/)
    } finally {
      await deps.close()
    }
  })

  test('they are used again once they have caught up', async () => {
    for (const replica of postgres.replicas) await replica.sql`select pg_wal_replay_resume()`
    expect(await areIn(['used', 'ready'])).toBe(true)
  })
})

test('replicas that freeze and die under load cause no error, and no request waits as long as a dead primary lets it', async () => {
  const seen = await underLoad(availability, async (sent) => {
    expect(await waitUntil(() => sent.length >= 100, 10_000)).toBe(true)
    for (const replica of postgres.replicas) replica.freeze()
    expect(await areIn(['unreachable'])).toBe(true)
    for (const replica of postgres.replicas) replica.thaw()
    expect(await areIn(['used', 'ready'])).toBe(true)
    for (const replica of postgres.replicas) await replica.kill()
    expect(await areIn(['unreachable'])).toBe(true)
    await Promise.all(postgres.replicas.map((replica) => replica.restart()))
    expect(await areIn(['used', 'ready'])).toBe(true)
  })
  process.stdout.write(`${seen.length} requests, the longest took ${longestOf(seen).toFixed(0)} ms\n`)
  expect(statusesOf(seen)).toEqual([200])
  expect(longestOf(seen)).toBeLessThan(1400)
  expect(median(seen.map(({ ms }) => ms))).toBeLessThan(100)
}, 40_000)

test('a promotion under load: only 503 meanwhile, the next booking within a second, and every process follows', async () => {
  const { primary } = postgres
  const next = node(second)
  const bookings = new Map<number, number>()
  let promotedMs = 0
  const seen = await underLoad(
    async () => {
      const response = await client.post(server.url, hours++)
      bookings.set(response.status, (bookings.get(response.status) ?? 0) + 1)
      return response
    },
    async () => {
      expect(await waitUntil(() => (bookings.get(201) ?? 0) > 20, 10_000)).toBe(true)
      // Frozen, not dead: its connections stay open and never answer.
      primary.freeze()
      await next.promote()
      promotedMs = performance.now()
      await next.sql`update services set name = 'Renamed on the new primary'`
      const before = bookings.get(201) ?? 0
      expect(await waitUntil(() => (bookings.get(201) ?? 0) > before + 20, 10_000)).toBe(true)
    },
  )
  const written = seen.filter(({ status, atMs, ms }) => status === 201 && atMs + ms > promotedMs)
  const firstMs = Math.min(...written.map(({ atMs, ms }) => atMs + ms)) - promotedMs
  process.stdout.write(
    `${Object.entries(Object.fromEntries(bookings)).join(' ')}; first write after ${firstMs.toFixed(0)} ms\n`,
  )
  expect(statusesOf(seen)).toEqual([201, 503])
  expect(firstMs).toBeLessThan(1000)

  const renamed = async () => (await (await get('services')).text()).includes('Renamed on the new primary')
  expect(await waitUntil(renamed, 3000)).toBe(true)

  const revoked = await newClient(next)
  expect((await revoked.post(server.url, hours++)).status).toBe(201)
  await revoke(revoked)
  const ms = await msUntilRefused(revoked)
  process.stdout.write(`a key revoked on the new primary worked for ${ms.toFixed(0)} ms\n`)
  expect(ms).toBeLessThan(1000)

  // The previous primary comes back and accepts writes: processes that know both stay with the later one.
  primary.thaw()
  const deps = openDeps(readConfig({ DATABASE_URL: databaseUrl, REDIS_URL: testRedisUrl, LOG_LEVEL: 'silent' }))
  try {
    let port: number | undefined
    const isFound = async () => {
      try {
        const rows = await deps.write.run<{ port: number }>('port', (sql) => sql`select inet_server_port() as port`)
        port = rows[0]?.port
        return true
      } catch (error) {
        if (error instanceof StoreUnavailable) return false
        throw error
      }
    }
    // A host that was frozen for seconds may need more than the limit of an answer to begin.
    expect(await waitUntil(isFound, 20_000, 250)).toBe(true)
    expect(`127.0.0.1:${port}`).toBe(next.host)
  } finally {
    await deps.close()
  }
  const { booking } = (await (await client.post(server.url, hours++)).json()) as Booked
  const [row] = await next.sql<
    { found: boolean }[]
  >`select exists (select from bookings where id = ${booking.id}) as found`
  expect(row?.found).toBe(true)
}, 60_000)
