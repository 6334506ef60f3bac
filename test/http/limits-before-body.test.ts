// Rate limits are decided before the body is read: a caller who has used them up is refused although no body ever comes.
import { describe, expect, test } from 'bun:test'

import { requestContextOf } from '../../src/auth/request-context.ts'
import { PRESETS } from '../../src/auth/scopes.ts'
import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { settlesWithin } from '../../src/platform/clock/deadlines.ts'
import { PAYMENT_NOTIFICATIONS_PER_MINUTE, TOKEN_REQUESTS_PER_MINUTE } from '../../src/rate-limit/quotas.ts'
import { instrumentedApp, openTestApp, testRequest } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const STRIPE_ROUTE = '/webhooks/stripe'
/** They share a limit of their own. */
const TOKEN_ROUTES = ['/oauth/token', '/oauth/revoke']
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

const sandbox = await opened(openTestApp('migrated', { env: { PUBLIC_RATE_PER_MINUTE: '1' } }))

const stripe = await opened(
  openTestApp('migrated', { env: { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' } }),
)
const scopes = [
  ...PRESETS['full-server'],
  ...PRESETS['pro-dashboard'],
  ...PRESETS['webhook-receiver'],
  ...PRESETS['agent-tools'],
]
const input = { ownerEmail: 'developer@test.example', scopes, name: 'test', rateMultiplier: 0.0001 }
const key = (await createKey(ctxOf(sandbox.deps), input)).secret

/** An address of its own: the counters of all test files are in one Redis. */
const request = (target: string, init: Parameters<typeof testRequest>[2]): Request => {
  const made = testRequest(sandbox.deps.config.baseUrl, target, init)
  requestContextOf(made).peer = () => '203.0.113.77'
  return made
}

/** Sends a request whose body never comes. Returns the status, or `waits` if the response needs the body. */
async function sendWithoutEnd(
  served: ReturnType<typeof instrumentedApp>,
  target: string,
  init: RequestInit & { key?: string },
): Promise<number | 'waits'> {
  const body = new ReadableStream({ pull: () => new Promise<void>(() => undefined) }, { highWaterMark: 0 })
  const headers = { 'content-type': 'application/json' }
  const answer = (async () => (await served.handle(request(target, { headers, ...init, body }))).status)()
  return (await settlesWithin(answer, 450)) ? await answer : 'waits'
}

describe('a caller who has used up a limit is refused without the body', () => {
  test('on every route that takes one', async () => {
    const served = instrumentedApp(sandbox.deps)
    const routes = served.routes.filter(
      ({ method, path }) => METHODS_WITH_BODY.has(method) && !TOKEN_ROUTES.includes(path),
    )
    expect(routes.length).toBeGreaterThan(70)
    for (const { method, path } of routes) {
      await served.handle(request(path, { method, key }))
      expect([method, path, await sendWithoutEnd(served, path, { method, key })]).toEqual([method, path, 429])
    }
  })

  test('also at the routes of the payment provider and for tokens, which have limits of their own', async () => {
    const served = instrumentedApp(stripe.deps)
    const useUp = async (path: string, limit: number) => {
      const send = () => served.handle(request(path, { method: 'POST' }))
      for (let sent = 0; sent < limit; sent += 100) await Promise.all(Array.from({ length: 100 }, send))
    }
    await useUp(STRIPE_ROUTE, PAYMENT_NOTIFICATIONS_PER_MINUTE)
    await useUp('/oauth/token', TOKEN_REQUESTS_PER_MINUTE)
    for (const path of [STRIPE_ROUTE, ...TOKEN_ROUTES])
      expect([path, await sendWithoutEnd(served, path, { method: 'POST' })]).toEqual([path, 429])
  })
})
