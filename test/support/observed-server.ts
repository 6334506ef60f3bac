// The server in the test's process, with what a client, a load balancer and an operator see of it.
import { expect } from 'bun:test'

import { checkPostgres, checkRedis } from '../../src/commands/doctor/stores.ts'
import { readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { instrumentedApp } from './app.ts'
import type { BookingClient } from './booking-client.ts'
import { testRedisUrl } from './stores.ts'

/** Each booking is of another hour. */
let hours = 0

export function openObservedServer(client: BookingClient, env: Record<string, string>) {
  const deps = openDeps(
    readConfig({ REDIS_URL: testRedisUrl, ...env, LOG_LEVEL: 'silent', MAX_UNPAID_BOOKINGS: '1000' }),
  )
  const app = instrumentedApp(deps)
  const get = (path: string) => app.handle(new Request(`${deps.config.baseUrl}${path}`))
  return {
    deps,
    close: () => deps.close(),
    read: async () => (await get(`/api/v1/pros/${client.pro.id}/availability`)).status,
    book: async () => {
      const response = await app.handle(
        new Request(`${deps.config.baseUrl}/api/v1/bookings`, {
          method: 'POST',
          headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(client.body(hours++)),
        }),
      )
      return { status: response.status, retryAfter: response.headers.get('retry-after') }
    },
    readiness: async () => {
      const { status, detail } = (await (await get('/readyz')).json()) as { status: number | 'ready'; detail?: string }
      return { status, detail }
    },
    /** What `hearth doctor` prints about the stores. */
    doctor: async () => {
      const findings = [
        ...(await checkPostgres(deps.config.databaseUrl, 0)).findings,
        ...(await checkRedis(deps.config)),
      ]
      return findings.map(({ subject, message, remedy = 'fine' }) => `${subject}: ${message} → ${remedy}`)
    },
  }
}

export const notReady = (detail: string) => ({ status: 503, detail: `Not ready: ${detail}.` })
/** A booking that could not be stored now. */
export const UNAVAILABLE = { status: 503, retryAfter: '2' }

/** Waits until `observe` returns `expected`: a server notices a change when it next uses a connection. */
export async function expectSoon(observe: () => Promise<unknown>, expected: unknown): Promise<void> {
  let seen: unknown
  await waitUntil(async () => Bun.deepEquals((seen = await observe()), expected), 10_000)
  expect(seen).toEqual(expected)
}
