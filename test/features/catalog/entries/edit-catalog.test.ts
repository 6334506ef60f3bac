// Operators add, rename, order and retire categories and services. What customers and programs see follows at once.
import { describe, expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import {
  addCategory,
  addService,
  changeCategory,
  changeService,
} from '../../../../src/features/catalog/entries/verbs/entries.ts'
import { getCatalog } from '../../../../src/features/catalog/entries/verbs/edit-catalog.ts'
import type { CategoryFields, NewServiceFields } from '../../../../src/features/catalog/entries/schemas.ts'
import { addOffer, listFurtherServices } from '../../../../src/features/business/offers/verbs.ts'
import type { AppError } from '../../../../src/errors/app-error.ts'
import { seed } from '../../../../src/local/seed/seed.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT, testSql } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp('migrated'))
const sql = await opened(testSql(app.databaseUrl, 2), 'end')
await seed(sql, { pros: 60, seed: 1, now: new Date(SEEDED_AT) })
const ctx = ctxOf(app.deps)

const by = null
const PETS: CategoryFields = { name: 'Pet care', slug: 'pet-care', synonyms: ['pets'], active: true }
const walking = (categoryId: string, changes: Partial<NewServiceFields> = {}): NewServiceFields => ({
  name: 'Dog walking',
  slug: 'dog-walking',
  synonyms: ['dog walker', 'Dog Walker', ' '],
  active: true,
  categoryId,
  description: null,
  priceType: 'hourly',
  unit: null,
  durationMinutes: 60,
  atCustomer: true,
  ...changes,
})
const errorsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    ({ code, errors = [] }: AppError) => [code, ...errors.map(({ path }) => path)],
  )
const idOf = async (table: 'services' | 'categories', slug: string): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`select id from ${sql(table)} where slug = ${slug}`
  return row?.id ?? ''
}
interface Listing {
  categories: { id: string; name: string; services: { id: string; name: string; slug: string }[] }[]
}
const listing = async () => (await (await app.send('/api/v1/services')).json()) as Listing
const understood = async (service: string) => {
  const query = new URLSearchParams({ q: service }).toString()
  const { meta } = (await (await app.send(`/api/v1/pros?${query}`)).json()) as {
    meta: { understood?: { service: { slug: string } | null } }
  }
  return meta.understood?.service?.slug
}
/** Other processes hear of a change a moment after its commit. */
const soon = (condition: () => Promise<boolean>) => waitUntil(condition, 10_000)

describe('an added service', () => {
  test('is listed, understood by its synonyms, and offered by pros with its price, unit and length', async () => {
    const categoryId = await addCategory(ctx, { by, ...PETS })
    expect((await listing()).categories.map(({ name }) => name)).not.toContain('Pet care')
    const id = await addService(ctx, { by, ...walking(categoryId) })
    expect(await soon(async () => (await understood('dog walker')) === 'dog-walking')).toBe(true)
    const last = (await listing()).categories.at(-1)
    expect([last?.name, last?.services.map(({ id }) => id)]).toEqual(['Pet care', [id]])
    const [stored] = await sql`select ordinal, synonyms, unit from services where id = ${id}`
    expect(stored).toMatchObject({ ordinal: 10_000, synonyms: ['dog walker'], unit: 'hour' })

    const [pro] = await sql<{ id: string }[]>`select id from professionals where active limit 1`
    const caller = ctxOf(app.deps, { professionalId: pro?.id ?? '' })
    expect((await listFurtherServices(caller)).at(-1)).toMatchObject({ id, category: 'Pet care' })
    const offer = await addOffer(caller, { serviceId: id })
    expect(offer).toMatchObject({ priceType: 'hourly', unit: 'hour', durationMinutes: 60 })
    const found = await (await app.send('/api/v1/pros?service=dog-walking')).json()
    expect((found as { professionals: { id: string }[] }).professionals.map(({ id }) => id)).toEqual([pro?.id ?? ''])
  })

  test('is refused with every field that is wrong', async () => {
    const wrong = walking(crypto.randomUUID(), { name: '?', slug: 'Dog Walking', durationMinutes: 17, unit: ' ' })
    expect(await errorsOf(addService(ctx, { by, ...wrong, priceType: 'per_unit' }))).toEqual([
      'validation_failed',
      'name',
      'slug',
      'categoryId',
      'unit',
      'durationMinutes',
    ])
    const categoryId = await idOf('categories', 'pet-care')
    for (const [changes, field] of [
      [{ slug: 'dog-walkings' }, 'slug'],
      [{ slug: 'plumber' }, 'slug'],
      [{ slug: 'plumbing' }, 'slug'],
      [{ slug: 'console' }, 'slug'],
      [{ slug: 'pro' }, 'slug'],
      [{ slug: 'x'.repeat(101) }, 'slug'],
      [{ slug: 'walks', name: 'Dog Walkings' }, 'name'],
      [{ slug: 'walks', name: 'Walks', unit: 'dog', priceType: 'flat' }, 'unit'],
      [{ slug: 'walks', name: 'Walks', unit: 'day' }, 'unit'],
      [{ slug: 'walks', name: 'Walks', synonyms: ['x'.repeat(101)] }, 'synonyms'],
    ] as const) {
      const errors = await errorsOf(
        addService(ctx, { by, ...walking(categoryId), ...(field === 'slug' && { name: 'Walks' }), ...changes }),
      )
      expect([changes, errors]).toEqual([changes, ['validation_failed', field]])
    }
  })

  test('has a slug and an ordinal of its own, however many operators add at once', async () => {
    const categoryId = await idOf('categories', 'pet-care')
    const name = (n: number) => ({ name: `Pet task ${n % 4}`, slug: `pet-task-${n % 4}` })
    const work = Array.from({ length: 8 }, (_, n) => addService(ctx, { by, ...walking(categoryId, name(n)) }))
    const outcomes = await Promise.allSettled(work)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(await sql`select from services where slug like 'pet-task-%'`).toHaveLength(4)
  })
})

describe('the questions of a service', () => {
  const questions = [
    { question: ' How many\tsquare feet? ', required: true, choices: [' '] },
    { question: 'Is the water running?', required: false, choices: ['Yes', 'No', 'yes'] },
    { question: ' ', required: true, choices: [] },
  ]
  const kept = [
    { question: 'How many square feet?', required: true, choices: [] },
    { question: 'Is the water running?', required: false, choices: ['Yes', 'No'] },
  ]
  const asked = async (id: string) => (await getCatalog(ctx)).services.find((it) => it.id === id)?.questions

  test('are kept in their order and without what says nothing, and stay when something else changes', async () => {
    const id = await idOf('services', 'plumber')
    expect(await changeService(ctx, { by, id, questions })).toBe(true)
    expect(await asked(id)).toEqual(kept)
    expect(await changeService(ctx, { by, id, questions })).toBe(false)
    await changeService(ctx, { by, id, durationMinutes: 95 })
    expect(await asked(id)).toEqual(kept)
    expect(await changeService(ctx, { by, id, questions: kept.toReversed() })).toBe(true)
    const [action] = await sql`
      select details -> 'fields' as fields from operator_actions where subject_id = ${id} order by at desc, id desc limit 1`
    expect(action).toEqual({ fields: { questions: [kept, kept.toReversed()] } })
  })

  test.each([
    ['too many', Array.from({ length: 7 }, (_, n) => ({ question: `Question ${n}?`, choices: [] }))],
    [
      'the same twice',
      [
        { question: 'How large?', choices: [] },
        { question: 'How LARGE?', choices: [] },
      ],
    ],
    ['too long', [{ question: `${'x'.repeat(200)}?`, choices: [] }]],
    ['one answer to choose from', [{ question: 'How large?', choices: ['Large'] }]],
    ['too many answers', [{ question: 'How large?', choices: Array.from({ length: 13 }, (_, n) => `${n} feet`) }]],
    ['a long answer', [{ question: 'How large?', choices: ['Small', 'x'.repeat(81)] }]],
    ['a separator', [{ question: 'Large | small?', choices: [] }]],
    ['the mark of required ones', [{ question: 'How large? *', choices: [] }]],
  ])('are refused for %s', async (_, wrong) => {
    const id = await idOf('services', 'plumber')
    const given = wrong.map((it) => ({ ...it, required: false }))
    expect(await errorsOf(changeService(ctx, { by, id, questions: given }))).toEqual(['validation_failed', 'questions'])
  })
})

describe('a renamed service', () => {
  test('is found by its former slug and name, whose pages redirect, and by its new ones', async () => {
    const id = await idOf('services', 'plumber')
    expect(await changeService(ctx, { by, id, name: 'Pipe fitter', slug: 'pipe-fitter' })).toBe(true)
    expect(await soon(async () => (await understood('pipe fitter')) === 'pipe-fitter')).toBe(true)
    for (const text of ['plumber', 'Plumbers']) expect([text, await understood(text)]).toEqual([text, 'pipe-fitter'])
    const totals = async (service: string) => {
      const response = await app.send(`/api/v1/pros?${new URLSearchParams({ service }).toString()}`)
      const { professionals, meta } = (await response.json()) as {
        professionals: { matchedService: unknown }[]
        meta: { total: number }
      }
      expect(professionals[0]?.matchedService).toMatchObject({ id, name: 'Pipe fitter', slug: 'pipe-fitter' })
      return meta.total
    }
    expect(await totals('plumber')).toBe(await totals('pipe-fitter'))
    for (const path of ['/plumbers/austin-tx', '/plumber/austin-tx', '/pipe-fitter/austin-tx']) {
      const { status, headers } = await app.app.handle(new Request(`${app.deps.config.baseUrl}${path}`))
      expect([path, status, headers.get('location')]).toEqual([path, 308, '/pipe-fitters/austin-tx'])
    }
    // What the built-in vocabulary says of the former slug is said of the service.
    expect(await understood('plomero')).toBe('pipe-fitter')
  })

  test('keeps its former slug from other services, and may have it again', async () => {
    const id = await idOf('services', 'pipe-fitter')
    const categoryId = await idOf('categories', 'pet-care')
    const other = walking(categoryId, { name: 'Something else', slug: 'plumber' })
    expect(await errorsOf(addService(ctx, { by, ...other }))).toEqual(['validation_failed', 'slug'])
    await changeService(ctx, { by, id, slug: 'plumber', name: 'Plumber' })
    const former = await sql<{ slug: string }[]>`select slug from former_slugs where service_id = ${id}`
    expect(former.map(({ slug }) => slug)).toEqual(['pipe-fitter'])
    expect(await soon(async () => (await understood('pipe fitter')) === 'plumber')).toBe(true)
  })

  test('is not changed over what another operator has changed meanwhile', async () => {
    const id = await idOf('services', 'plumber')
    expect(await errorsOf(changeService(ctx, { by, id, seen: 'another state', name: 'Plumbers' }))).toEqual([
      'invalid_transition',
    ])
    expect(await errorsOf(changeService(ctx, { by, id: crypto.randomUUID(), name: 'X' }))).toEqual(['not_found'])
    expect(await changeService(ctx, { by, id, name: 'Plumber' })).toBe(false)
  })
})

describe('the order', () => {
  const slugs = async (category: string) =>
    (await listing()).categories.find(({ name }) => name === category)?.services.map(({ slug }) => slug) ?? []

  test('of services and categories is what operators make it, and no facet of search changes', async () => {
    const before = await sql`select id, ordinal from services order by id`
    const [first = '', second = '', ...others] = await slugs('Plumbing')
    const id = await idOf('services', first)
    await changeService(ctx, { by, id, after: await idOf('services', second) })
    expect(await soon(async () => (await slugs('Plumbing'))[0] === second)).toBe(true)
    expect(await slugs('Plumbing')).toEqual([second, first, ...others])
    await changeService(ctx, { by, id, after: null })
    expect(await soon(async () => (await slugs('Plumbing'))[0] === first)).toBe(true)

    await changeCategory(ctx, { by, id: await idOf('categories', 'pet-care'), after: null })
    expect(await soon(async () => (await listing()).categories[0]?.name === 'Pet care')).toBe(true)
    expect(await sql`select id, ordinal from services order by id`).toEqual(before)
  })

  test('of a service that moves to another category is the last, and searches of both categories are right', async () => {
    const total = async (category: string) => {
      const { meta } = (await (await app.send(`/api/v1/pros?category=${category}&limit=1`)).json()) as {
        meta: { total: number }
      }
      return meta.total
    }
    const expected = async (category: string) =>
      (
        await sql`
          select distinct o.professional_id from professional_services o
          join professionals p on p.id = o.professional_id and p.active
          join services s on s.id = o.service_id and s.active
          join categories k on k.id = s.category_id where k.slug = ${category}`
      ).length
    await changeService(ctx, {
      by,
      id: await idOf('services', 'drain-cleaning'),
      categoryId: await idOf('categories', 'handyman'),
    })
    expect(await soon(async () => (await slugs('Handyman')).at(-1) === 'drain-cleaning')).toBe(true)
    for (const category of ['plumbing', 'handyman'])
      expect([category, await total(category)]).toEqual([category, await expected(category)])
  })
})

describe('a category', () => {
  test('is retired once it has no services that are offered, and its services are offered only with it', async () => {
    const id = await idOf('categories', 'pet-care')
    expect(await errorsOf(changeCategory(ctx, { by, id, active: false }))).toEqual(['validation_failed', 'active'])
    const { services } = await getCatalog(ctx)
    const own = services.filter(({ categoryId }) => categoryId === id)
    for (const service of own) await changeService(ctx, { by, id: service.id, active: false })
    expect(await changeCategory(ctx, { by, id, active: false })).toBe(true)
    expect(await soon(async () => (await understood('pet care')) === undefined)).toBe(true)
    expect(await errorsOf(changeService(ctx, { by, id: own[0]?.id ?? '', active: true }))).toEqual([
      'validation_failed',
      'categoryId',
    ])
  })

  test('is one of at most 99', async () => {
    const { categories } = await getCatalog(ctx)
    for (let n = categories.length; n < 99; n++)
      await addCategory(ctx, { by, name: `Category ${n}`, slug: `category-${n}`, synonyms: [], active: true })
    expect(await errorsOf(addCategory(ctx, { by, ...PETS, name: 'Too many', slug: 'too-many' }))).toEqual([
      'validation_failed',
      'name',
    ])
    const ordinals = (await getCatalog(ctx)).categories.map(({ ordinal }) => ordinal)
    expect(ordinals.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 99 }, (_, n) => n + 1))
  }, 60_000)
})

test('the audit log has every change with the values before and after', async () => {
  const id = await idOf('services', 'plumber')
  const actions = await sql<{ action: string; professionalId: string | null; details: object }[]>`
    select action, professional_id, details from operator_actions where subject_id = ${id} order by at, id`
  expect(actions.map(({ action }) => action)).toContain('service.changed')
  expect(actions.flatMap(({ details }) => details)).toContainEqual({
    fields: { name: ['Plumber', 'Pipe fitter'], slug: ['plumber', 'pipe-fitter'] },
  })
})
