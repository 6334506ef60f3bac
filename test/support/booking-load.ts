// Clients that read and book over HTTP without retrying, and count what they get.
import type { BookingClient } from './booking-client.ts'
import { type HttpClient, type HttpRequest, openHttpClient } from './http-connection.ts'

const LATENCY_MS = 10
/** Of a client between two requests: the machine is busy and not overloaded. */
const PAUSE_MS = 200
/** One request in so many books. */
const BOOKS_EVERY = 12

export interface Load {
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

export interface LoadOptions {
  readonly clients: number
  /** What is read, in turn. */
  readonly paths: readonly string[]
}

/**
 * A quarter of the clients keep their connection; the others open one for each request. Each booking is
 * sent twice.
 */
export function startLoad(
  url: string,
  booking: BookingClient,
  { clients, paths }: LoadOptions,
): { load: Load; end: () => Promise<void> } {
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
    Array.from({ length: clients }, async (_, n) => {
      const client = openHttpClient(url, { keepAlive: n % 4 === 0, latencyMs: LATENCY_MS })
      for (let turn = n; !load.hasEnded; turn++) {
        if (turn % BOOKS_EVERY === 0) await book(client)
        else await send(client, { path: paths[turn % paths.length] ?? '' })
        await Bun.sleep(PAUSE_MS)
      }
      client.close()
    }),
  )
  const end = async () => {
    load.hasEnded = true
    await done
  }
  return { load, end }
}

const codeIn = (body: string) =>
  (JSON.parse(body) as { booking: { confirmationCode: string } }).booking.confirmationCode
