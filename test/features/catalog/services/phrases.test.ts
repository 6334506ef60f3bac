// What people type finds what they expect: through the API, the search page and the agent tool alike.
import { describe, expect, test } from 'bun:test'

import type { Professional, SearchMeta } from '../../../../src/features/search/pros/schemas.ts'
import { CUSTOMER_SERVER, agentKey, callTool } from '../../../support/agents.ts'
import { openTestApp } from '../../../support/app.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { opened } from '../../../support/fixture.ts'
import { Visitor } from '../../../support/visitor.ts'
import { escaped } from '../../../support/escaped.ts'

const app = await opened(openTestApp())
const key = await agentKey(app)
const visitor = new Visitor(app)

/** What a phrase means: a service's slug, or a category's with an asterisk, and the place's display name. */
const PHRASES: readonly [phrase: string, offering: string | null, place: string | null][] = [
  ['plumbers austin tx', 'plumber', 'Austin, TX'],
  ['hvac 78701', '*hvac', 'Austin, TX 78701'],
  ['water heater near Saint Louis', 'water-heater-repair', 'St. Louis, MO'],
  ['house cleaning in Brooklyn', 'house-cleaning', 'Brooklyn, NY'],
  ['electrician 94110', 'electrician', 'San Francisco, CA 94110'],
  ['plumber near me', 'plumber', null],
  ['best plumber in Austin, TX', 'plumber', 'Austin, TX'],
  ['PLUMBERS IN AUSTIN TEXAS', 'plumber', 'Austin, TX'],
  ['austin plumbers', 'plumber', 'Austin, TX'],
  ['78701 plumber', 'plumber', 'Austin, TX 78701'],
  ['plumber, Austin, TX 78701', 'plumber', 'Austin, TX 78701'],
  ['emergency plumber nyc', 'plumber', 'New York, NY'],
  ['24 hour locksmith chicago', 'locksmith', 'Chicago, IL'],
  ['locksmith near 60601', 'locksmith', 'Chicago, IL 60601'],
  ['ac repair phoenix', 'ac-repair', 'Phoenix, AZ'],
  ['a/c repair Phoenix AZ', 'ac-repair', 'Phoenix, AZ'],
  ['air conditioning repair las vegas nv', 'ac-repair', 'Las Vegas, NV'],
  ['lawn care kansas city', '*landscaping', 'Kansas City, MO'],
  ['kansas city kansas plumber', 'plumber', 'Kansas City, KS'],
  ['maid service san francisco', 'house-cleaning', 'San Francisco, CA'],
  ['maid in SF', 'house-cleaning', 'San Francisco, CA'],
  ['house cleaners los angeles', 'house-cleaning', 'Los Angeles, CA'],
  ['housecleaning LA', 'house-cleaning', 'Los Angeles, CA'],
  ['electrician new orleans la', 'electrician', 'New Orleans, LA'],
  ['handyman philly', 'handyman', 'Philadelphia, PA'],
  ['handymen in philadelphia pa', 'handyman', 'Philadelphia, PA'],
  ['roofers fort worth', '*roofing', 'Fort Worth, TX'],
  ['roofing contractors Ft. Worth, TX', '*roofing', 'Fort Worth, TX'],
  ['tree removal mount pleasant sc', 'tree-removal', 'Mount Pleasant, SC'],
  ['tree trimming Mt Pleasant', 'tree-trimming', 'Mount Pleasant, SC'],
  ['movers new york city', '*moving', 'New York, NY'],
  ['moving company boston ma', '*moving', 'Boston, MA'],
  ['electricians St. Paul MN', 'electrician', 'Saint Paul, MN'],
  ['pest control honolulu 96813', 'pest-control', 'Honolulu, HI 96813'],
  ['exterminator anchorage alaska', '*pest-control', 'Anchorage, AK'],
  ['bed bugs 10001', 'bed-bug-treatment', 'New York, NY 10001'],
  ['garage door repair in Orange, CA', 'garage-door-repair', 'Orange, CA'],
  ['fence installers denver', 'fence-installation', 'Denver, CO'],
  ['deck builder portland oregon', 'deck-building', 'Portland, OR'],
  ['kitchen remodel seattle wa', 'kitchen-remodeling', 'Seattle, WA'],
  ['bathroom remodeling Washington DC', 'bathroom-remodeling', 'Washington, DC'],
  ['painters washington, d.c.', 'painter', 'Washington, DC'],
  ['pool guy scottsdale', '*pools-spas', 'Scottsdale, AZ'],
  ['snow removal Buffalo NY', 'snow-removal', 'Buffalo, NY'],
  ['gutter cleaning 55401', 'gutter-cleaning', 'Minneapolis, MN 55401'],
  ['carpet cleaner winston-salem', 'carpet-cleaning', 'Winston-Salem, NC'],
  ['fix toilet in Columbus, Ohio', 'toilet-repair', 'Columbus, OH'],
  ['unclog drain cleveland', 'drain-cleaning', 'Cleveland, OH'],
  ['install water heater san jose', 'water-heater-installation', 'San Jose, CA'],
  ['mow lawn tampa', 'lawn-mowing', 'Tampa, FL'],
  ['need an electrician in Queens', 'electrician', 'Queens, NY'],
  ['tv mounting Bronx', 'tv-mounting', 'The Bronx, NY'],
  ['junk removal Flushing NY', 'junk-removal', 'Flushing, NY'],
  ['drywall coeur d’alene', 'drywall-repair', "Coeur d'Alene, ID"],
  ['general contractor La Cañada Flintridge', 'general-contractor', 'La Canada Flintridge, CA'],
  ['plumber springfield il', 'plumber', 'Springfield, IL'],
  ['plumbing Texas', '*plumbing', 'Texas'],
  ['plumbing TX', '*plumbing', 'Texas'],
  ['landscaper N Las Vegas', '*landscaping', 'North Las Vegas, NV'],
  ['cheap movers near 94110', '*moving', 'San Francisco, CA 94110'],
  ['i need someone to clean my house in Plano', 'house-cleaning', 'Plano, TX'],
  ['leaky faucet jersey city', 'leak-repair', 'Jersey City, NJ'],
  ['mobile al plumber', 'plumber', 'Mobile, AL'],
  ['sprinkler repair spring tx', 'sprinkler-repair', 'Spring, TX'],
  ['Water Heater Installation', 'water-heater-installation', null],
  ['windows and doors houston', '*windows-doors', 'Houston, TX'],
  ['New York', null, 'New York, NY'],
  ['Nevada', null, 'Nevada'],
  ['99501', null, 'Anchorage, AK 99501'],
]

interface Page {
  professionals: Professional[]
  meta: SearchMeta
}

async function search(query: Record<string, string>): Promise<Page> {
  const response = await app.send(`/api/v1/pros?${new URLSearchParams(query).toString()}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Page
}

const idsOf = ({ professionals }: { professionals: { id: string }[] }) => professionals.map(({ id }) => id)
const pageOf = (query: Record<string, string>) => visitor.get(`/?${new URLSearchParams(query).toString()}`)
const shownIn = (page: string) => [...page.matchAll(/<h3>.*?<a href="\/pros\/([^"?]+)/g)].map(([, slug]) => slug)

/** The search by the exact parameters that a phrase means. */
function exactQuery(phrase: string, offering: string | null, place: string | null): Record<string, string> {
  const isNear = /\bnear\b|\d{5}/.test(phrase) && place !== null
  return {
    ...(offering === null ? {} : offering.startsWith('*') ? { category: offering.slice(1) } : { service: offering }),
    ...(place === null ? {} : { place }),
    ...(isNear ? { radius: '25' } : {}),
  }
}

test.each([...PHRASES])(
  '“%s” means %s in %s: in the API, on the page, in the tool',
  async (phrase, offering, place) => {
    const found = await search({ q: phrase, limit: '10' })
    const { understood, suggestions } = found.meta
    expect(suggestions).toBeUndefined()
    const read = understood?.category ? `*${understood.category.slug}` : (understood?.service?.slug ?? null)
    expect([read, understood?.place?.displayName ?? null]).toEqual([offering, place])

    const exact = await search({ ...exactQuery(phrase, offering, place), limit: '10' })
    expect([found.meta.total, idsOf(found)]).toEqual([exact.meta.total, idsOf(exact)])

    // Pages and tools show only pros who come there.
    const served = await search({ q: phrase, limit: '10', inServiceArea: 'true' })
    const { text } = await pageOf({ service: phrase, sort: 'nearest' })
    const name = understood?.service?.name ?? understood?.category?.name
    expect([name, place].filter((part) => part && !text.includes(`value="${escaped(part)}"`))).toEqual([])
    expect(/<h1>(.*?)<\/h1>/s.exec(text)?.[1]).toContain(escaped(place ?? ''))
    expect(shownIn(text).slice(0, 10)).toEqual(served.professionals.map(({ slug }) => slug))

    const { structured } = await callTool(app, CUSTOMER_SERVER, key, 'search_pros', { q: phrase })
    expect(idsOf(structured as { professionals: { id: string }[] })).toEqual(idsOf(served))
  },
)

describe('the parameters', () => {
  test.each([
    ['service', ['plumber', 'Plumbers', 'PLUMBER', ' plumber '], {}],
    [
      'service',
      ['house-cleaning', 'House cleanings', 'housecleaning', 'maid', 'house cleaner', 'cleaning of house'],
      {},
    ],
    ['service', ['hvac', 'HVAC', 'Heating & Cooling', 'heating and cooling', 'hvac technician'], {}],
    ['service', ['oven-repair', 'Oven & Stove Repair', 'oven and stove repair', 'stove repair'], {}],
    ['category', ['plumbing', 'Plumbing', 'plumbers', 'plumber'], {}],
    ['category', ['landscaping', 'lawn & landscaping', 'lawn care', 'gardener'], {}],
    ['city', ['New York, NY', 'new york ny', 'New York City', 'NYC', 'New York, New York, USA'], {}],
    ['city', ['St. Louis', 'Saint Louis', 'st louis', 'SAINT-LOUIS'], {}],
    ['city', ['Fort Worth, TX', 'Ft Worth, Texas', 'ft. worth tx'], {}],
    ['city', ['Philadelphia, PA', 'Philly'], {}],
    ['state', ['TX', 'tx', 'Texas', 'TEXAS'], {}],
    ['state', ['DC', 'D.C.', 'District of Columbia'], {}],
    ['place', ['Austin, TX', 'austin texas', 'Austin'], {}],
    ['place', ['78701', 'Austin, TX 78701', '78701-1234', 'austin 78701'], {}],
    ['place', ['Springfield, IL', 'springfield'], { state: 'IL' }],
  ] as const)('%s may be any of %p', async (name, spellings, others) => {
    const [first, ...more] = await Promise.all(spellings.map((text) => search({ [name]: text, ...others })))
    expect(first?.meta.total).toBeGreaterThan(0)
    for (const { meta, professionals } of more)
      expect([meta.total, idsOf({ professionals })]).toEqual([
        first?.meta.total ?? 0,
        idsOf(first ?? { professionals: [] }),
      ])
  })

  test('a ZIP code searches 25 miles around its center, nearest first', async () => {
    const [byZip, byPoint] = await Promise.all([
      search({ place: '78701' }),
      search({ lat: '30.2713', lng: '-97.7426', radius: '25' }),
    ])
    expect(byZip.professionals).toEqual(byPoint.professionals)
    expect(byZip.meta.total).toBe(byPoint.meta.total)
    expect(byZip.professionals[0]?.distance).toBeNumber()
    const wider = await search({ place: '78701', radius: '100' })
    expect(wider.meta.total).toBeGreaterThan(byZip.meta.total)
  })

  test('a town without pros is served from its surroundings', async () => {
    const [town] = await app.sql<{ name: string }[]>`
      select c.name || ', ' || c.state as name from cities c join cities big on big.name = 'Dallas' and big.state = 'TX'
      where not exists (select from professionals p where p.city_id = c.id)
        and abs(c.latitude - big.latitude) < 0.2 and abs(c.longitude - big.longitude) < 0.2 order by c.id limit 1`
    const { professionals, meta } = await search({ place: town?.name ?? '' })
    expect(meta.understood?.place?.displayName).toBe(town?.name ?? '')
    expect(meta.total).toBeGreaterThan(0)
    expect(professionals[0]?.distance).toBeNumber()
  })

  test.each([
    [{ q: 'plumber', service: 'plumber' }, 'query.q'],
    [{ q: 'plumber', city: 'Austin' }, 'query.q'],
    [{ place: '78701', city: 'Austin' }, 'query.place'],
    [{ place: '78701', lat: '30', lng: '-97' }, 'query.place'],
    [{ q: '' }, 'query.q'],
    [{ place: '' }, 'query.place'],
  ])('%p contradicts itself', async (query, path) => {
    const response = await app.send(`/api/v1/pros?${new URLSearchParams(query as Record<string, string>).toString()}`)
    expect(response.status).toBe(400)
    expect(((await response.json()) as { errors: { path: string }[] }).errors.map((it) => it.path)).toEqual([path])
  })

  test('prices take the same names, and a whole trade is answered with its services', async () => {
    const prices = async (query: Record<string, string>) =>
      await app.send(`/api/v1/pricing?${new URLSearchParams(query).toString()}`)
    const [exact, typed] = await Promise.all([
      prices({ service: 'house-cleaning', city: 'St. Louis', state: 'MO' }),
      prices({ service: 'maids', city: 'Saint Louis, Missouri' }),
    ])
    expect(await typed.json()).toEqual((await exact.json()) as object)
    const whole = await prices({ service: 'hvac' })
    expect([whole.status, await whole.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'service_not_found', detail: expect.stringContaining('HVAC Repair, AC Repair') }),
    ])
  })

  test('a synonym that an operator adds is understood without a restart', async () => {
    await app.sql`update services set synonyms = synonyms || '{widget wrangler}' where slug = 'tv-mounting'`
    const understood = async () => (await search({ service: 'widget wranglers' })).meta.understood?.service?.slug
    expect(await waitUntil(async () => (await understood()) === 'tv-mounting', 10_000)).toBe(true)
  })
})
