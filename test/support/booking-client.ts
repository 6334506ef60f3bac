// Booking over HTTP as a client does: a pro who is always open, a key, and a request body for each free hour.
import { type CreatedKey, createKey } from '../../src/auth/keys/verbs/keys.ts'
import type { Scope } from '../../src/auth/scopes.ts'
import { testSql, withWriter } from './database.ts'
import { type TestPro, insertPro } from './schedule.ts'
import { ctxOf } from '../../src/ctx.ts'

export const CUSTOMER = { name: 'Homeowner in Austin', email: 'booked.by@example.com', phone: '+1 (512) 555-0142' }

export interface BookingClient {
  readonly pro: TestPro
  /** The secret of a key that may book. */
  readonly key: string
  readonly keyId: string
  /** The body of a booking for the `n`th hour from two days ahead. Each `n` is a different slot. */
  body(n: number): Record<string, unknown>
  /** Sends the booking of the `n`th hour. */
  post(baseUrl: string, n: number, init?: { headers?: Record<string, string>; signal?: AbortSignal }): Promise<Response>
}

/** Creates the pro and the key in a migrated database. */
export async function openBookingClient(
  databaseUrl: string,
  scopes: Scope[] = ['bookings:write'],
  existing?: Pick<CreatedKey, 'id' | 'secret'>,
): Promise<BookingClient> {
  const sql = testSql(databaseUrl, 1)
  const pro = await insertPro(sql, { timeZone: 'UTC' })
  await sql.end()
  const { id: keyId, secret: key } = existing ?? (await createClientKey(databaseUrl, scopes))
  const firstHour = Math.ceil(Date.now() / 3_600_000) + 48
  const body = (n: number) => {
    const instant = new Date((firstHour + n) * 3_600_000).toISOString()
    return {
      professionalId: pro.id,
      serviceId: pro.serviceId,
      date: instant.slice(0, 10),
      time: instant.slice(11, 16),
      customer: CUSTOMER,
    }
  }
  return {
    pro,
    key,
    keyId,
    body,
    post: (baseUrl, n, { headers, signal } = {}) =>
      fetch(`${baseUrl}/api/v1/bookings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body(n)),
        ...(signal ? { signal } : {}),
      }),
  }
}

// These tests are about load, not about rate limits.
const createClientKey = (databaseUrl: string, scopes: Scope[]) =>
  withWriter(databaseUrl, (deps) =>
    createKey(ctxOf(deps), { ownerEmail: 'dev@example.com', scopes, name: 'test', rateMultiplier: 100_000 }),
  )
