// A rolling restart of two servers on one port loses no request. The clients retry nothing.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { findFreePort } from '../../src/local/ports.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { cloneDatabase, testSql } from '../support/database.ts'
import { type HttpClient, type HttpRequest, openHttpClient } from '../support/http-connection.ts'
import { longForm } from '../support/long-form.ts'
import { type TestServer, startServer } from '../support/server.ts'

const RESTARTS = longForm(6, 40)
const REQUESTS = longForm(10_000, 100_000)
const CLIENTS = 64
const LATENCY_MS = 10
/** Of a client between two requests: the machine is busy and not overloaded. */
const PAUSE_MS = 80
/** One request in so many books. */
const BOOKS_EVERY = 25

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let booking: BookingClient
let sql: Sql

beforeAll(async () => {
  clone = await cloneDatabase('migrated')
  booking = await openBookingClient(clone.url, ['bookings:write', 'availability:read'])
  sql = testSql(clone.url, 2)
})

afterAll(async () => {
  await sql.end()
  await clone.drop()
})

interface Load {
  /** Responses by status, and errors of connections by message. */
  readonly outcomes: Map<string, number>
  /** The idempotency keys of bookings that were sent. */
  readonly keys: Set<string>
  /** The confirmation codes in the responses, by key. */
  readonly codes: Map<string, Set<string>>
  readonly longestMs: () => number
  requests: number
  hasEnded: boolean
}

/** A quarter of the clients keep their connection; the others open one for each request. Each booking is sent twice. */
function startLoad(url: string): { load: Load; done: Promise<unknown> } {
  let longestMs = 0
  const load: Load = {
    outcomes: new Map(),
    keys: new Set(),
    codes: new Map(),
    longestMs: () => longestMs,
    requests: 0,
    hasEnded: false,
  }
  let hour = 0
  const send = async (client: HttpClient, request: HttpRequest): Promise<string | undefined> => {
    const startedAt = performance.now()
    load.requests++
    let outcome: string
    let body: string | undefined
    try {
      const response = await client.send(request)
      outcome = `${request.method ?? 'GET'} ${response.status}`
      if (response.status < 300) body = response.body
      else outcome += ` ${(JSON.parse(response.body) as { detail: string }).detail}`
    } catch (error) {
      outcome = String(error)
    }
    longestMs = Math.max(longestMs, performance.now() - startedAt)
    load.outcomes.set(outcome, (load.outcomes.get(outcome) ?? 0) + 1)
    return body
  }
  const book = async (client: HttpClient) => {
    const key = crypto.randomUUID()
    load.keys.add(key)
    const request: HttpRequest = {
      method: 'POST',
      path: '/api/v1/bookings',
      headers: { Authorization: `Bearer ${booking.key}`, 'Idempotency-Key': key },
      body: booking.body(hour++),
    }
    for (const body of [await send(client, request), await send(client, request)])
      if (body !== undefined) load.codes.set(key, (load.codes.get(key) ?? new Set()).add(codeIn(body)))
  }
  const done = Promise.all(
    Array.from({ length: CLIENTS }, async (_, n) => {
      const client = openHttpClient(url, { keepAlive: n % 4 === 0, latencyMs: LATENCY_MS })
      for (let turn = n; !load.hasEnded; turn++) {
        if (turn % BOOKS_EVERY === 0) await book(client)
        else await send(client, { path: turn % 2 ? '/api/v1/services' : `/api/v1/pros/${booking.pro.id}/availability` })
        await Bun.sleep(PAUSE_MS)
      }
      client.close()
    }),
  )
  return { load, done }
}

const codeIn = (body: string) =>
  (JSON.parse(body) as { booking: { confirmationCode: string } }).booking.confirmationCode

test(
  'requests during a rolling restart of servers that share a port all succeed, and each booking is made exactly once',
  async () => {
    const port = await findFreePort()
    const start = () => startServer({ databaseUrl: clone.url, port, env: { HTTP_PROCESSES: '2' } })
    const servers: TestServer[] = [await start(), await start()]
    const { load, done } = startLoad(servers[0]?.url ?? '')
    let restarts = 0
    for (; restarts < RESTARTS || load.requests < REQUESTS; restarts++) {
      servers.push(await start())
      expect(await servers.shift()?.stop()).toBe(0)
    }
    load.hasEnded = true
    await done
    await Promise.all(servers.map((server) => server.stop()))
    process.stdout.write(
      `${restarts} restarts, ${load.requests} requests, the longest ${Math.round(load.longestMs())} ms: `,
    )
    process.stdout.write(`${JSON.stringify(Object.fromEntries(load.outcomes))}\n`)
    expect([...load.outcomes.keys()].toSorted()).toEqual(['GET 200', 'POST 201'])
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from bookings`
    expect(row?.count).toBe(load.keys.size)
    expect([...load.codes.values()].every((codes) => codes.size === 1)).toBe(true)
  },
  longForm(240_000, 2_400_000),
)
