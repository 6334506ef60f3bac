// Security headers and cache headers: the declaration of each route and the responses it sends.
import { describe, expect, test } from 'bun:test'

import { type Caching, cachingOf } from '../../src/http/headers.ts'
import { type TestApp, findBookableSlot, instrumentedApp, openTestApp, testRequest } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { publicPaths } from '../support/public-paths.ts'

type Environment = 'development' | 'production'

const app = await opened(openTestApp())
const { deps } = app
const served: Record<Environment, TestApp['app']> = {
  development: instrumentedApp(deps),
  production: instrumentedApp({ ...deps, config: { ...deps.config, environment: 'production' } }),
}
const slot = await findBookableSlot(app)
const key = await app.key()
const paths = await publicPaths(app.deps, slot)

function request(
  path: string,
  init: Parameters<typeof testRequest>[2] = {},
  environment = 'development' as Environment,
) {
  return served[environment].fetch(testRequest(app.deps.config.baseUrl, path, init))
}

const routes = () => app.app.routes.filter(({ method }) => method !== 'ALL')
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Routes that need no key but whose responses only their receiver may store, with the reason. */
const PERSONAL: Record<string, string> = {
  'GET /healthz': 'the state of one process at one moment',
  'GET /readyz': 'the state of one process at one moment',
  'GET /api/v1/bookings': 'a customer’s booking: the code is the secret',
  'GET /api/v1/quotes/:token': 'a customer’s quote: the link is the secret',
  'GET /for-pros/join': 'where the application of the person stands',
  'GET /quotes/:token': 'a customer’s quote: the link is the secret',
  'GET /quotes/:token/time': 'a customer’s quote: the link is the secret',
  'GET /quotes/:token/cancel': 'a customer’s quote: the link is the secret',
  'GET /quotes/:token/receipt': 'a customer’s payment: the link is the secret',
  'GET /pros/:id/book': 'a form with a token that books once',
  'GET /pros/:id/quote': 'a form with a token that sends one request',
  'GET /pros/:id/quote/photos/:photo': 'what became of one visitor’s photo',
  'GET /requests/:token': 'a customer’s request: the link is the secret',
  'GET /bookings': 'it redirects to a customer’s booking',
  'GET /bookings/:code': 'a customer’s booking: the code is the secret',
  'GET /bookings/manage/:token': 'a customer’s booking: the link is the secret',
  'GET /bookings/manage/:token/move': 'a customer’s booking: the link is the secret',
  'GET /bookings/manage/:token/cancel': 'a customer’s booking: the link is the secret',
  'GET /bookings/manage/:token/receipt': 'a customer’s payment: the link is the secret',
  'GET /bookings/manage/:token/review': 'a customer’s booking: the link is the secret',
  'GET /bookings/manage/:token/review/photos/:photo': 'what became of a customer’s photo: the link is the secret',
  'GET /oauth/authorize': 'it stores the request of an app',
  'GET /oauth/consent': 'it is for the person of one session',
  'GET /my/sign-in': 'it sets a cookie in one browser',
  'GET /my/sign-in/code': 'the address of one browser’s customer',
  'GET /console/login': 'it sets a cookie in one browser',
  'GET /console/login/code': 'it leads to the log-in',
  'GET /console/password/:token': 'for one person: the link is the secret',
  'GET /console/email/:token': 'for one person: the link is the secret',
  'GET /pay/:clientSecret': 'a customer’s payment: the link is the secret',
  'GET /unsubscribe/:token': 'what one address gets: the link is the secret',
  'GET /reviews/:token': 'a review to confirm: the link is the secret',
}

/** Reads for one person that their program may store and revalidate. */
const PRIVATE: Record<string, string> = {
  'GET /calendars/:token': 'a pro’s bookings, which a calendar program reads every few minutes',
}

test('every route declares the caching of its responses', () => {
  expect(routes().length).toBeGreaterThan(15)
  expect(
    routes()
      .filter((route) => !cachingOf(route))
      .map(nameOf),
  ).toEqual([])
})

test('responses to keys, sessions and changes are never stored; all others may be stored and revalidated', () => {
  for (const route of routes()) {
    const access = route.hooks.detail?.['x-access']
    const hasSession = access?.session !== undefined || access?.customer === true
    const isAnonymousRead = access?.key !== 'required' && !hasSession && route.method === 'GET'
    const shared = /^\/(assets|files)\//.test(route.path) ? 'asset' : 'public'
    const unshared = PRIVATE[nameOf(route)] ? 'private' : 'personal'
    const expected: Caching = isAnonymousRead && !PERSONAL[nameOf(route)] && unshared === 'personal' ? shared : unshared
    expect([nameOf(route), cachingOf(route)]).toEqual([nameOf(route), expected])
  }
})

test('a public response has an ETag, and a request with that ETag gets 304', async () => {
  for (const route of routes().filter((route) => cachingOf(route) === 'public')) {
    const path = paths[route.path] ?? route.path
    const response = await request(path)
    expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 200, 'public, no-cache'])
    const etag = response.headers.get('etag') ?? ''
    expect([path, etag]).toEqual([path, expect.stringMatching(/^"[\w-]{8,}"$/) as string])
    for (const ifNoneMatch of [etag, `"other", W/${etag}`, '*']) {
      const revalidated = await request(path, { headers: { 'if-none-match': ifNoneMatch } })
      expect([path, revalidated.status, await revalidated.text()]).toEqual([path, 304, ''])
      expect(revalidated.headers.get('cache-control')).toBe('public, no-cache')
      expect(revalidated.headers.get('etag')).toBe(etag)
    }
    expect((await request(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  }
})

test('bookings, errors and responses of unknown paths are never stored', async () => {
  const customer = { name: 'Customer', email: 'customer@test.example', phone: '555-0100' }
  const booked = await request('/api/v1/bookings', { key, json: { ...slot, slug: undefined, customer } })
  const { booking } = (await booked.json()) as { booking: { id: string; confirmationCode: string } }
  const responses = await Promise.all([
    request(`/api/v1/bookings/${booking.id}`, { key }),
    request(`/api/v1/bookings?code=${booking.confirmationCode}`),
    request('/api/v1/pros/unknown'),
    request('/api/v1/pros?limit=many'),
    request('/api/v1/pros', { method: 'DELETE' }),
    request('/nowhere'),
    request('/readyz'),
  ])
  expect([booked, ...responses].map(({ status }) => status)).toEqual([201, 200, 200, 404, 400, 405, 404, 200])
  for (const response of [booked, ...responses]) expect(response.headers.get('cache-control')).toBe('no-store')
})

test('a page sends its forms to its own site only and has no base address; the search alone may ask for a location', async () => {
  const pages: string[] = []
  for (const route of routes().filter(({ method }) => method === 'GET')) {
    const path = paths[route.path] ?? route.path
    const { headers } = await request(path, { headers: { accept: 'text/html' } })
    if (!headers.get('content-type')?.startsWith('text/html')) continue
    pages.push(path)
    const policy = headers.get('content-security-policy') ?? ''
    expect([path, policy]).toEqual([path, expect.stringMatching(/; base-uri 'none'(;|$)/) as string])
    expect([path, policy]).toEqual([path, expect.stringMatching(/; form-action '(none|self)'(;|$)/) as string])
    const location = /geolocation=(\([^)]*\))/.exec(headers.get('permissions-policy') ?? '')?.[1]
    expect([path, location]).toEqual([path, route.path === '/' ? '(self)' : '()'])
  }
  expect(pages.length).toBeGreaterThan(10)
})

describe('every response', () => {
  const PATHS = ['/api/v1/services', '/api/v1/pros/unknown', '/nowhere', '/healthz', '/api-docs', '/problems/internal']

  test.each(PATHS)('forbids type sniffing, referrers and framing: %s', async (path) => {
    const { headers } = await request(path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toStartWith("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers.has('permissions-policy')).toBe(headers.get('content-type')?.startsWith('text/html') ?? false)
  })

  test.each(PATHS)('requires HTTPS in production only: %s', async (path) => {
    expect((await request(path)).headers.has('strict-transport-security')).toBeFalse()
    const { headers } = await request(path, {}, 'production')
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000')
  })
})
