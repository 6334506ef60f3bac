// Changes of services that many pros offer are done in parts. Searches, prices and pages are right meanwhile.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { getCatalog } from '../../../../src/features/catalog/entries/verbs/edit-catalog.ts'
import { addCategory, addService, changeService } from '../../../../src/features/catalog/entries/verbs/entries.ts'
import { continueCatalogWork, hasCatalogWork } from '../../../../src/features/catalog/entries/verbs/merge.ts'
import { getCatalogNames } from '../../../../src/features/catalog/services/verbs/names.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../../support/app.ts'
import { manualClock } from '../../../support/booking-fixture.ts'
import { testSql } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { differencesFromRebuilt, insertMarketplace, refreshAtOnce } from '../../../support/search.ts'

const clock = manualClock()
const app = await opened(openTestApp('migrated', { clock }))
const sql = await opened(testSql(app.databaseUrl, 4), 'end')
await insertMarketplace(sql, 400)
// As with a marketplace of many pros, no change is done in its own transaction.
await refreshAtOnce(sql, 20)
const ctx = ctxOf(app.deps)

const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-')
const details = { description: null, priceType: 'flat', unit: null, durationMinutes: 60, atCustomer: true } as const

/** Adds a service that a part of the pros offer. */
async function addOffered(name: string, categoryId: string): Promise<string> {
  const base = { name, slug: slugOf(name), synonyms: [`${name} helper`], active: true }
  const id = await addService(ctx, { by: null, ...base, ...details, categoryId })
  await sql`
    insert into professional_services (professional_id, service_id, price_type, base_price_cents)
    select id, ${id}, 'flat', 9000 from professionals where ('x' || substr(md5(id || ${id}), 1, 2))::bit(8)::integer < 40`
  return id
}

async function finishWork(): Promise<void> {
  while (await hasCatalogWork(ctx)) if (!(await continueCatalogWork(ctx))) clock.advance(1)
}

/** Whether the names in memory are those of the tables. */
async function hasHeard(): Promise<boolean> {
  const [{ services }, names] = await Promise.all([getCatalog(ctx), getCatalogNames(ctx)])
  return Bun.deepEquals(
    services.filter(({ active }) => active).map(({ name }) => name),
    names.services.map(({ name }) => name),
  )
}

test('while services of many pros are merged, both names find all of their pros, and prices and pages are there', async () => {
  const categoryId = await addCategory(ctx, { by: null, name: 'Gardens', slug: 'gardens', synonyms: [], active: true })
  const [old, target] = [await addOffered('Lawn mowing', categoryId), await addOffered('Grass cutting', categoryId)]
  await finishWork()
  expect(await waitUntil(hasHeard, 10_000)).toBe(true)
  const idsOf = async (id: string) =>
    (
      await sql<{ id: string }[]>`
        select p.id from professionals p join professional_services o on o.professional_id = p.id
        where p.active and o.service_id = ${id}`
    ).map((row) => row.id)
  const [oldIds, targetIds] = [new Set(await idsOf(old)), new Set(await idsOf(target))]
  const both = oldIds.union(targetIds)
  expect([both.size > oldIds.size + 25, both.size > targetIds.size + 25]).toEqual([true, true])

  let isDone = false
  let answers = 0
  const found = async (service: string) => {
    const query = new URLSearchParams({ service, limit: '50' }).toString()
    const { professionals, meta } = (await (await app.send(`/api/v1/pros?${query}`)).json()) as {
      professionals: { id: string; matchedService: { id: string; pricing: { base: number } } }[]
      meta: { total: number }
    }
    return { ids: new Set(professionals.map(({ id }) => id)), professionals, total: meta.total }
  }
  const search = async () => {
    while (!isDone) {
      for (const name of ['lawn-mowing', old, 'lawn mowing helper']) {
        const { ids, professionals, total } = await found(name)
        // Before the names change, exactly the pros of the service; then exactly those of both.
        expect([oldIds.size, both.size]).toContain(total)
        expect(ids.isSubsetOf(total === both.size ? both : oldIds)).toBe(true)
        const [matched] = new Set(professionals.map(({ matchedService }) => matchedService.id))
        expect(matched).toBe(total === both.size ? target : old)
        expect(professionals.map(({ matchedService }) => matchedService.pricing.base)).toEqual(
          professionals.map(() => 90),
        )
      }
      // Each answer has all pros who offered it, and some of those who will.
      const { total } = await found(target)
      expect(total >= targetIds.size && total <= both.size).toBe(true)
      const inCategory = await app.send('/api/v1/pros?category=gardens&limit=1')
      expect(((await inCategory.json()) as { meta: { total: number } }).meta.total).toBe(both.size)
      const prices = await app.send('/api/v1/pricing?service=lawn-mowing')
      expect([prices.status, [old, target]]).toEqual([
        200,
        expect.arrayContaining([((await prices.json()) as { service: { id: string } }).service.id]),
      ])
      const page = await app.app.handle(new Request(`${app.deps.config.baseUrl}/lawn-mowing/austin-bx`))
      const names = page.status === 308 ? page.headers.get('location') : await page.text()
      expect([page.status, names]).toEqual([
        page.status === 308 ? 308 : 200,
        expect.stringMatching(page.status === 308 ? /grass-cutting/ : /Lawn mowing/),
      ])
      answers++
    }
  }
  const searching = [search(), search()]
  await sql`update services set merged_into = ${target} where id = ${old}`
  while (await continueCatalogWork(ctx, { limit: 25 }));
  const heard = answers
  expect(await waitUntil(async () => (await found(old)).total === both.size && answers > heard + 1, 10_000)).toBe(true)
  clock.advance(1)
  while (await continueCatalogWork(ctx, { limit: 25 }));
  isDone = true
  await Promise.all(searching)
  expect(await hasCatalogWork(ctx)).toBe(false)
  expect(await differencesFromRebuilt(sql)).toEqual([])
}, 300_000)

test('while a service of many pros is renamed and retired, each pro is found as before or after it', async () => {
  const categoryId = await addCategory(ctx, { by: null, name: 'Pools', slug: 'pools', synonyms: [], active: true })
  const id = await addOffered('Pool care', categoryId)
  await finishWork()
  const found = async (query: string) =>
    (await (await app.send(`/api/v1/pros?${query}&limit=50`)).json()) as {
      professionals: { services: { id: string; name: string }[] }[]
      meta: { total: number }
    }
  expect(await waitUntil(async () => (await found('service=pool-care')).meta.total > 25, 10_000)).toBe(true)
  const { total } = (await found('service=pool-care')).meta
  const namesIn = async () =>
    (await found('category=pools')).professionals.flatMap(({ services }) =>
      services.filter((service) => service.id === id).map(({ name }) => name),
    )

  await changeService(ctx, { by: null, id, name: 'Pool service' })
  expect(await hasCatalogWork(ctx)).toBe(true)
  const seen = new Set<string>()
  do {
    for (const name of await namesIn()) seen.add(name)
    for (const query of [`service=${id}`, 'category=pools']) expect((await found(query)).meta.total).toBe(total)
  } while (await continueCatalogWork(ctx, { limit: 10 }))
  expect([...seen].sort()).toEqual(['Pool care', 'Pool service'])
  expect(new Set(await namesIn())).toEqual(new Set(['Pool service']))

  await changeService(ctx, { by: null, id, active: false })
  let last = total
  do {
    const { meta } = await found('category=pools')
    expect(meta.total).toBeLessThanOrEqual(last)
    last = meta.total
  } while (await continueCatalogWork(ctx, { limit: 10 }))
  expect([last, await hasCatalogWork(ctx)]).toEqual([0, false])
  expect(await differencesFromRebuilt(sql)).toEqual([])
}, 300_000)
