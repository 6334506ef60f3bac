// Programs of operators add, change, order, retire and merge categories and services, as the pages of the console do.
import { expect, test } from 'bun:test'

import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { createOperatorWithKey } from '../../../support/operator-keys.ts'

const app = await opened(openTestApp('migrated'))
const ctx = ctxOf(app.deps)
const operator = await createOperatorWithKey(app)
const PATH = '/api/v1/platform/catalog'

interface Entry {
  id: string
  slug: string
  name: string
  active: boolean
  version: string
  formerSlugs: string[]
  mergedInto: string | null
  questions?: object[]
}
interface Body {
  category: Entry
  service: Entry
  categories: Entry[]
  services: Entry[]
  isComplete: boolean
  code: string
  errors?: { path: string; message: string }[]
}

async function call(method: string, path: string, json?: object, headers: Record<string, string> = {}) {
  const sent = { method, key: operator.key, headers, ...(json ? { json } : {}) }
  const response = await app.send(`${PATH}${path}`, sent)
  return { status: response.status, body: (await response.json()) as Body }
}
const read = async () => (await call('GET', '')).body
const newCategory = async (name: string) => (await call('POST', '/categories', { name })).body.category
const newService = async (name: string, categoryId: string) =>
  (await call('POST', '/services', { name, categoryId, priceType: 'flat', durationMinutes: 60 })).body.service
const actionsOn = async (subjectId: string) =>
  (await listActions(ctx, { subjectId })).map(({ action, by }) => [action, by])

test('an empty catalog gets a category and a service, with the usual values where the body says nothing', async () => {
  expect(await read()).toEqual({ categories: [], services: [] } as never)
  const { status, body } = await call('POST', '/categories', { name: 'Gardens & Yards', synonyms: ['Landscaping'] })
  expect([status, body.category]).toMatchObject([
    201,
    { slug: 'gardens-yards', synonyms: ['Landscaping'], active: true },
  ])
  const service = { name: 'Hedge trimming', categoryId: body.category.id, priceType: 'hourly', durationMinutes: 90 }
  const questions = [{ question: 'How long is it?', choices: ['Short', 'Long'] }]
  const added = await call('POST', '/services', { ...service, questions })
  expect(added.body.service).toMatchObject({
    ...service,
    slug: 'hedge-trimming',
    unit: 'hour',
    atCustomer: true,
    questions: [{ question: 'How long is it?', required: false, choices: ['Short', 'Long'] }],
  })
  expect(await read()).toMatchObject({ categories: [body.category], services: [added.body.service] })
  expect(await actionsOn(added.body.service.id)).toEqual([['service.added', operator.email]])
  const listed = (await (await app.send('/api/v1/services')).json()) as { services: { name: string }[] }
  expect(listed.services.map(({ name }) => name)).toEqual(['Hedge trimming'])
})

test('the same Idempotency-Key adds one category and one service', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const add = () => call('POST', '/categories', { name: 'Pools' }, headers)
  const [first, second] = [await add(), await add()]
  expect(second).toEqual(first)
  const service = { name: 'Pool cleaning', categoryId: first.body.category.id, priceType: 'flat', durationMinutes: 60 }
  const offer = () => call('POST', '/services', service, headers)
  expect(await offer()).toEqual(await offer())
  expect((await read()).services.filter(({ name }) => name === 'Pool cleaning').length).toBe(1)
})

test('a service is renamed, ordered, retired and offered again, and keeps what the body leaves out', async () => {
  const { id: categoryId } = await newCategory('Roofs')
  const [one, two] = [await newService('Roof repair', categoryId), await newService('Roof washing', categoryId)]
  const change = async (json: object) => (await call('PATCH', `/services/${two.id}`, json)).body.service
  const named = await change({ name: 'Roof cleaning', slug: 'roof-cleaning' })
  expect(named).toEqual({
    ...two,
    name: 'Roof cleaning',
    slug: 'roof-cleaning',
    formerSlugs: ['roof-washing'],
    version: named.version,
  })
  expect(named.version).not.toBe(two.version)
  await change({ after: null })
  const order = (await read()).services.filter(({ id }) => [one.id, two.id].includes(id)).map(({ id }) => id)
  expect(order).toEqual([two.id, one.id])
  expect((await change({ active: false })).active).toBe(false)
  expect((await read()).services.find(({ id }) => id === two.id)?.active).toBe(false)
  expect((await change({ active: true })).active).toBe(true)
  expect((await actionsOn(two.id)).map(([action]) => action)).toEqual([
    ...Array.from({ length: 4 }, () => 'service.changed'),
    'service.added',
  ])
})

test('a change of what another operator has changed meanwhile is refused', async () => {
  const { id, version } = await newCategory('Windows')
  expect((await call('PATCH', `/categories/${id}`, { name: 'Glass', version })).status).toBe(200)
  const late = await call('PATCH', `/categories/${id}`, { name: 'Panes', version })
  expect([late.status, late.body.code]).toEqual([409, 'invalid_transition'])
  expect((await read()).categories.find((one) => one.id === id)?.name).toBe('Glass')
})

test('what is wrong is named as the body names it', async () => {
  const { id } = await newCategory('Doors')
  const faults = async (...[method, path, json]: Parameters<typeof call>) =>
    ((await call(method, path, json)).body.errors ?? []).map(({ path }) => path)
  expect(await faults('POST', '/categories', { name: 'Doors' })).toEqual(['body.slug', 'body.name'])
  expect(await faults('PATCH', `/categories/${id}`, { slug: 'Not A Slug' })).toEqual(['body.slug'])
  expect(await faults('POST', '/services', { name: 'Locks', priceType: 'flat', durationMinutes: 61 })).toEqual([
    'body.categoryId',
    'body.durationMinutes',
  ])
  expect(await faults('POST', `/categories/${id}/merge`, { into: id })).toEqual(['body.into'])
  expect((await call('PATCH', `/services/${crypto.randomUUID()}`, { name: 'None' })).status).toBe(404)
})

test('a service and a category become part of others, once per Idempotency-Key', async () => {
  const [from, into] = [await newCategory('Drains'), await newCategory('Pipes')]
  const [one, other] = [await newService('Drain cleaning', from.id), await newService('Drain clearing', from.id)]
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const merge = () => call('POST', `/services/${one.id}/merge`, { into: other.id }, headers)
  expect(await merge()).toEqual({ status: 200, body: { isComplete: true } as Body })
  expect(await merge()).toEqual({ status: 200, body: { isComplete: true } as Body })
  expect((await call('POST', `/categories/${from.id}/merge`, { into: into.id })).body.isComplete).toBe(true)
  const { categories, services } = await read()
  expect(services.find(({ id }) => id === one.id)?.mergedInto).toBe(other.id)
  expect(categories.find(({ id }) => id === from.id)?.mergedInto).toBe(into.id)
  expect((await actionsOn(one.id)).map(([action]) => action)).toEqual(['service.merged', 'service.added'])
})
