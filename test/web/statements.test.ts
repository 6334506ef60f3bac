// Pages read what they show in a few statements, however many rows they list.
import { expect, test } from 'bun:test'

import { NodeSDK } from '@opentelemetry/sdk-node'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'

import { findBookableSlot, openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { type Tenant, createTenant } from '../support/isolation-tenants.ts'
import { tokenOf } from '../support/quotes.ts'
import { Visitor, loggedInVisitor } from '../support/visitor.ts'

/** The most that a page runs: the pro's day, with its visits, requests, notices, proposals and trends. */
const MAX_STATEMENTS = 9
const PAGES = {
  guest: [
    '/',
    '/plumbers/austin-tx',
    '/?service=plumbing&near=Austin%2C+TX',
    '/pros/:pro',
    '/pros/:pro/book',
    '/pros/:pro/book?service=:service',
  ],
  pro: [
    '',
    'calendar',
    'bookings',
    'bookings?show=past',
    'leads',
    'jobs',
    'services',
    'settings',
    'team',
    'search?q=a',
  ],
  operator: ['', 'reviews', 'payments', 'users', 'verification'],
  developer: ['', 'keys', 'webhooks', 'webhooks/deliveries', 'usage'],
} as const
/** The rows that the lists of the pro and the developer have at least: a statement for each row would run as often. */
const ROWS = 3
type Person = keyof typeof PAGES

const app = await opened(openTestApp())
/** The names of the statements of a request. */
const statements: string[] = []
const visitors = new Map<Person, Visitor>()
/** The values of the parameters in the guest's paths. */
let [slug, service] = ['', '']

/** Each statement has a span, whichever pool, replica or transaction runs it. */
const noteStatements: SpanProcessor = {
  onStart: () => undefined,
  onEnd: ({ attributes, name }) => {
    if (attributes['db.system.name'] !== undefined) statements.push(name)
  },
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
}

/** Adds rows to the lists of the pro and the developer. */
async function fillLists({ keys, professionalId, own }: Tenant): Promise<void> {
  const send = async (path: string, key: string, json: object) => {
    const response = await app.send(path, { key, json })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, { id: string }> & { id: string }
  }
  const customer = { name: 'Homeowner in Austin', email: own.customerEmail }
  const service = { professionalId, serviceId: own.offer, customer }
  const request = { ...service, description: 'The gutter leaks at the corner.' }
  const [developer] = await app.sql<{ email: string }[]>`
    select a.email from accounts a join api_keys k on k.account_id = a.id where k.id = ${own.key}`
  for (let n = 0; n < ROWS; n++) {
    await send('/api/v1/bookings', keys.developer, { ...service, date: '2026-06-11', time: `${10 + 2 * n}:00` })
    await send('/api/v1/rfqs', keys.developer, request)
    const { rfq } = await send('/api/v1/rfqs', keys.developer, request)
    const { quote } = await send('/api/v1/pro/quotes', keys.pro, { rfqId: rfq?.id, amount: 300 })
    await send(`/api/v1/quotes/${tokenOf(app.deps, quote?.id ?? '')}/accept`, keys.developer, {})
    await send('/api/v1/pro/team', keys.pro, { name: 'Crew', email: `crew-${n}@test.example` })
    await app.key(['pros:read'], developer?.email)
    const hook = { name: 'Orders', url: `https://hooks.test.example/${n}`, events: ['booking.created'] }
    const { id } = await send('/api/v1/webhooks', keys.developer, hook)
    await send(`/api/v1/webhooks/${id}/test`, keys.developer, {})
  }
}
;({ slug, serviceId: service } = await findBookableSlot(app))
const tenant = await createTenant(app)
await fillLists(tenant)
visitors.set('guest', new Visitor(app))
visitors.set('pro', tenant.visitors.pro)
visitors.set('operator', await loggedInVisitor(app, 'operator'))
visitors.set('developer', tenant.visitors.developer)
const settings = { autoDetectResources: false, metricReaders: [], logRecordProcessors: [] }
new NodeSDK({ ...settings, spanProcessors: [noteStatements] }).start()

const cases = Object.entries(PAGES).flatMap(([person, paths]) =>
  paths.map((path): [Person, string] => [person as Person, person === 'guest' ? path : `/console/${path}`]),
)

test.each(cases)(
  `a %s's page %s runs at most ${MAX_STATEMENTS} statements, and none of them three times`,
  async (person, path) => {
    const open = async () =>
      await visitors.get(person)?.get(path.replace(':pro', slug).replace(':service', service).replace(/\/$/, '') || '/')
    // The first one fills caches.
    await open()
    statements.length = 0
    expect((await open())?.status).toBe(200)
    expect(statements.length).toBeGreaterThan(0)
    expect([statements.length <= MAX_STATEMENTS, statements]).toEqual([true, statements])
    const runs = Map.groupBy(statements, (name) => name)
    expect([...runs.values()].filter(({ length }) => length >= ROWS)).toEqual([])
  },
)
