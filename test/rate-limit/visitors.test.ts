// The visitors of a widget share its key: one of them cannot use it up for the others.
import { expect, test } from 'bun:test'

import { requestContextOf } from '../../src/auth/request-context.ts'
import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import type { Scope } from '../../src/auth/scopes.ts'
import { CLASSES, classOf } from '../../src/rate-limit/quotas.ts'
import { WIDGET_ORIGIN, instrumentedApp, openTestApp, testRequest } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const app = await opened(openTestApp('migrated'))
const served = instrumentedApp(app.deps)

const LIMITS = [
  ['widget:public', '/api/v1/cities?limit=1', 'GET', 30],
  ['widget:book', '/api/v1/bookings', 'POST', 3],
  // A route with a limit of its own.
  ['widget:book', '/api/v1/bookings?code=HTH-000000000000', 'GET', 3],
] as const

let visitors = 0
const newAddress = () => `198.51.100.${++visitors}`

interface Sent {
  scope: Scope
  path: string
  method: string
}

/** Sends requests with a new key of the scope, by the address of the visitor. */
async function senderOf({ scope, path, method }: Sent) {
  const owner = { ownerEmail: `${crypto.randomUUID()}@test.example`, name: 'widget', origin: WIDGET_ORIGIN }
  const key = (await createKey(ctxOf(app.deps), { ...owner, scopes: [scope], rateMultiplier: 1 })).secret
  return async (address: string) => {
    const json = method === 'POST' ? { json: {} } : {}
    const request = testRequest(app.deps.config.baseUrl, path, { key, headers: { origin: WIDGET_ORIGIN }, ...json })
    requestContextOf(request).peer = () => address
    const response = await served.fetch(request)
    const { limit } = (response.status === 429 ? await response.json() : {}) as { limit?: string }
    const left = new RegExp(`"${classOf(scope)}-minute";r=(\\d+)`).exec(response.headers.get('ratelimit') ?? '')?.[1]
    return {
      status: response.status,
      limit,
      left: Number(left),
      retryAfter: Number(response.headers.get('retry-after')),
    }
  }
}

test.each(LIMITS)(
  'with %s, one visitor of %s is refused after a share of the quota, and no other',
  async (scope, path, method, share) => {
    const send = await senderOf({ scope, path, method })
    const visitor = newAddress()
    for (let n = 0; n < share; n++) expect((await send(visitor)).status).not.toBe(429)
    for (let n = 0; n < CLASSES[classOf(scope)].perMinute; n++) {
      const refused = await send(visitor)
      expect(refused).toMatchObject({ status: 429, limit: `visitor-${classOf(scope)}-minute` })
      expect(refused.retryAfter).toBeWithin(40, 62)
    }
    // What was refused takes nothing from the key.
    const other = await send(newAddress())
    expect(other.status).not.toBe(429)
    expect(other.left).toBe(CLASSES[classOf(scope)].perMinute - share - 1)
  },
)
