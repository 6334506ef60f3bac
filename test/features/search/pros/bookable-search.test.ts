// Search says of the service asked for what its offer says: the price, the length, and whether it can be booked at once.
import { describe, expect, test } from 'bun:test'

import { changeOffer } from '../../../../src/features/business/offers/verbs.ts'
import { findPros } from '../../../../src/features/search/pros/verbs/search.ts'
import type { Professional, ProsQuery, ProfessionalDetail } from '../../../../src/features/search/pros/schemas.ts'
import { changeSchedule } from '../../../../src/features/calendar/schedule/verbs.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { pick, seededRandom } from '../../../support/search.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())

/** An offer in the base tables. */
interface BaseOffer {
  professionalId: string
  serviceId: string
  service: string
  category: string
  state: string
  isBookable: boolean
  matchedService: Professional['matchedService']
  flatPrices: number[]
}

const EDITS = 400

/** Changes offers and settings of random pros so that every obstacle occurs. */
async function editRandomly(random: () => number): Promise<void> {
  const rows = await app.sql<{ accountId: string; professionalId: string; serviceId: string }[]>`
    select p.account_id, o.professional_id, o.service_id
    from professional_services o
    join professionals p on p.id = o.professional_id
    join services s on s.id = o.service_id and s.active
    order by md5(o.professional_id || '/' || o.service_id) limit ${EDITS}`
  for (const { serviceId, ...pro } of rows) {
    const edits: (() => PromiseLike<unknown>)[] = [
      () => changeOffer(ctxOf(app.deps, pro), { serviceId, instantBookEnabled: random() < 0.3 }),
      () => changeOffer(ctxOf(app.deps, pro), { serviceId, durationMinutes: pick(random, [15, 300, 720]) }),
      () => changeOffer(ctxOf(app.deps, pro), { serviceId, basePrice: null, minPrice: null, maxPrice: 9.95 }),
      () => changeOffer(ctxOf(app.deps, pro), { serviceId, priceType: 'hourly', unit: 'hour', basePrice: 83 }),
      () => changeOffer(ctxOf(app.deps, pro), { serviceId, priceType: 'per_unit', unit: 'tree', basePrice: 0 }),
      () => changeSchedule(ctxOf(app.deps, pro), { instantBookingEnabled: random() < 0.8 }),
      () =>
        changeSchedule(ctxOf(app.deps, pro), {
          businessHours: { monday: [{ start: '09:00', end: pick(random, ['09:30', '12:00', '24:00']) }] },
        }),
      () =>
        app.sql`update professionals set deposit_required = true, deposit_percentage = 10 where id = ${pro.professionalId}`,
      () => app.sql`update professionals set active = false, status = 'paused' where id = ${pro.professionalId}`,
    ]
    await pick(random, edits)()
  }
  await app.sql`update services set duration_minutes = 720 where ordinal = (select min(ordinal) from services)`
}

const readOffers = async () => [
  ...(await app.sql<BaseOffer[]>`
    select p.id as professional_id, s.id as service_id, s.slug as service, k.slug as category, c.state,
      booking_obstacle(p, o, service_minutes(o, s)) is null as is_bookable,
      json_build_object('id', s.id, 'name', s.name, 'slug', s.slug,
        'pricing', json_build_object('type', o.price_type, 'basePrice', dollars(o.base_price_cents),
          'base', dollars(o.base_price_cents), 'min', dollars(o.min_price_cents), 'max', dollars(o.max_price_cents),
          'unit', o.unit, 'from', dollars(coalesce(o.min_price_cents, o.base_price_cents)),
          'total', case when o.price_type = 'flat' and o.min_price_cents is null and o.max_price_cents is null
            then dollars(o.base_price_cents) end, 'currency', o.currency),
        'booking', json_strip_nulls(json_build_object(
          'durationMinutes', coalesce(o.duration_minutes, s.duration_minutes),
          'instantBookEnabled', booking_obstacle(p, o, service_minutes(o, s)) is null,
          'deposit', case when booking_obstacle(p, o, service_minutes(o, s)) is null and share.cents >= 50
            then share.cents / 100 end)))
        as matched_service,
      case when o.price_type = 'flat' then array_remove(array[dollars(o.base_price_cents), dollars(o.min_price_cents),
        dollars(o.max_price_cents)], null) else '{}' end::float8[] as flat_prices
    from professionals p
    join professional_services o on o.professional_id = p.id
    join services s on s.id = o.service_id and s.active
    join categories k on k.id = s.category_id
    join cities c on c.id = p.city_id
    cross join lateral (
      select round(coalesce(o.base_price_cents, o.min_price_cents) * p.deposit_percentage / 100) as cents
    ) share
    where p.active`),
]
await editRandomly(seededRandom(15))
const offers = await readOffers()

interface Page {
  professionals: Professional[]
  meta: { total: number; hasMore: boolean }
}

const findPage = async (query: ProsQuery) => JSON.parse(await findPros(ctxOf(app.deps), query)) as Page

async function findAll(query: ProsQuery): Promise<Professional[]> {
  const found: Professional[] = []
  for (let hasMore = true; hasMore;) {
    const page = await findPage({ ...query, limit: 50, offset: found.length })
    found.push(...page.professionals)
    hasMore = page.meta.hasMore
  }
  return found
}

const countPros = (list: readonly BaseOffer[]) => new Set(list.map(({ professionalId }) => professionalId)).size

describe('instantBook', () => {
  test('finds as many pros as have a bookable service: of all, per service, per category and per state', async () => {
    const questions: [ProsQuery, BaseOffer[]][] = [[{}, offers]]
    for (const name of ['service', 'category', 'state'] as const)
      for (const [value, list] of Map.groupBy(offers, (offer) => offer[name])) {
        questions.push([{ [name]: value }, list])
        const { state = '' } = list[0] ?? {}
        questions.push([{ [name]: value, state }, list.filter((offer) => offer.state === state)])
      }
    let obstacles = 0
    for (const [query, list] of questions) {
      const total = async (filter: ProsQuery) => (await findPage({ ...query, ...filter, limit: 1 })).meta.total
      const bookable = countPros(list.filter(({ isBookable }) => isBookable))
      const expected = { query, instant: bookable, other: countPros(list) - bookable }
      expect({
        query,
        instant: await total({ instantBook: true }),
        other: await total({ instantBook: false }),
      }).toEqual(expected)
      obstacles += expected.other
    }
    expect(questions.length).toBeGreaterThan(150)
    expect(obstacles).toBeGreaterThan(1000)
  }, 60_000)
})

describe('a search for a service', () => {
  test('shows each pro’s own offer as matchedService, and links to the page that books it or to none', async () => {
    let links = 0
    for (const [service, list] of Map.groupBy(offers, (offer) => offer.service)) {
      const byPro = new Map(list.map((offer) => [offer.professionalId, offer]))
      const found = await findAll({ service })
      expect(found.length).toBe(byPro.size)
      for (const { id, slug, matchedService, bookingUrl } of found) {
        const offer = byPro.get(id)
        expect({ slug, matchedService }).toEqual({ slug, matchedService: offer?.matchedService ?? null })
        expect(bookingUrl).toBe(
          offer?.isBookable ? `${app.deps.config.baseUrl}/pros/${slug}/book?service=${offer.serviceId}` : null,
        )
        links += bookingUrl === null ? 0 : 1
      }
    }
    expect(links).toBeGreaterThan(1000)
  }, 60_000)

  test('leads to a page that offers times of that service', async () => {
    const { professionals } = await findPage({ service: offers[0]?.service ?? '', instantBook: true, limit: 5 })
    for (const { bookingUrl, matchedService } of professionals) {
      const page = await (await app.app.handle(new Request(bookingUrl ?? ''))).text()
      expect(page).toContain(`<h1>${matchedService?.name}</h1>`)
    }
    expect(professionals.length).toBe(5)
  })
})

describe('a search without a service', () => {
  test('has a bookingUrl exactly for pros with a bookable service, and prices per visit only', async () => {
    const byPro = Map.groupBy(offers, ({ professionalId }) => professionalId)
    let [withoutPrices, withPrices] = [0, 0]
    for (const pro of await findAll({})) {
      const own = byPro.get(pro.id) ?? []
      const isBookable = own.some((offer) => offer.isBookable)
      const prices = own.flatMap(({ flatPrices }) => flatPrices)
      expect(pro).toMatchObject({
        matchedService: null,
        instantBookingEnabled: isBookable,
        bookingUrl: isBookable ? `${pro.profileUrl}/book` : null,
        pricing: prices.length === 0 ? null : { min: Math.min(...prices), max: Math.max(...prices), currency: 'USD' },
      })
      if (prices.length === 0) withoutPrices++
      else withPrices++
    }
    expect(Math.min(withoutPrices, withPrices)).toBeGreaterThan(50)
  }, 60_000)

  test('of a category has a bookingUrl exactly for pros with a bookable service of it', async () => {
    for (const [category, list] of Map.groupBy(offers, (offer) => offer.category)) {
      const bookable = new Set(list.filter(({ isBookable }) => isBookable).map(({ professionalId }) => professionalId))
      for (const { id, bookingUrl, profileUrl } of await findAll({ category }))
        expect(bookingUrl).toBe(bookable.has(id) ? `${profileUrl}/book` : null)
    }
  }, 60_000)
})

test('a pro’s detail and public profile say the same as search of every service', async () => {
  const byPro = [...Map.groupBy(offers, ({ professionalId }) => professionalId)].slice(0, 200)
  let obstacles = 0
  for (const [id, own] of byPro) {
    const profile = (await (await app.send(`/api/v1/profile/public/${id}`)).json()) as ProfessionalDetail & {
      bookingUrl: string | null
    }
    const shown = profile.services.map(({ id: service, pricing, booking }) => [service, pricing, booking])
    const matched = own.map(({ serviceId, matchedService }) => [
      serviceId,
      matchedService?.pricing,
      matchedService?.booking,
    ])
    expect(Object.fromEntries(shown.map(([key, ...rest]) => [key, rest]))).toEqual(
      Object.fromEntries(matched.map(([key, ...rest]) => [key, rest])),
    )
    expect(profile.bookingUrl !== null).toBe(own.some(({ isBookable }) => isBookable))
    obstacles += own.filter(({ isBookable }) => !isBookable).length
  }
  expect(obstacles).toBeGreaterThan(20)
}, 60_000)
