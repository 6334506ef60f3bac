// A program of an operator founds a marketplace: each of its writes once, and each in the audit log.
import { describe, expect, test } from 'bun:test'

import { addOffer } from '../../../../src/features/business/offers/verbs.ts'
import { askForVerification } from '../../../../src/features/business/verification/verbs.ts'
import { decryptData } from '../../../../src/features/messages/messages/verbs/secret-data.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { ensurePlaces } from '../../../../src/local/seed/load-catalog.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { accessOf, nameOf, routes } from '../../../support/app-routes.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { createOperatorWithKey } from '../../../support/operator-keys.ts'
import { PASSWORD, Visitor } from '../../../support/visitor.ts'

const app = await opened(openTestApp('migrated'))
await ensurePlaces(app.sql)
const operator = await createOperatorWithKey(app)
const PLATFORM = '/api/v1/platform'

interface Entry {
  id: string
  slug: string
  status: string
}
interface Body extends Record<string, unknown> {
  pro: Entry
  category: Entry
  service: Entry
  district: { id: number }
  version: number
  code: string
}

const actsOf = async () =>
  await app.sql<{ action: string; by: string | null }[]>`
    select a.action, u.email as by from operator_actions a left join users u on u.id = a.by_user_id order by a.at, a.id`

const WRITES = routes.filter((route) => accessOf(route)?.owner === 'operator' && route.method !== 'GET').map(nameOf)
const written = new Set<string>()

interface Write {
  id?: string | number
  body?: object
  headers?: Record<string, string>
}

/** Writes by a route such as `POST /pros`, and expects rows of the audit log in the operator's name. */
async function write(route: string, { id = '', body, headers = {} }: Write = {}): Promise<Body> {
  const [method = '', path = ''] = route.split(' ')
  written.add(`${method} ${PLATFORM}${path}`)
  const before = (await actsOf()).length
  const sent = { method, key: operator.key, headers, ...(body ? { json: body } : {}) }
  const response = await app.send(PLATFORM + path.replace(':id', String(id)), sent)
  const text = await response.text()
  expect([route, response.ok, response.ok ? '' : text]).toEqual([route, true, ''])
  const acts = (await actsOf()).slice(before)
  expect([route, acts.length > 0, acts.filter(({ by }) => by !== operator.email)]).toEqual([route, true, []])
  return (text === '' ? {} : JSON.parse(text)) as Body
}

/** Whether a search finds the pro. */
async function isFound(slug: string): Promise<boolean> {
  const found = await app.send('/api/v1/pros?service=hedge%20trimming&place=Columbus%2C%20OH')
  const { professionals } = (await found.json()) as { professionals: { slug: string }[] }
  return professionals.some((pro) => pro.slug === slug)
}

const reason = 'The owner asked for it.'
const OWNER = 'owner@oak.example'
const hedges = (categoryId: string, name = 'Hedge trimming') => ({
  name,
  categoryId,
  priceType: 'flat',
  durationMinutes: 60,
})
const newPro = (email: string, says: object = {}) => ({
  businessName: 'Oak Gardens',
  email,
  place: 'Columbus, OH',
  serviceRadiusMiles: 20,
  ...says,
})

/** The path of the link in the owner's message. */
async function mailedLink(): Promise<string> {
  const [message] = await app.sql<{ secret: string }[]>`
    select data_encrypted as secret from messages where kind = 'invitation' and recipient = ${OWNER}`
  const { url } = decryptData(ctxOf(app.deps), { text: message?.secret ?? '' }) as { url: string }
  return new URL(url).pathname
}

describe('in an empty marketplace a program', () => {
  test('names it and says where it serves, as pages show at once', async () => {
    const { version } = await write('PATCH /marketplace', {
      body: { name: 'Maple Street', tagline: 'From next door.' },
    })
    const area = await write('PUT /places/area', {
      body: { version, area: [{ place: 'Columbus, OH', radiusMiles: 30 }] },
    })
    expect(area).toMatchObject({ version: version + 1, area: [{ place: 'Columbus, OH', radiusMiles: 30 }] })
    expect(Number(area['cities'])).toBeGreaterThan(10)
    const page = async () => (await new Visitor(app).get('/about')).text
    expect(await waitUntil(async () => (await page()).includes('Maple Street'), 5000)).toBe(true)
  })

  test('adds a service and a pro, whose owner is invited, logs in by the mailed link, and is found until paused', async () => {
    const { category } = await write('POST /catalog/categories', { body: { name: 'Gardens' } })
    const { service } = await write('POST /catalog/services', { body: hedges(category.id) })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = newPro(OWNER, { externalId: 'crm-1' })
    const { pro } = await write('POST /pros', { body, headers })
    const again = await app.send(`${PLATFORM}/pros`, { method: 'POST', key: operator.key, json: body, headers })
    expect([again.status, ((await again.json()) as Body).pro.id]).toEqual([201, pro.id])
    const [count] = await app.sql<{ n: number }[]>`select count(*)::int as n from professionals`
    expect(count?.n).toBe(1)
    expect((await actsOf()).filter(({ action }) => action === 'pro.created').length).toBe(1)

    await write('POST /pros/:id/invitation', { id: pro.id })
    const owner = new Visitor(app)
    expect((await owner.post(await mailedLink(), { password: PASSWORD })).status).toBe(303)
    const later = new Visitor(app)
    expect(await later.logIn(OWNER, PASSWORD)).toMatchObject({ status: 303, location: '/console' })
    await addOffer(ctxOf(app.deps, { professionalId: pro.id }), { serviceId: service.id, basePrice: 90 })

    const becomes = async (action: string, isThere: boolean) => {
      await write('POST /pros/:id/status', { id: pro.id, body: { action, reason } })
      expect([action, await waitUntil(async () => (await isFound(pro.slug)) === isThere, 5000)]).toEqual([action, true])
    }
    expect(await waitUntil(() => isFound(pro.slug), 5000)).toBe(true)
    await becomes('pause', false)
    await becomes('resume', true)
    await becomes('close', false)
    expect((await later.get('/console')).status).not.toBe(200)
  })

  test('has a row of the audit log in its operator’s name for every other write', async () => {
    const { category } = await write('POST /catalog/categories', { body: { name: 'Pools' } })
    const { category: into } = await write('POST /catalog/categories', { body: { name: 'Ponds' } })
    await write('PATCH /catalog/categories/:id', { id: category.id, body: { name: 'Swimming pools' } })
    const { service } = await write('POST /catalog/services', { body: hedges(category.id, 'Pool cleaning') })
    const { service: other } = await write('POST /catalog/services', { body: hedges(category.id, 'Pool opening') })
    await write('PATCH /catalog/services/:id', { id: service.id, body: { durationMinutes: 90 } })
    await write('POST /catalog/services/:id/merge', { id: service.id, body: { into: other.id } })
    await write('POST /catalog/categories/:id/merge', { id: category.id, body: { into: into.id } })
    const { pro } = await write('POST /pros', { body: newPro('elm@oak.example') })
    const marks = { verified: true, backgroundCheck: false, insurance: false, credentials: false }
    await write('PUT /pros/:id/marks', { id: pro.id, body: { ...marks, reason } })
    await write('PUT /pros/:id/marks', { id: pro.id, body: { ...marks, verified: false, reason } })
    await askForVerification(ctxOf(app.deps, { professionalId: pro.id }), {})
    await write('POST /pros/:id/verification/refuse', { id: pro.id, body: { reason } })
    const place = { name: 'Old Oaks', state: 'OH', position: '39.95, -82.97' }
    const { district } = await write('POST /places/districts', { body: place })
    await write('PATCH /places/districts/:id', { id: district.id, body: { name: 'Older Oaks' } })
    await write('DELETE /places/districts/:id', { id: district.id })
  })
})

test('a version that another operator has replaced is refused, for the marketplace and for its area', async () => {
  const { version } = (await (await app.send(`${PLATFORM}/marketplace`, { key: operator.key })).json()) as Body
  await write('PATCH /marketplace', { body: { version, phone: '614-555-0100' } })
  for (const [method, path, says] of [
    ['PATCH', '/marketplace', { phone: null }],
    ['PUT', '/places/area', { area: [] }],
  ] as const) {
    const late = await app.send(PLATFORM + path, { method, key: operator.key, json: { version, ...says } })
    expect([path, late.status, ((await late.json()) as Body).code]).toEqual([path, 409, 'invalid_transition'])
  }
})

test('what is wrong with a marketplace and its places is named as the body names it', async () => {
  const faultsOf = async (method: string, path: string, json: object) => {
    const response = await app.send(PLATFORM + path, { method, key: operator.key, json })
    return ((await response.json()) as { errors?: { path: string }[] }).errors?.map((one) => one.path)
  }
  expect(await faultsOf('PATCH', '/marketplace', { accent: '#ffff00' })).toEqual(['body.accent'])
  expect(await faultsOf('PATCH', '/marketplace', { minDepositPercentage: 50, maxDepositPercentage: 40 })).toEqual([
    'body.maxDepositPercentage',
  ])
  expect(await faultsOf('PATCH', '/marketplace', { feeCents: 1 })).toEqual(['body.feeCents'])
  expect(await faultsOf('PATCH', '/marketplace', { country: 'CA' })).toEqual(['body.country'])
  expect(await faultsOf('PUT', '/places/area', { area: [{ place: 'Faraway Town', radiusMiles: 5 }] })).toEqual([
    'body.area.0.place',
  ])
  expect(await faultsOf('POST', '/places/districts', { name: 'Oaks', state: 'OH', position: 'there' })).toEqual([
    'body.position',
  ])
})

test('opening and closing it are acts of their own, and a saved version says what was before', async () => {
  const before = (await actsOf()).length
  await write('PATCH /marketplace', { body: { isOpen: false } })
  await write('PATCH /marketplace', { body: { isOpen: true, feeCents: 700 } })
  expect(
    (await actsOf())
      .slice(before)
      .map(({ action }) => action)
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['marketplace.changed', 'marketplace.changed', 'marketplace.opened'])
  const [last] = await app.sql<{ details: object }[]>`
    select details from operator_actions where action = 'marketplace.changed' and details ? 'fields' order by at desc, id desc limit 1`
  expect(last?.details).toMatchObject({ fields: { feeCents: [500, 700] } })
})

test('the stories above have every write of operators’ programs', () => {
  expect(written).toEqual(new Set(WRITES))
})
