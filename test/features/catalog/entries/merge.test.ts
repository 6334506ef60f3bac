// A merged service or category is part of another one: its names find the target, and what exists stays.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import type { AppError } from '../../../../src/errors/app-error.ts'
import { addOffer, listFurtherServices, listOffers } from '../../../../src/features/business/offers/verbs.ts'
import { exportCatalog, importCatalog } from '../../../../src/features/catalog/entries/verbs/catalog-files.ts'
import { getCatalog } from '../../../../src/features/catalog/entries/verbs/edit-catalog.ts'
import {
  addCategory,
  addService,
  changeCategory,
  changeService,
} from '../../../../src/features/catalog/entries/verbs/entries.ts'
import {
  continueCatalogWork,
  hasCatalogWork,
  mergeCategory,
  mergeService,
} from '../../../../src/features/catalog/entries/verbs/merge.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { book, bookingBody, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { Visitor } from '../../../support/visitor.ts'

const world = await opened(openBookingFixture())
const { app, sql, key, clock } = world
const ctx = ctxOf(app.deps)
const by = null
const [one, both] = [await world.pro({ deposit: false }), await world.pro({ deposit: false })]
const old = one.serviceId
const [stored] = await sql<{ name: string; slug: string; categoryId: string }[]>`
  update services set name = 'Drain rodding', slug = 'drain-rodding', synonyms = '{"odd job"}' where id = ${old} returning name, slug, category_id`
const { name, slug, categoryId } = stored ?? { name: '', slug: '', categoryId: '' }
const target = await addService(ctx, {
  by,
  name: 'Small works',
  slug: 'small-works',
  synonyms: ['fixer'],
  active: true,
  categoryId,
  description: null,
  priceType: 'flat',
  unit: null,
  durationMinutes: 45,
  atCustomer: true,
})
await sql`
  insert into professional_services (professional_id, service_id, price_type, base_price_cents)
  select ${both.id}, id, 'flat', case when id = ${target} then 4200 else 7700 end from services where id in (${old}, ${target})
  on conflict do nothing`
const packages = { moved: crypto.randomUUID(), ofBoth: crypto.randomUUID() }
await sql`
  insert into packages (id, professional_id, service_id, sku, kind, name, price_cents, cadence, duration_minutes, created_at, updated_at)
  values (${packages.moved}, ${one.id}, ${old}, 'S-1', 'service', 'Half a day', 9900, 'once', 60, now(), now()),
    (${packages.ofBoth}, ${both.id}, ${old}, 'S-2', 'service', 'Half a day', 9900, 'once', 60, now(), now())`
const before = await book(world, one)

const json = async <Shape>(path: string) => (await (await app.send(path)).json()) as Shape
const found = async (service: string) => {
  const query = new URLSearchParams({ service }).toString()
  const { professionals } = await json<{
    professionals: { id: string; matchedService: { id: string; pricing: { base: number } } }[]
  }>(`/api/v1/pros?${query}`)
  return professionals.map(({ id, matchedService }) => [id, matchedService.id, matchedService.pricing.base])
}
const errorsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    ({ code, errors = [] }: AppError) => [code, ...errors.map(({ path }) => path)],
  )
async function finishWork(): Promise<void> {
  while (await hasCatalogWork(ctx)) if (!(await continueCatalogWork(ctx))) clock.advance(1)
}

test('a service is not merged into itself, an unknown or a retired one, nor with too many other names', async () => {
  const service = { by, name: 'Gone', slug: 'gone', synonyms: [], active: false, categoryId, description: null }
  const details = { priceType: 'flat', unit: null, durationMinutes: 60, atCustomer: true } as const
  const retired = await addService(ctx, { ...service, ...details })
  const named = { active: true, slug: 'named', name: 'Named', synonyms: Array.from({ length: 50 }, (_, n) => `n ${n}`) }
  const manyNames = await addService(ctx, { ...service, ...details, ...named })
  for (const into of [old, crypto.randomUUID(), retired, manyNames])
    expect(await errorsOf(mergeService(ctx, { by, id: old, into }))).toEqual(['validation_failed', 'into'])
  expect(await errorsOf(mergeService(ctx, { by, id: retired, into: target }))).toEqual(['validation_failed', 'into'])
  expect(await errorsOf(mergeService(ctx, { by, id: crypto.randomUUID(), into: target }))).toEqual(['not_found'])
})

test('while a merge is under way, neither service is retired, and no further pro offers the one', async () => {
  await sql`update services set merged_into = ${target} where id = ${old}`
  expect(await errorsOf(changeService(ctx, { by, id: old, name: 'Another' }))).toEqual(['validation_failed', 'name'])
  expect(await errorsOf(changeService(ctx, { by, id: target, active: false }))).toEqual(['validation_failed', 'active'])
  expect(await changeService(ctx, { by, id: target, name: 'Small jobs' })).toBe(true)
  const other = ctxOf(app.deps, { professionalId: (await world.pro()).id })
  await sql`delete from professional_services where professional_id = ${other.actor.professionalId}`
  expect((await listFurtherServices(other)).map(({ id }) => id)).not.toContain(old)
  expect(await errorsOf(addOffer(other, { serviceId: old }))).toEqual(['validation_failed', 'body.serviceId'])
})

test('merged, its id, slug, name and synonyms find the pros of both, each once, at the price of the target if they have one', async () => {
  await sql`
    update services set questions = jsonb_build_array(jsonb_build_object('question', name, 'required', false, 'choices', '[]'::jsonb))
    where id in (${old}, ${target})`
  const asks = async () => (await getCatalog(ctx)).services.find(({ id }) => id === target)?.questions
  const asked = await asks()
  expect(await mergeService(ctx, { by, id: old, into: target })).toBe(true)
  // Another process may not have heard of it yet, and still asks for the facet of the one.
  await continueCatalogWork(ctx)
  const [kept] = await sql<{ active: boolean }[]>`select active from services where id = ${old}`
  expect(kept?.active).toBe(true)
  const pros = new Set([
    [one.id, target, 250],
    [both.id, target, 42],
  ])
  const isFound = async (service: string) => (await found(service)).every(([, service]) => service === target)
  for (const service of [old, slug, name, 'odd job', target, 'fixer']) {
    expect([service, await waitUntil(() => isFound(service), 10_000)]).toEqual([service, true])
    expect([service, new Set(await found(service))]).toEqual([service, pros])
  }
  const answer = await json<{ service: { id: string } }>(`/api/v1/pricing?service=${old}`)
  expect(answer.service.id).toBe(target)
  const listed = await json<{ services: { id: string }[] }>('/api/v1/services')
  expect(listed.services.map(({ id }) => id)).not.toContain(old)
  await finishWork()
  for (const service of [old, slug, name]) expect(new Set(await found(service))).toEqual(pros)
  expect([asked?.length, await asks()]).toEqual([1, asked])
})

test('its pages redirect to those of the target', async () => {
  const { app: routes, deps } = app
  const [city] = await sql<{ path: string }[]>`
    select lower(replace(c.name, ' ', '-') || '-' || c.state) as path from cities c join professionals p on p.city_id = c.id
    where p.id = ${one.id}`
  const { status, headers } = await routes.handle(new Request(`${deps.config.baseUrl}/${slug}/${city?.path}`))
  expect([status, headers.get('location')]).toEqual([308, expect.stringMatching(/^\/small-works\//)])
})

test('its bookings stay with its name, can be moved and cancelled; a new one is refused with the id of the target', async () => {
  const { booking, manageUrl } = before
  const page = await new Visitor(app).get(new URL(manageUrl).pathname)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(name)])
  const { date, time } = bookingBody(one, 4)
  const moved = await app.send(`/api/v1/bookings/${booking.id}/reschedule`, { key, json: { date, time } })
  expect([moved.status, await moved.text()]).toEqual([200, expect.stringContaining(old)])
  expect((await app.send(`/api/v1/bookings/${booking.id}/cancel`, { key, json: {} })).status).toBe(200)

  const refused = await app.send('/api/v1/bookings', { key, json: bookingBody(one, 3) })
  expect([refused.status, await refused.json()]).toEqual([
    404,
    expect.objectContaining({ code: 'service_not_found', detail: expect.stringContaining(target) as string }),
  ])
  const customer = { name: 'Homeowner', email: 'home@example.com' }
  const request = { professionalId: one.id, description: 'The tap in the kitchen drips all night.', customer }
  const asked = await app.send('/api/v1/rfqs', { key: await app.key(), json: { ...request, serviceId: old } })
  expect([asked.status, await asked.text()]).toEqual([404, expect.stringContaining(target)])
  const times = await app.send(`/api/v1/pros/${one.id}/availability?serviceId=${old}`)
  expect([times.status, await times.text()]).toEqual([404, expect.stringContaining(target)])
  const wanted = { ...bookingBody(one, 3), serviceId: target }
  expect((await app.send('/api/v1/bookings', { key, json: wanted })).status).toBe(201)
})

test('a pro offers the target with the former length and package; the former offer is gone from the list', async () => {
  const { services } = await listOffers(ctxOf(app.deps, { professionalId: one.id }))
  const offer = services.find(({ serviceId }) => serviceId === target)
  const [{ minutes } = { minutes: 0 }] = await sql<{ minutes: number }[]>`
    select duration_minutes as minutes from services where id = ${old}`
  expect(offer).toMatchObject({ basePrice: 250, durationMinutes: minutes, package: { id: packages.moved } })
  expect(services.map(({ serviceId }) => serviceId)).not.toContain(old)
})

test('it does not change any more, is not exported, and a file that changes it is refused', async () => {
  expect(await errorsOf(changeService(ctx, { by, id: old, active: true }))).toEqual(['validation_failed', 'name'])
  const file = await exportCatalog(ctx)
  expect(file.categories.flatMap(({ services = [] }) => services.map(({ id }) => id))).not.toContain(old)
  const back = [{ id: categoryId, slug: 'x', name: 'X', services: [{ id: old, slug, name, active: true }] }]
  expect(await errorsOf(importCatalog(ctx, { by, file: { categories: back }, isDryRun: true }))).toEqual([
    'validation_failed',
    'categories.0.services.0.name',
  ])
  expect(await importCatalog(ctx, { by, file, isDryRun: true })).toEqual([])
})

test('what was merged into a service that is merged finds the last one', async () => {
  const { services } = await getCatalog(ctx)
  const last = services.find(({ slug }) => slug === 'named')?.id ?? ''
  await changeService(ctx, { by, id: last, synonyms: [] })
  await mergeService(ctx, { by, id: target, into: last })
  for (const service of [old, slug, target, 'small-works'])
    expect([service, await waitUntil(async () => (await found(service))[0]?.[1] === last, 10_000)]).toEqual([
      service,
      true,
    ])
})

test('a merged category is found as the one that has its services now', async () => {
  const work = { name: 'Sheds', slug: 'sheds', synonyms: ['huts'], active: true }
  const into = await addCategory(ctx, { by, ...work })
  const totalOf = async (category: string) =>
    (await json<{ meta: { total: number } }>(`/api/v1/pros?category=${category}&limit=1`)).meta.total
  const total = await totalOf(categoryId)
  expect(total).toBeGreaterThan(0)
  expect(await mergeCategory(ctx, { by, id: categoryId, into })).toBe(true)
  expect(await errorsOf(changeCategory(ctx, { by, id: categoryId, name: 'Again' }))).toEqual([
    'validation_failed',
    'name',
  ])
  const isListed = async () =>
    (await json<{ categories: { id: string; services: unknown[] }[] }>('/api/v1/services')).categories.some(
      ({ id, services }) => id === into && services.length > 0,
    )
  expect(await waitUntil(isListed, 10_000)).toBe(true)
  for (const category of [categoryId, into, 'sheds', 'huts'])
    expect([category, await totalOf(category)]).toEqual([category, total])
  await finishWork()
  for (const category of [categoryId, into, 'sheds'])
    expect([category, await totalOf(category)]).toEqual([category, total])
  const { categories, services } = await getCatalog(ctx)
  expect(categories.find(({ id }) => id === categoryId)).toMatchObject({ active: false, mergedInto: into })
  expect(services.filter((service) => service.categoryId === categoryId)).toEqual([])
})

test('the audit log has each merge with its target', async () => {
  const actions = await sql<{ action: string; details: { fields: { mergedInto?: unknown } } }[]>`
    select action, details from operator_actions where action in ('service.merged', 'category.merged') order by at, id`
  expect(actions.map(({ action }) => action)).toEqual(['service.merged', 'category.merged'])
  expect(actions.every(({ details }) => details.fields.mergedInto !== undefined)).toBe(true)
})
