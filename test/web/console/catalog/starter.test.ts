// An operator fills an empty catalog from the starter set: some, all of a category, everything; what is there already stays as it is.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { withStarters } from '../../../../src/features/catalog/entries/rules/starter.ts'
import type { Catalog } from '../../../../src/features/catalog/entries/schemas.ts'
import { trades } from '../../../../src/features/catalog/entries/starter-set.ts'
import {
  addCategory,
  addService,
  changeCategory,
  changeService,
} from '../../../../src/features/catalog/entries/verbs/entries.ts'
import { addStarters } from '../../../../src/features/catalog/entries/verbs/starter.ts'
import { seed } from '../../../../src/local/seed/seed.ts'
import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'

const PATH = '/console/catalog/starter'
const ALL = trades.flatMap(({ services }) => services)
const app = await opened(openTestApp('migrated'))
const ctx = ctxOf(app.deps)
const operator = await loggedInVisitor(app, 'operator')

const stored = () => app.sql`
  select (select jsonb_agg(to_jsonb(k) order by k.id) from categories k) as categories,
    (select jsonb_agg(to_jsonb(s) order by s.id) from services s) as services`
const idOf = async (slug: string) => {
  const [row] = await app.sql<{ id: string }[]>`select id from services where slug = ${slug}`
  return row?.id ?? ''
}
const categoryOf = (slug: string) => {
  const trade = trades.find((it) => it.slug === slug)
  if (!trade) throw new Error(`the set has no category ${slug}`)
  return trade
}
const plumbing = categoryOf('plumbing')
const cleaning = categoryOf('cleaning')

test('an empty catalog leads to the set, which shows each service with its price, length and other names', async () => {
  expect((await operator.get('/console/catalog')).text).toContain(`<a href="${PATH}">Choose from the starter set</a>`)
  const { text } = await operator.get(PATH)
  for (const { slug } of ALL) expect(text).toContain(`name="service" value="${slug}"`)
  for (const { slug } of trades) expect(text).toContain(`name="category" value="${slug}"`)
  expect(text).toContain('Add all 120')
  expect(text).toMatch(/value="plumber".*?Per hour.*?>90</s)
  expect(text).toContain(plumbing.services[0]?.synonyms.join(', ') ?? '?')
})

test('a form without a tick is refused, and one with an unknown service, too', async () => {
  const none = await operator.post(PATH, {})
  expect([none.status, none.text]).toEqual([400, expect.stringContaining('Must have a box that is ticked.')])
  const unknown = await operator.post(PATH, { service: ['plumber', 'no-such-service'] })
  expect(unknown.status).toBe(400)
  expect(unknown.text).toContain('no-such-service')
  expect(unknown.text).toMatch(/name="service" value="plumber" checked/)
  expect(await app.sql`select from services`).toHaveLength(0)
})

test('some services and all of a category are added with the ids of the seed, in the order of the set, and once', async () => {
  const ticked = { service: ['toilet-repair', 'plumber'], category: ['cleaning'] }
  const added = await operator.post(PATH, ticked)
  expect([added.status, added.location]).toEqual([303, '/console/catalog'])
  expect((await operator.get('/console/catalog')).text).toContain(`${cleaning.services.length + 2} services added.`)
  const rows = await app.sql<{ id: string; slug: string }[]>`
    select s.id, s.slug from services s join categories k on k.id = s.category_id
    order by k.position nulls last, k.ordinal, s.position nulls last, s.ordinal`
  const wanted = [...plumbing.services.filter(({ slug }) => ticked.service.includes(slug)), ...cleaning.services]
  expect(rows.map(({ id, slug }) => ({ id, slug }))).toEqual(wanted.map(({ id, slug }) => ({ id, slug })))
  const before = await stored()
  expect((await operator.post(PATH, ticked)).status).toBe(303)
  expect((await operator.get('/console/catalog')).text).toContain('Nothing was added: the catalog has all of it.')
  expect(await stored()).toEqual(before)
  const { text } = await operator.get(PATH)
  expect(text).toMatch(/>Plumber<\/a> <span class="[^"]*">In your catalog/)
  expect(text).not.toContain('name="service" value="plumber"')
  expect(text).not.toContain('name="category" value="cleaning"')
  expect(text).toContain(`All of Plumbing (${plumbing.services.length - 2})`)
})

test('what the operator has renamed, retired or added under a name of the set stays, and is marked', async () => {
  await changeService(ctx, {
    by: null,
    id: await idOf('plumber'),
    name: 'Pipe fitter',
    slug: 'pipe-fitter',
    durationMinutes: 45,
  })
  await changeService(ctx, { by: null, id: await idOf('toilet-repair'), active: false })
  const own = await addCategory(ctx, { by: null, name: 'Outdoors', slug: 'outdoors', synonyms: [], active: true })
  const usual = { priceType: 'flat' as const, unit: null, durationMinutes: 60, atCustomer: true, description: null }
  const lawn = { name: 'Lawn Mowing', slug: 'grass', synonyms: [], active: true, categoryId: own }
  await addService(ctx, { by: null, ...lawn, ...usual })
  await addCategory(ctx, { by: null, name: 'Roofs', slug: 'roofing', synonyms: [], active: true })
  const before = await app.sql`select to_jsonb(s) as row from services s order by id`
  expect((await operator.post(PATH, { all: 'on' })).status).toBe(303)
  const after = await app.sql<{ row: { id: string } }[]>`select to_jsonb(s) as row from services s order by id`
  const kept = new Set((before as unknown as { row: { id: string } }[]).map(({ row }) => row.id))
  const fieldsOf = (rows: unknown) =>
    (rows as { row: { id: string; position: number } }[])
      .filter(({ row }) => kept.has(row.id))
      .map(({ row }) => ({ ...row, position: null }))
  expect(fieldsOf(after)).toEqual(fieldsOf(before))
  // Lawn mowing is that of the operator, and roofs get the services of the set.
  expect(after).toHaveLength(120)
  expect(await idOf('lawn-mowing')).toBe('')
  const [roofs] = await app.sql<{ services: number }[]>`
    select count(*)::int as services from services s join categories k on k.id = s.category_id where k.name = 'Roofs'`
  expect(roofs?.services).toBe(categoryOf('roofing').services.length)
  expect(await app.sql`select from categories where slug = 'roofing'`).toHaveLength(1)
  const { text } = await operator.get(PATH)
  expect(text).toContain('Your catalog has all of them.')
})

test('a retired category gets nothing, and the page leads to it', async () => {
  const other = await opened(openTestApp('migrated'))
  const visitor = await loggedInVisitor(other, 'operator')
  const there = ctxOf(other.deps)
  const id = await addCategory(there, { by: null, name: 'Plumbing', slug: 'plumbing', synonyms: [], active: true })
  await changeCategory(there, { by: null, id, active: false })
  const refused = await visitor.post(PATH, { service: 'plumber' })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('which is retired')])
  const { text } = await visitor.get(PATH)
  expect(text).toContain(`<a href="/console/catalog/categories/${id}">Offer it again</a>`)
  expect(text).not.toContain('name="category" value="plumbing"')
  expect(await other.sql`select from services`).toHaveLength(0)
})

test('a catalog filled from the set is that of the seed, which then changes nothing', async () => {
  const other = await opened(openTestApp('migrated'))
  await addStarters(ctxOf(other.deps), { by: null, services: ALL })
  const rows = () => other.sql`select to_jsonb(s) - 'position' as row from services s order by id`
  const before = await rows()
  await seed(other.sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })
  expect(await rows()).toEqual(before)
  const seeded = await opened(openTestApp('migrated'))
  await seed(seeded.sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })
  expect(await seeded.sql`select to_jsonb(s) - 'position' as row from services s order by id`).toEqual(before)
})

test('services of the set stand beside their neighbours of the set, whatever the order of the rest', () => {
  const [first, second, third] = plumbing.services
  if (!first || !second || !third) throw new Error('the set has no services')
  const empty: Catalog = { categories: [], services: [] }
  const some = withStarters(empty, [first, third])
  const turned = { ...some, services: some.services.toReversed() }
  const slugs = withStarters(turned, [second]).services.map(({ slug }) => slug)
  expect(slugs).toEqual([third.slug, first.slug, second.slug])
})
