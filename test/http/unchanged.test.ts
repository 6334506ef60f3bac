// PATCH requests that change nothing.
import { expect, test } from 'bun:test'

import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { type Tenant, createTenant } from '../support/isolation-tenants.ts'
import { newDraft } from '../support/quotes.ts'

const app = await opened(openTestApp('migrated'))
const { professionalId, owners, own, keys, ...rest } = await createTenant(app)
const pro = { professionalId, accountId: owners[1] ?? '', serviceId: own.offer, key: keys.pro, slug: '', email: '' }
const { id: quote } = await newDraft(app.deps, pro)
const tenant: Tenant = { ...rest, professionalId, owners, keys, own: { ...own, quote } }

/** For each route: its path, the role that calls it, the required fields, and a change. */
const PATCHES: Record<string, (own: Tenant['own']) => { path?: string; required?: object; change: object }> = {
  'PATCH /api/v1/pro/quotes/:id': ({ quote }) => ({ path: `/api/v1/pro/quotes/${quote}`, change: { amount: 250 } }),
  'PATCH /api/v1/pro/availability': () => ({
    change: { defaultSlotMinutes: 45, businessHours: { monday: [{ start: '08:00', end: '12:00' }], sunday: [] } },
  }),
  'PATCH /api/v1/pro/profile': () => ({ change: { businessName: 'Gutters & Sons', acceptsEmergency: true } }),
  'PATCH /api/v1/pro/public-profile': () => ({ change: { headline: 'Gutters in any weather' } }),
  'PATCH /api/v1/pro/business-entity': () => ({ change: { legalName: 'Gutters LLC' } }),
  'PATCH /api/v1/pro/site-config': () => ({ change: { heroTitle: 'Dry walls' } }),
  'PATCH /api/pro/services': ({ offer }) => ({ required: { serviceId: offer }, change: { durationMinutes: 90 } }),
  'PATCH /api/v1/webhooks/:id': ({ webhook }) => ({
    path: `/api/v1/webhooks/${webhook}`,
    // An empty change is refused here: this is its current name.
    required: { name: 'Orders' },
    change: { name: 'Orders of this year' },
  }),
}

test('every PATCH route is here', () => {
  // Changes by operators emit no events: test/features/upkeep/operator-marketplace has them.
  const isPatch = ({ method, path }: { method: string; path: string }) =>
    method === 'PATCH' && !path.startsWith('/api/v1/platform/')
  const routes = app.app.routes.filter(isPatch).map(({ path }) => `PATCH ${path}`)
  expect(Object.keys(PATCHES).sort()).toEqual(routes.sort())
})

test.each(Object.entries(PATCHES))(
  '%s without a change, or with the current values, emits no event',
  async (name, of) => {
    const { path = name.replace('PATCH ', ''), required = {}, change } = of(tenant.own)
    const key = tenant.keys[path.includes('webhooks') ? 'developer' : 'pro']
    const patch = async (json: object) => {
      const response = await app.send(path, { method: 'PATCH', key, json: { ...required, ...json } })
      expect(response.status).toBe(200)
      return await response.text()
    }
    const events = async () => (await app.sql`select count(*)::integer as n from outbox_events`)[0]?.['n'] as number
    const before = await events()
    await patch({})
    expect(await events()).toBe(before)
    const changed = await patch(change)
    const after = await events()
    expect(await patch(change)).toBe(changed)
    expect(await events()).toBe(after)
  },
)
