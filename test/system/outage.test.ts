// PostgreSQL fails under load and returns: clients get prompt errors meanwhile, and no acknowledged change is lost.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type LocalPostgres, openPostgres } from '../../src/local/postgres.ts'
import { processesIn, signalIfAlive } from '../../src/local/processes.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { testSql } from '../support/database.ts'
import { type TestServer, startServer } from '../support/server.ts'

/** The time limit of every response, with or without the store. */
const ANSWER_LIMIT_MS = 2000
const OUTAGE_MS = 4000
const CLIENTS = 12

interface Seen {
  path: string
  status: number
  type: string | null
  ms: number
  /** The time when the request was sent. */
  at: number
  code?: string | undefined
}

let dir: string
let database: LocalPostgres
let client: BookingClient
let server: TestServer
/** Stops the processes, also when beforeAll fails halfway. */
const stops: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hearth-outage-'))
  chmodSync(dir, 0o755)
  // As durable as in production: the test profile may lose commits acknowledged just before a crash.
  database = await openPostgres({ dir, profile: 'dev', note: () => undefined })
  stops.push(() => database.stop())
  const sql = testSql(database.url, 1)
  await migrate(sql)
  await sql.end()
  client = await openBookingClient(database.url)
  server = await startServer({ databaseUrl: database.url })
  stops.push(() => server.stop())
})

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
  rmSync(dir, { recursive: true, force: true })
})

/** Each client sends requests one after another until `hasEnded`, and records every response. */
function keepRequesting(seen: Seen[], hasEnded: () => boolean, firstHour = 0): Promise<void[]> {
  let next = firstHour
  const requests: [path: string, send: () => Promise<Response>][] = [
    ['POST /bookings', () => client.post(server.url, next++)],
    ['GET /bookings', () => fetch(`${server.url}/api/v1/bookings?code=HTH-000000000000`)],
    ['GET /pros/{id}/availability', () => fetch(`${server.url}/api/v1/pros/${client.pro.id}/availability`)],
  ]
  return Promise.all(
    Array.from({ length: CLIENTS }, async (_, n) => {
      const [path, send] = requests[n % requests.length] ?? ['', () => Promise.reject(new RangeError())]
      while (!hasEnded()) {
        const at = performance.now()
        const response = await send()
        const body = (await response.json()) as { booking?: { confirmationCode: string } }
        const ms = performance.now() - at
        const { status } = response
        seen.push({
          path,
          status,
          type: response.headers.get('content-type'),
          ms,
          at,
          code: body.booking?.confirmationCode,
        })
      }
    }),
  )
}

const readiness = async () => {
  const response = await fetch(`${server.url}/readyz`)
  return { status: response.status, body: (await response.json()) as { notReady?: string[] } }
}

describe('when PostgreSQL crashes under load and returns', () => {
  const seen: Seen[] = []
  let downAt = 0
  let upAt = 0
  let whileDown: Awaited<ReturnType<typeof readiness>>
  let healthWhileDown = 0

  beforeAll(async () => {
    let ended = false
    const requesting = keepRequesting(seen, () => ended)
    const booked = () => seen.filter(({ status }) => status === 201).length
    expect(await waitUntil(() => booked() > 50, 10_000)).toBe(true)
    await database.stopImmediately()
    downAt = performance.now()
    whileDown = await readiness()
    healthWhileDown = (await fetch(`${server.url}/healthz`)).status
    await Bun.sleep(OUTAGE_MS)
    upAt = performance.now()
    await database.restart()
    const before = booked()
    expect(await waitUntil(() => booked() > before + 50, 20_000)).toBe(true)
    ended = true
    await requesting
  })

  const sentWhileDown = () => seen.filter(({ at, ms }) => at > downAt && at + ms < upAt)

  test('every request that needs it gets a 503 problem document', () => {
    const answers = sentWhileDown()
    expect(new Set(answers.map(({ path }) => path)).size).toBe(3)
    expect(new Set(answers.map(({ status, type }) => `${status} ${type}`))).toEqual(
      new Set(['503 application/problem+json']),
    )
  })

  test('no response takes longer than two seconds, before, during or after', () => {
    expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(ANSWER_LIMIT_MS)
  })

  test('no request fails in any other way', () => {
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200, 201, 404, 503]))
  })

  test('the process is healthy and not ready', async () => {
    expect(healthWhileDown).toBe(200)
    expect(whileDown.status).toBe(503)
    expect(whileDown.body.notReady).toContain('postgres')
    expect(await readiness()).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  test('no acknowledged booking is missing afterwards', async () => {
    const codes = seen.flatMap(({ status, code }) => (status === 201 && code ? [code] : []))
    const sql = testSql(database.url, 1)
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from bookings where confirmation_code = any(${codes})`
    await sql.end()
    expect(row?.count).toBe(codes.length)
  })

  test('changes by other processes are noticed again afterwards', async () => {
    const services = async () => {
      const response = await fetch(`${server.url}/api/v1/services`)
      return ((await response.json()) as { services: { name: string }[] }).services.map(({ name }) => name)
    }
    await services()
    const sql = testSql(database.url, 1)
    await sql`update services set name = 'Renamed after the outage'`
    await sql.end()
    expect(await waitUntil(async () => (await services()).includes('Renamed after the outage'), 3000)).toBe(true)
  })
})

test('a PostgreSQL that hangs without closing connections also causes prompt 503s, and requests succeed once it resumes', async () => {
  const processes = processesIn(join(realpathSync(dir), 'postgres/data'))
  expect(processes.length).toBeGreaterThan(0)
  const seen: Seen[] = []
  let ended = false
  const requesting = keepRequesting(seen, () => ended, 4000)
  expect(await waitUntil(() => seen.length > 50, 10_000)).toBe(true)
  let resumedAt: number
  try {
    processes.forEach((pid) => signalIfAlive(pid, 'SIGSTOP'))
    await Bun.sleep(OUTAGE_MS)
  } finally {
    resumedAt = performance.now()
    processes.forEach((pid) => signalIfAlive(pid, 'SIGCONT'))
  }
  const since = () => seen.filter(({ at, status }) => at > resumedAt && status < 500).length
  expect(await waitUntil(() => since() > 50, 20_000)).toBe(true)
  ended = true
  await requesting
  const refused = seen.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(CLIENTS)
  expect(new Set(refused.map(({ type }) => type))).toEqual(new Set(['application/problem+json']))
  expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(ANSWER_LIMIT_MS)
})

test('a server that starts without PostgreSQL becomes ready as soon as PostgreSQL runs', async () => {
  await database.stopImmediately()
  const waiting = startServer({ databaseUrl: database.url })
  await Bun.sleep(1000)
  await database.restart()
  const started = await waiting
  expect((await client.post(started.url, 8000)).status).toBe(201)
  expect(await started.stop()).toBe(0)
})
