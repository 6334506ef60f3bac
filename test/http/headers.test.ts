// Headers that keep an answer safe, and who may keep it: by what each route declares, on what it answers.
import { beforeAll, describe, expect, test } from 'bun:test'

import { listPackagesOfPro } from '../../src/features/packages/verbs/packages.ts'
import { changeOffer } from '../../src/features/offers/verbs.ts'
import { type Caching, cachingOf } from '../../src/http/headers.ts'
import {
  type BookableSlot,
  type TestApp,
  findBookableSlot,
  instrumentedApp,
  openTestApp,
  testRequest,
} from '../support/app.ts'
import { useFixture } from '../support/fixture.ts'

type Environment = 'development' | 'production'

const app = useFixture(() => openTestApp())
let served: Record<Environment, TestApp['app']>
let slot: BookableSlot
let key: string
/** Of a package. */
let sku: string

beforeAll(async () => {
  const { deps } = app
  served = {
    development: instrumentedApp(deps),
    production: instrumentedApp({ ...deps, config: { ...deps.config, environment: 'production' } }),
  }
  slot = await findBookableSlot(app)
  key = await app.key()
  const { professionalId, serviceId } = slot
  const change = { serviceId, packageKind: 'standard', packageName: 'Standard', packagePrice: 99 }
  await changeOffer(app.deps, { professionalId }, change)
  sku = (await listPackagesOfPro(app.deps, professionalId))[0]?.sku ?? ''
})

function ask(path: string, init: Parameters<typeof testRequest>[2] = {}, environment = 'development' as Environment) {
  return served[environment].fetch(testRequest(app.deps.config.baseUrl, path, init))
}

const routes = () => app.app.routes.filter(({ method }) => method !== 'ALL')
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** What no one else may keep though it is read without a key, and why. */
const PERSONAL: Record<string, string> = {
  'GET /healthz': 'of one process, at one moment',
  'GET /readyz': 'of one process, at one moment',
  'GET /api/v1/bookings': 'a customer’s booking: the code is the secret',
  'GET /api/v1/quotes/:token': 'a customer’s quote: the link is the secret',
  'GET /quotes/:token': 'a customer’s quote: the link is the secret',
  'GET /pros/:id/book': 'a person’s choice, with a token that books once',
  'GET /pros/:id/quote': 'a person’s request, with a token that asks once',
  'GET /requests/:token': 'a customer’s request: the link is the secret',
  'GET /bookings': 'it leads to a customer’s booking',
  'GET /bookings/:code': 'a customer’s booking: the code is the secret',
  'GET /bookings/:code/move': 'a customer’s booking: the code is the secret',
  'GET /console/login': 'of one browser: it brings a cookie',
  'GET /console/password/:token': 'for one person: the link is the secret',
  'GET /pay/:clientSecret': 'a customer’s payment: the link is the secret',
}

test('every route says who may keep its answers', () => {
  expect(routes().length).toBeGreaterThan(15)
  expect(
    routes()
      .filter((route) => !cachingOf(route))
      .map(nameOf),
  ).toEqual([])
})

test('what needs a key or a session or changes something is kept by nobody; everything else by those who ask again', () => {
  for (const route of routes()) {
    const access = route.hooks.detail?.['x-access']
    const isNobodys = access?.key !== 'required' && !access?.session && route.method === 'GET'
    const shared = route.path.startsWith('/assets/') ? 'asset' : 'public'
    const expected: Caching = isNobodys && !PERSONAL[nameOf(route)] ? shared : 'personal'
    expect([nameOf(route), cachingOf(route)]).toEqual([nameOf(route), expected])
  }
})

/** An address that answers 200 for each route that is read without a key. */
const addresses = (): Record<string, string> => ({
  '/api/v1/pros/:id': `/api/v1/pros/${slot.slug}`,
  '/api/v1/profile/public/:profileId': `/api/v1/profile/public/${slot.slug}`,
  '/api/v1/reviews': `/api/v1/reviews?professionalId=${slot.professionalId}`,
  '/api/v1/pros/:id/availability': `/api/v1/pros/${slot.slug}/availability`,
  '/api/v1/availability/query': `/api/v1/availability/query?professionalId=${slot.professionalId}&serviceId=${slot.serviceId}&date=${slot.date}`,
  '/api/v1/pricing': '/api/v1/pricing?service=plumber',
  '/problems/:code': '/problems/not_found',
  '/pros/:id': `/pros/${slot.slug}`,
  '/packages/:id': `/packages/${sku}`,
  '/sitemaps/:part': '/sitemaps/0.xml',
})

test('a public answer has an ETag, and is 304 with it', async () => {
  for (const route of routes().filter((route) => cachingOf(route) === 'public')) {
    const path = addresses()[route.path] ?? route.path
    const answer = await ask(path)
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'public, no-cache'])
    const etag = answer.headers.get('etag') ?? ''
    expect([path, etag]).toEqual([path, expect.stringMatching(/^"[\w-]{8,}"$/) as string])
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const again = await ask(path, { headers: { 'if-none-match': known } })
      expect([path, again.status, await again.text()]).toEqual([path, 304, ''])
      expect(again.headers.get('cache-control')).toBe('public, no-cache')
      expect(again.headers.get('etag')).toBe(etag)
    }
    expect((await ask(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  }
})

test('a booking, an error, and what has no route are kept by nobody', async () => {
  const customer = { name: 'Customer', email: 'customer@test.example', phone: '555-0100' }
  const booked = await ask('/api/v1/bookings', { key, json: { ...slot, slug: undefined, customer } })
  const { booking } = (await booked.json()) as { booking: { id: string; confirmationCode: string } }
  const answers = await Promise.all([
    ask(`/api/v1/bookings/${booking.id}`, { key }),
    ask(`/api/v1/bookings?code=${booking.confirmationCode}`),
    ask('/api/v1/pros/nobody'),
    ask('/api/v1/pros?limit=many'),
    ask('/api/v1/pros', { method: 'DELETE' }),
    ask('/nowhere'),
    ask('/readyz'),
  ])
  expect([booked, ...answers].map(({ status }) => status)).toEqual([201, 200, 200, 404, 400, 405, 404, 200])
  for (const answer of [booked, ...answers]) expect(answer.headers.get('cache-control')).toBe('no-store')
})

describe('every answer', () => {
  const PATHS = ['/api/v1/services', '/api/v1/pros/nobody', '/nowhere', '/healthz', '/api-docs', '/problems/internal']

  test.each(PATHS)('is of the type it says, names no referrer and belongs in no frame: %s', async (path) => {
    const { headers } = await ask(path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toStartWith("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers.has('permissions-policy')).toBe(headers.get('content-type')?.startsWith('text/html') ?? false)
  })

  test.each(PATHS)('asks for HTTPS in production only: %s', async (path) => {
    expect((await ask(path)).headers.has('strict-transport-security')).toBeFalse()
    const { headers } = await ask(path, {}, 'production')
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000')
  })
})
