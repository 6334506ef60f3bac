// While operators add, rename, order, move, merge and retire at random, each search finds exactly what the tables say.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import type { AppError } from '../../../../src/errors/app-error.ts'
import type { ServiceEntry } from '../../../../src/features/catalog/entries/schemas.ts'
import {
  addCategory,
  addService,
  changeCategory,
  changeService,
} from '../../../../src/features/catalog/entries/verbs/entries.ts'
import { getCatalog } from '../../../../src/features/catalog/entries/verbs/edit-catalog.ts'
import {
  continueCatalogWork,
  hasCatalogWork,
  mergeCategory,
  mergeService,
} from '../../../../src/features/catalog/entries/verbs/merge.ts'
import { getCatalogNames } from '../../../../src/features/catalog/services/verbs/names.ts'
import { toStatement } from '../../../../src/features/search/pros/queries/search.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../../support/app.ts'
import { manualClock } from '../../../support/booking-fixture.ts'
import { testSql } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import {
  CITIES,
  differencesFromRebuilt,
  insertMarketplace,
  pick,
  refreshAtOnce,
  searchByReference,
  seededRandom,
} from '../../../support/search.ts'

const ROUNDS = 60
const PROS = 400

const clock = manualClock()
const app = await opened(openTestApp('migrated', { clock }))
const sql = await opened(testSql(app.databaseUrl, 4), 'end')
await insertMarketplace(sql, PROS)
// All changes are done in their own transactions.
await refreshAtOnce(sql, 10 * PROS)
const ctx = ctxOf(app.deps)
const random = seededRandom(270)
const chance = (share: number) => random() < share

/** Names and slugs of few words, so that they collide with those in use and with former ones. */
const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord']
const newName = () => `${pick(random, words)} ${pick(random, words)} work`
const slugOf = (name: string) => name.replaceAll(' ', '-')

/** Applies one random change. Those that the rules refuse change nothing. */
async function changeAtRandom(): Promise<string> {
  const { categories, services } = await getCatalog(ctx)
  const [category, service] = [pick(random, categories), pick(random, services)]
  const name = newName()
  const named = { name, slug: slugOf(name) }
  const base = { ...named, synonyms: [], active: true }
  const details = { description: null, priceType: 'flat', unit: null, durationMinutes: 60, atCustomer: true } as const
  const after = chance(0.3)
    ? null
    : pick(
        random,
        services.filter((it) => it.categoryId === service.categoryId),
      ).id
  const acts: [string, () => Promise<unknown>][] = [
    ['add a category', () => addCategory(ctx, { by: null, ...base })],
    [
      'add a service',
      async () => offer(await addService(ctx, { by: null, ...base, ...details, categoryId: category.id })),
    ],
    ['rename a category', () => changeCategory(ctx, { by: null, id: category.id, ...named })],
    ['rename a service', () => changeService(ctx, { by: null, id: service.id, ...named })],
    ['name a service', () => changeService(ctx, { by: null, id: service.id, name })],
    ['retire or offer a service', () => changeService(ctx, { by: null, id: service.id, active: !service.active })],
    ['retire or offer a category', () => changeCategory(ctx, { by: null, id: category.id, active: !category.active })],
    ['move a service', () => changeService(ctx, { by: null, id: service.id, categoryId: category.id })],
    ['order services', () => changeService(ctx, { by: null, id: service.id, after })],
    ['merge services', () => mergeService(ctx, { by: null, id: service.id, into: pick(random, services).id })],
    ['merge categories', () => mergeCategory(ctx, { by: null, id: category.id, into: pick(random, categories).id })],
    [
      'change the length',
      () => changeService(ctx, { by: null, id: service.id, durationMinutes: pick(random, [30, 500]) }),
    ],
  ]
  const [what, act] = pick(random, acts)
  await act().catch((error: AppError) => expect([what, error.code]).toEqual([what, 'validation_failed']))
  return what
}

/** Does all that an edit leaves to do. Processes have heard of merged names long before a minute is over. */
async function finishWork(): Promise<void> {
  while (await hasCatalogWork(ctx)) if (!(await continueCatalogWork(ctx))) clock.advance(1)
}

/** Some pros add a new service. */
const offer = (serviceId: string) => sql`
  insert into professional_services (professional_id, service_id, price_type, base_price_cents)
  select id, ${serviceId}, 'flat', 9000 from professionals where ('x' || substr(md5(id || ${serviceId}), 1, 2))::bit(8)::integer < 40`

const anywhere = { radiusMiles: 25, limit: PROS, offset: 0, baseUrl: 'https://hearth.example' }

/** What the statement of searches finds for every facet, beside the reference, which reads the tables of the catalog. */
async function expectExactFacets(): Promise<void> {
  const { categories, services } = await getCatalog(ctx)
  const city = pick(random, CITIES)
  const point = chance(0.5) ? { lat: city.lat, lng: city.lng } : undefined
  for (const { ordinal } of [...categories, ...services, { ordinal: 0 }]) {
    const query = { ...anywhere, facet: ordinal, point }
    const { statement, parameters } = toStatement(query)
    const [row] = await sql.unsafe<{ total: number; professionals: string }[]>(statement.text, parameters as never[])
    const found = JSON.parse(row?.professionals ?? '[]') as { id: string }[]
    const reference = await searchByReference(sql, query)
    expect({ query, total: row?.total }).toEqual({ query, total: reference.length })
    expect(found.map(({ id }) => id)).toEqual(reference.slice(0, anywhere.limit).map(({ id }) => id))
  }
}

/** Pros who offer an active service of the name, as the tables say. */
const prosOf = async ({ id }: ServiceEntry) =>
  (
    await sql<{ id: string }[]>`
      select p.id from professionals p join professional_services o on o.professional_id = p.id
      join services s on s.id = o.service_id and s.active where p.active and s.id = ${id} order by p.id`
  ).map((row) => row.id)

/** Searches by every slug, also former ones, find the pros of that service, and nothing once it is retired. */
async function expectFoundByName(): Promise<void> {
  const { services } = await getCatalog(ctx)
  for (const service of services)
    for (const slug of [service.slug, ...service.formerSlugs]) {
      const expected = await prosOf(service)
      const response = await app.send(`/api/v1/pros?service=${slug}&limit=1`)
      const { professionals, meta } = (await response.json()) as {
        professionals: { matchedService?: { id: string; name: string; slug: string } }[]
        meta: { total: number }
      }
      if (service.mergedInto !== null) {
        const target = services.find(({ id }) => id === service.mergedInto)
        if (target?.active) expect([slug, meta.total]).toEqual([slug, (await prosOf(target)).length])
        continue
      }
      // A retired service has no name any more: its words may say something of another one.
      if (!service.active) {
        expect(professionals.map(({ matchedService }) => matchedService?.id)).not.toContain(service.id)
        continue
      }
      expect([slug, meta.total]).toEqual([slug, expected.length])
      const { id, name, slug: current } = service
      if (expected.length > 0) expect(professionals[0]?.matchedService).toMatchObject({ id, name, slug: current })
    }
}

/** Whether the names in memory are those of the tables, in their order. */
async function hasHeard(): Promise<boolean> {
  const [{ services }, names] = await Promise.all([getCatalog(ctx), getCatalogNames(ctx)])
  const told = (list: readonly Pick<ServiceEntry, 'id' | 'name' | 'slug' | 'formerSlugs'>[]) =>
    JSON.stringify(list.map(({ id, name, slug, formerSlugs }) => [id, name, slug, formerSlugs]))
  return told(names.services) === told(services.filter(({ active, replacedAt }) => active && replacedAt === null))
}

test('every facet and every name finds what the tables say after each change', async () => {
  const done = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    done.add(await changeAtRandom())
    if (chance(0.7)) await finishWork()
    await expectExactFacets()
    if (round % 10 === 9) {
      await finishWork()
      expect(await waitUntil(hasHeard, 10_000)).toBe(true)
      await expectFoundByName()
    }
  }
  expect(done.size).toBe(12)
  await finishWork()
  expect(await differencesFromRebuilt(sql)).toEqual([])
}, 300_000)

test('searches beside changes that are under way find the state before or after each', async () => {
  let isDone = false
  const searches = async () => {
    while (!isDone) {
      // Both sides of each comparison have one snapshot.
      await sql.begin('isolation level repeatable read', async (tx) => {
        const entries = await tx<{ ordinal: number }[]>`
          select ordinal from services union all select ordinal from categories where active order by ordinal`
        const query = { ...anywhere, facet: pick(random, entries).ordinal }
        const { statement, parameters } = toStatement(query)
        const [row] = await tx.unsafe<{ total: number }[]>(statement.text, parameters as never[])
        const reference = await searchByReference(tx as never, query)
        expect({ query, total: row?.total }).toEqual({ query, total: reference.length })
      })
    }
  }
  const changes = async () => {
    for (let round = 0; round < 20; round++) {
      await changeAtRandom()
      if (chance(0.5)) await continueCatalogWork(ctx, { limit: 25 })
    }
  }
  const searching = [searches(), searches()]
  await Promise.all([changes(), changes()])
  isDone = true
  await Promise.all(searching)
  await finishWork()
  expect(await differencesFromRebuilt(sql)).toEqual([])
}, 300_000)
