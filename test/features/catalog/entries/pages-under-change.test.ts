// While services of many pros are merged, renamed and retired, no page that people read meanwhile fails or contradicts itself.
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
import { insertMarketplace, refreshAtOnce } from '../../../support/search.ts'
import { visitorFromNewAddress } from '../../../support/visitor.ts'

const READERS = 4
const CITY = 'springfield-cx'
const LONGEST_WAY = 3

const clock = manualClock()
const app = await opened(openTestApp('migrated', { clock }))
const sql = await opened(testSql(app.databaseUrl, 4), 'end')
await insertMarketplace(sql, 400)
// As with a marketplace of many pros, no change is done in its own transaction.
await refreshAtOnce(sql, 20)
const ctx = ctxOf(app.deps)
const categoryId = await addCategory(ctx, { by: null, name: 'Gardens', slug: 'gardens', synonyms: [], active: true })
const details = { description: null, priceType: 'flat', unit: null, durationMinutes: 60, atCustomer: true } as const

/** Adds a service that a part of the pros offer. */
async function addOffered(name: string): Promise<string> {
  const base = { name, slug: name.toLowerCase().replaceAll(' ', '-'), synonyms: [], active: true }
  const id = await addService(ctx, { by: null, ...base, ...details, categoryId })
  await sql`
    insert into professional_services (professional_id, service_id, price_type, base_price_cents)
    select id, ${id}, 'flat', 9000 from professionals where ('x' || substr(md5(id || ${id}), 1, 2))::bit(8)::integer < 60`
  await finishWork()
  expect(await waitUntil(hasHeard, 10_000)).toBe(true)
  return id
}

async function finishWork(): Promise<void> {
  while (await hasCatalogWork(ctx)) if (!(await continueCatalogWork(ctx))) clock.advance(1)
}

/** Whether the names in memory are those of the tables. */
async function hasHeard(): Promise<boolean> {
  const [{ services }, names] = await Promise.all([getCatalog(ctx), getCatalogNames(ctx)])
  const told = services.filter(({ active, replacedAt }) => active && replacedAt === null).map(({ name }) => name)
  return Bun.deepEquals(
    told,
    names.services.map(({ name }) => name),
  )
}

interface Page {
  /** Of the first answer: 308 where the address is a former one. */
  status: number
  /** Of the page that it leads to. */
  text: string
  path: string
}

/** Looks at pages until `change` is done, and once more after it. */
async function readWhile(change: () => Promise<void>, look: (read: (path: string) => Promise<Page>) => Promise<void>) {
  let [isDone, rounds] = [false, 0]
  const reader = async () => {
    const visitor = visitorFromNewAddress(app)
    const read = async (path: string): Promise<Page> => {
      let answer = await visitor.get(path)
      const { status } = answer
      let at = path
      for (let hops = 0; answer.location !== null; hops++) {
        expect([path, hops < LONGEST_WAY]).toEqual([path, true])
        at = answer.location
        answer = await visitor.get(at)
      }
      expect([path, at, answer.status < 500]).toEqual([path, at, true])
      return { status, text: answer.text, path: at }
    }
    for (let last = 2; last > 0; last -= Number(isDone)) {
      await look(read)
      rounds++
    }
  }
  const readers = Array.from({ length: READERS }, reader)
  await Promise.all([...readers, change().finally(() => (isDone = true))])
  expect(rounds).toBeGreaterThan(READERS)
}

/** Does the work of a change part by part, with readers between the parts. */
async function inParts(): Promise<void> {
  while (await hasCatalogWork(ctx))
    if (!(await continueCatalogWork(ctx, { limit: 20 }))) {
      expect(await waitUntil(hasHeard, 10_000)).toBe(true)
      clock.advance(1)
    }
}

const headingOf = ({ status, text }: Page) => `${status} ${/<h1[^>]*>([^<]*)/.exec(text)?.[1] ?? ''}`
const namesIn = ({ text }: Page, names: readonly string[]) => names.filter((name) => text.includes(name))

/** Pages of a service in a city. */
const cityPage = (status: number, name: string) => `${status} Pros for ${name} in Springfield, CX`

test('a merge leads from each page of the one to that of the other, and a page of a pro has one of the names', async () => {
  const names = ['Lawn mowing', 'Grass cutting']
  const [old, target] = [await addOffered('Lawn mowing'), await addOffered('Grass cutting')]
  const pros = await sql<{ slug: string }[]>`
    select distinct on (has_both) slug, t.service_id is not null as has_both
    from professionals p join professional_services o on o.professional_id = p.id and o.service_id = ${old}
    left join professional_services t on t.professional_id = p.id and t.service_id = ${target}
    where p.active order by has_both, p.id`
  expect(pros.length).toBe(2)
  const former = new Set<string>()
  const inCategory = new Set<string>()
  const results = new Set<string>()
  await sql`update services set merged_into = ${target} where id = ${old}`
  const look = async (read: (path: string) => Promise<Page>) => {
    former.add(headingOf(await read(`/lawn-mowing/${CITY}`)))
    expect(headingOf(await read(`/grass-cutting/${CITY}`))).toBe(cityPage(200, 'grass cutting'))
    for (const { slug } of pros) expect(namesIn(await read(`/pros/${slug}`), names)).toHaveLength(1)
    expect(namesIn(await read('/'), names)).toContain('Grass cutting')
    results.add(headingOf(await read('/?service=lawn-mowing&place=Springfield, CX')))
    inCategory.add(headingOf(await read('/?service=gardens&place=Springfield, CX')))
    const parts = namesIn(await read('/sitemap.xml'), ['cities-lawn-mowing-0.xml', 'cities-grass-cutting-0.xml'])
    expect(parts).toContain('cities-grass-cutting-0.xml')
    // The names may change between the list and its part.
    for (const part of parts) expect([200, 404]).toContain((await read(`/sitemaps/${part}`)).status)
  }
  await readWhile(inParts, look)
  expect([...former]).toEqual([cityPage(200, 'lawn mowing'), cityPage(308, 'grass cutting')])
  expect(inCategory.size).toBe(1)
  // One total before and one after: no search meets half of the pros.
  const searched = [...results].map((heading) => /^200 \d+ pros? for (.+) in Springfield, CX$/.exec(heading)?.[1])
  expect(searched).toEqual(['lawn mowing', 'grass cutting'].slice(-searched.length))
  await readWhile(
    () => Promise.resolve(),
    async (read) => {
      for (const { slug } of pros) expect(namesIn(await read(`/pros/${slug}`), names)).toEqual(['Grass cutting'])
      expect(namesIn(await read('/'), names)).toEqual(['Grass cutting'])
      expect(namesIn(await read('/sitemap.xml'), ['cities-lawn-mowing-'])).toEqual([])
    },
  )
}, 120_000)

test('a rename leads from the former address to the new one, and a retired service from both to what is like it', async () => {
  const names = ['Pool care', 'Pool service']
  const id = await addOffered('Pool care')
  const [pro] = await sql<{ slug: string }[]>`
    select slug from professionals p join professional_services o on o.professional_id = p.id and o.service_id = ${id}
    where p.active order by p.id limit 1`
  const seen = { former: new Set<string>(), next: new Set<string>() }
  const look = (offered: readonly number[]) => async (read: (path: string) => Promise<Page>) => {
    seen.former.add(headingOf(await read(`/pool-care/${CITY}`)))
    seen.next.add(headingOf(await read(`/pool-service/${CITY}`)))
    expect(offered).toContain(namesIn(await read(`/pros/${pro?.slug}`), names).length)
    expect(offered).toContain(namesIn(await read('/'), names).length)
  }
  const changed = (change: object) => async () => {
    await changeService(ctx, { by: null, id, ...change })
    await inParts()
    expect(await waitUntil(hasHeard, 10_000)).toBe(true)
  }
  await readWhile(changed({ name: 'Pool service', slug: 'pool-service' }), look([1]))
  expect([...seen.former].at(-1)).toBe(cityPage(308, 'pool service'))
  expect([...seen.next].at(-1)).toBe(cityPage(200, 'pool service'))
  expect(
    [...seen.former, ...seen.next].filter((page) => !/^(200|308) Pros for pool (care|service) in/.test(page)),
  ).toEqual([])

  for (const pages of Object.values(seen)) pages.clear()
  await readWhile(changed({ active: false }), look([0, 1]))
  for (const pages of Object.values(seen)) expect([...pages].at(-1)).toBe('404 We do not know this service')
}, 120_000)
