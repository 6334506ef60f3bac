// Which prices count in the statistics: what a pro, or a ring of three, can move and what not.
import { describe, expect, test } from 'bun:test'

import { ANONYMOUS } from '../../../../src/auth/accounts/verbs.ts'
import { progressJob } from '../../../../src/features/booking/jobs/verbs/progress-job.ts'
import { refreshPrices } from '../../../../src/features/catalog/pricing/verbs.ts'
import { acceptQuote } from '../../../../src/features/quoting/quotes/verbs/customer-link.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { findWrongPrices } from '../../../support/price-statistics.ts'
import { type QuotingPro, depsAfter, quotingPro, sentQuote } from '../../../support/quotes.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())

/** A service whose pros in a city are `honest`; `attackers` are there as well and do not offer it. */
interface Market {
  serviceId: string
  slug: string
  state: string
  cityId: number
  city: string
  attackers: string[]
}

let markets = 0
async function openMarket(honest: number, attackers: number): Promise<Market> {
  const [market] = await app.sql<Market[]>`
    with service as (
      select s.id, s.slug from services s join price_lists l on l.service_id = s.id where s.unit is null
      group by s.id having sum(l.pros) >= 60 order by s.id offset ${markets} limit 1
    ), city as (
      select c.* from cities c where not exists (select from professionals p where p.city_id = c.id)
      order by c.id offset ${markets} limit 1
    ), sellers as (
      select p.id from professionals p where p.active and exists (
        select from price_points v join service on service.id = v.service_id where v.professional_id = p.id)
      order by p.id limit ${honest}
    ), ring as (
      select p.id from professionals p where p.active and not exists (
        select from price_points v join service on service.id = v.service_id where v.professional_id = p.id)
      order by p.id limit ${attackers}
    ), moved as (
      update professionals p set city_id = city.id from city
      where p.id in (select id from sellers union all select id from ring)
    )
    select service.id as service_id, slug, state, city.id as city_id, city.name as city,
      array(select id::text from ring) as attackers
    from service, city`
  if (!market) throw new Error('The seed has no such service.')
  markets++
  await refreshPrices(ctxOf(app.deps))
  return market
}

/** Each attacker lists the service and invents 20 accepted quotes and 20 completed jobs. */
async function attack({ serviceId, attackers }: Market): Promise<void> {
  await app.sql`
    insert into professional_services (professional_id, service_id, price_type, base_price_cents)
    select pro, ${serviceId}, 'flat', 1 from unnest(${attackers}::text[]::uuid[]) pro`
  await app.sql`
    insert into jobs (id, professional_id, service_id, status, amount_cents, units, created_at)
    select gen_random_uuid(), pro, ${serviceId}, 'scheduled', 1, 1, now()
    from unnest(${attackers}::text[]::uuid[]) pro, generate_series(1, 20)`
  await app.sql`
    with asked as (
      insert into rfqs (id, professional_id, service_id, status, description, customer_name, customer_email, source,
        created_at)
      select gen_random_uuid(), pro, ${serviceId}, 'new', 'Any', 'Any', 'any@test.example', 'web', now()
      from unnest(${attackers}::text[]::uuid[]) pro, generate_series(1, 20)
      returning id, professional_id)
    insert into quotes (id, rfq_id, professional_id, status, amount_cents, units, created_at, sent_at, valid_until)
    select gen_random_uuid(), id, professional_id, 'sent', 1, 1, now(), now(), now() + interval '1 day'
    from asked`
  await app.sql`
    update jobs set status = 'completed', completed_at = now()
    where service_id = ${serviceId} and status = 'scheduled' and professional_id = any (${attackers}::text[]::uuid[])`
  await app.sql`
    update quotes set status = 'accepted', accepted_at = now()
    where status = 'sent' and professional_id = any (${attackers}::text[]::uuid[])
      and rfq_id in (select id from rfqs where service_id = ${serviceId})`
}

/** Sets every price of the attackers. */
async function invent({ serviceId, attackers }: Market, cents: number): Promise<void> {
  await app.sql`
    update professional_services set base_price_cents = ${cents}
    where service_id = ${serviceId} and professional_id = any (${attackers}::text[]::uuid[])`
  for (const table of ['jobs', 'quotes'])
    await app.sql`
      update ${app.sql(table)} set amount_cents = ${cents} where professional_id = any (${attackers}::text[]::uuid[])`
  await refreshPrices(ctxOf(app.deps))
}

interface Figures {
  median: number
  mean: number
  prices: number
}

/** The statistics in cents, in the city and everywhere. */
const figuresOf = async ({ serviceId, state, cityId }: Market): Promise<{ city: Figures; everywhere: Figures }> => {
  const rows = await app.sql<Figures[]>`
    select median_cents as median, average_cents as mean,
      professional_listings + accepted_quotes + completed_projects as prices
    from pricing_aggregates where service_id = ${serviceId} and (state, city_id) in (('', 0), (${state}, ${cityId}))
    order by city_id desc`
  const [city, everywhere] = rows
  if (!city || !everywhere) throw new Error('The market has too few prices.')
  return { city, everywhere }
}

/** The prices that count in the city before the attack, ascending, and the service's typical price. */
async function honestPrices({ serviceId, cityId }: Market): Promise<{ honest: number[]; typical: number }> {
  const rows = await app.sql<{ cents: number; cityId: number; rank: number; pros: number }[]>`
    select p.cents, l.city_id, p.rank, l.pros from price_lists l, unnest(l.cents, l.ranks) p (cents, rank)
    where l.service_id = ${serviceId} order by p.cents`
  const first = rows.filter(({ rank }) => rank === 1).map(({ cents }) => cents)
  const counts = rows.filter((row) => row.cityId === cityId && row.rank <= Math.max(1, Math.floor(row.pros / 20)))
  return { honest: counts.map(({ cents }) => cents), typical: middle(first) }
}

const middle = (sorted: readonly number[], shift = 0): number => {
  const at = (sorted.length - 1) / 2 + shift
  return ((sorted[Math.floor(at)] ?? Number.NaN) + (sorted[Math.ceil(at)] ?? Number.NaN)) / 2
}

describe.each([
  { name: 'One pro of 5', honest: 4, attackers: 1, invented: 1 },
  { name: 'A ring of three of 7', honest: 4, attackers: 3, invented: 3 },
  { name: 'One pro of 41', honest: 40, attackers: 1, invented: 2 },
  { name: 'A ring of three of 43', honest: 40, attackers: 3, invented: 6 },
])('$name in a city', ({ honest: pros, attackers, invented }) => {
  test('moves nothing in it with 41 prices each at $9,999,999 or 1 cent, and at most 5 % everywhere', async () => {
    const market = await openMarket(pros, attackers)
    const before = await figuresOf(market)
    await attack(market)
    for (const cents of [999_999_900, 1]) {
      await invent(market, cents)
      const after = await figuresOf(market)
      expect(after.city).toEqual(before.city)
      for (const figure of ['median', 'mean'] as const)
        expect(Math.abs(after.everywhere[figure] / before.everywhere[figure] - 1)).toBeLessThan(0.05)
    }
    expect(await findWrongPrices(app)).toEqual([])
  }, 60_000)

  test('moves by the share of its prices with prices just plausible enough to count', async () => {
    const market = await openMarket(pros, attackers)
    const before = await figuresOf(market)
    const { honest, typical } = await honestPrices(market)
    expect(before.city.prices).toBe(honest.length)
    await attack(market)
    for (const factor of [4.5, 1 / 4.5]) {
      await invent(market, Math.round(typical * factor))
      const { city, everywhere } = await figuresOf(market)
      // Each pro counts once in the small city and twice in the large one.
      expect(city.prices).toBe(honest.length + invented)
      // The median stays among the prices of the others: it moves by half as many places as there are invented prices.
      expect(city.median).toBeWithin(middle(honest, -invented / 2) - 1, middle(honest, invented / 2) + 1)
      const mean = (before.city.mean * honest.length + typical * factor * invented) / (honest.length + invented)
      expect(Math.abs(city.mean - mean)).toBeLessThan(2)
      expect(Math.abs(everywhere.median / before.everywhere.median - 1)).toBeLessThan(0.1)
    }
    expect(await findWrongPrices(app)).toEqual([])
  }, 60_000)
})

test('no piece of work of the seed counts twice', async () => {
  const [row] = await app.sql<{ counted: number; accepted: number }[]>`
    select (select sum(accepted_quotes + completed_projects)::int from pricing_aggregates where state = '') as counted,
      (select count(*)::int from quotes where status = 'accepted') as accepted`
  expect(row?.counted).toBeLessThanOrEqual(row?.accepted ?? 0)
})

test('a quote counts with its lines of the unit at their average price, its job in the share of the final amount', async () => {
  const pro = await hourlyPro()
  const lineItems = [
    { description: 'Weekday hours', quantity: 3, unitPrice: 80, amount: 240 },
    { description: 'Saturday hours', quantity: 1, unitPrice: 120, amount: 120 },
    { description: 'Materials', quantity: 1, unitPrice: 640, amount: 640 },
  ]
  const { token } = await sentQuote(app.deps, pro, { amount: 1000, lineItems })
  const { jobId, units } = (await acceptQuote(ctxOf(app.deps, ANONYMOUS), { token })).quote
  expect(units).toBe(4)
  expect(await pricesOf(pro)).toEqual([{ source: 2, cents: 9000 }, LISTED])
  await progressJob(ctxOf(app.deps, pro), { id: jobId ?? '', progress: { action: 'complete', finalAmount: 1100 } })
  expect(await pricesOf(pro)).toEqual([{ source: 3, cents: 9900 }, LISTED])
})

test('of a pro and a service the latest three quotes and the latest three jobs count, beside the listing', async () => {
  const pro = await hourlyPro('work-by-the-hour')
  const jobs: string[] = []
  for (let n = 1; n <= 8; n++) {
    const deps = depsAfter(app.deps, n * 60_000)
    const amount = n * 10
    const lineItems = [{ description: 'Hours', quantity: 1, unitPrice: amount, amount }]
    const { token } = await sentQuote(deps, pro, { amount, lineItems })
    jobs.push((await acceptQuote(ctxOf(deps, ANONYMOUS), { token })).quote.jobId ?? '')
  }
  for (const [n, id] of jobs.slice(4).entries())
    await progressJob(ctxOf(depsAfter(app.deps, (20 + n) * 60_000), pro), { id, progress: { action: 'complete' } })
  const prices = await pricesOf(pro)
  expect(prices).toHaveLength(7)
  const latest = [80, 40, 70, 30, 60, 20].map((amount, n) => ({ source: n % 2 === 0 ? 3 : 2, cents: amount * 100 }))
  expect(prices).toEqual([...latest.slice(0, 2), LISTED, ...latest.slice(2)])
})

const LISTED = { source: 1, cents: 8000 }

/** A pro without work whose service costs $80 an hour. */
async function hourlyPro(slug = 'hourly-work'): Promise<QuotingPro> {
  const pro = await quotingPro(app)
  const [service] = await app.sql<{ id: string }[]>`
    insert into services (id, ordinal, category_id, slug, name, price_type, unit, duration_minutes)
    select gen_random_uuid(), (select max(ordinal) + 1 from services), category_id, ${slug}, ${slug}, 'hourly',
      'hour', 60
    from services where id = ${pro.serviceId} returning id`
  const serviceId = service?.id ?? ''
  await app.sql`
    insert into professional_services (professional_id, service_id, price_type, unit, base_price_cents)
    values (${pro.professionalId}, ${serviceId}, 'hourly', 'hour', ${LISTED.cents})`
  return { ...pro, serviceId }
}

const pricesOf = async ({ professionalId, serviceId }: QuotingPro): Promise<object[]> =>
  (
    await app.sql`
      select source::int, cents from price_points
      where (professional_id, service_id) = (${professionalId}, ${serviceId}) order by rank`
  ).slice()

test('a city has statistics with three pros and none with two, and no other place stands in', async () => {
  const { serviceId, slug, city, cityId, state } = await openMarket(3, 0)
  const pricing = async (query: string) => {
    const body = await (await app.send(`/api/v1/pricing?service=${slug}${query}`)).json()
    return body as { pricing: { sampleSize: number } | null; location: object | null }
  }
  const place = `&city=${encodeURIComponent(city)}&state=${state}`
  expect(await pricing(place)).toMatchObject({ pricing: { sampleSize: 3 }, location: { city, state } })
  const [leaver] = await app.sql<{ id: string }[]>`
    select professional_id as id from price_points v join professionals p on p.id = v.professional_id
    where v.service_id = ${serviceId} and p.city_id = ${cityId} limit 1`
  await app.sql`
    update professionals set city_id = (select id from cities where id <> ${cityId} limit 1) where id = ${leaver?.id ?? ''}`
  await refreshPrices(ctxOf(app.deps))
  expect(await waitUntil(async () => (await pricing(place)).pricing === null, 2000)).toBe(true)
  expect(await pricing(place)).toMatchObject({ location: { city, state } })
  expect(await pricing('')).toMatchObject({ pricing: { sampleSize: expect.any(Number) }, location: null })
})
