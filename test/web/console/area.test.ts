// Operators say where the marketplace serves: they see what lies within before they save it, and pages speak of it.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../src/ctx.ts'
import { getMarketplace, updateMarketplace } from '../../../src/features/upkeep/marketplace/verbs.ts'
import { isServed, milesBetween } from '../../../src/features/upkeep/marketplace/rules/area.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { PUBLIC_SERVER, callTool } from '../../support/agents.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { openToronto } from '../../support/toronto.ts'
import { Visitor, loggedInVisitor } from '../../support/visitor.ts'

const PATH = '/console/area'
const app = await opened(openTestApp())
const operator = await loggedInVisitor(app, 'operator')
const visitor = new Visitor(app)

const seenIn = (text: string) => /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? ''
const versionIn = (text: string) => /name="version" value="([^"]+)"/.exec(text)?.[1] ?? ''
const areaOf = async () => (await getMarketplace(ctxOf(app.deps))).area
/** Sends the rows, looks at the preview, and saves it. */
async function save(rows: readonly (readonly [place: string, distance: string])[]) {
  const version = versionIn((await operator.get(PATH)).text)
  const fields = { place: rows.map(([place]) => place), distance: rows.map(([, distance]) => distance), version }
  const preview = await operator.post(PATH, fields)
  return { preview, saved: await operator.post(PATH, { ...fields, seen: seenIn(preview.text) }) }
}

test('without an area the marketplace serves everywhere, and pages say nothing of it', async () => {
  expect((await operator.get('/console')).text).toContain(`href="${PATH}"`)
  expect((await operator.get(PATH)).text).toContain('You serve everywhere in the United States.')
  const home = await visitor.get('/')
  expect(home.text).not.toContain('Cities we serve')
  expect(home.text).toContain('placeholder="Austin, TX or 78701"')
  expect((await visitor.get('/?service=plumber&place=Chicago, IL')).text).not.toContain('does not serve')
})

test('each wrong row is named, and what was typed stays', async () => {
  const { preview } = await save([
    ['Austin, TX', '0'],
    ['Nowhere at all', '10'],
    ['', '10'],
    ['Texas', '20'],
  ])
  expect(preview.status).toBe(400)
  for (const message of ['Row 1 needs a whole distance from 1 to 500', 'row 3 has a distance without a place'])
    expect(preview.text).toContain(message)
  expect(preview.text).toContain('value="Nowhere at all"')
  const unknown = (
    await save([
      ['Austin, TX', '30'],
      ['', ''],
      ['Nowhere at all', '10'],
      ['Texas', '20'],
    ])
  ).preview
  expect(unknown.text).toContain('Row 3 is no place that is known: “Nowhere at all”')
  expect(unknown.text).toContain('row 4 must be a city or ZIP code, not a whole state: “Texas”')
  expect(await areaOf()).toEqual([])
})

test('a preview names cities and postal codes and saves nothing; what was seen is saved', async () => {
  const { preview, saved } = await save([
    ['austin tx', '30'],
    ['', ''],
    ['75201', '20'],
  ])
  expect(preview.status).toBe(200)
  expect(preview.text).toContain('Not saved yet: Austin, TX (within 30 miles) and Dallas, TX 75201 (within 20 miles)')
  expect(preview.text).toMatch(/<p>\d+ cities and \d+ ZIP codes\.<\/p>/)
  for (const inside of ['Round Rock, TX', 'Dallas, TX', '78701']) expect(preview.text).toContain(inside)
  expect(preview.text).not.toContain('Houston, TX')
  expect([saved.status, saved.location]).toEqual([303, PATH])
  expect(await waitUntil(async () => (await areaOf()).length === 2, 10_000)).toBe(true)
  expect((await operator.get(PATH)).text).toContain('You serve Austin, TX (within 30 miles) and')
})

test('another area than that which was seen, or a page of before, is not saved', async () => {
  const { text } = await operator.get(PATH)
  const fields = { place: ['Houston, TX'], distance: ['10'], version: versionIn(text) }
  const seen = seenIn((await operator.post(PATH, fields)).text)
  const other = await operator.post(PATH, { ...fields, distance: ['100'], seen })
  expect([other.status, other.text]).toEqual([200, expect.stringContaining('Not saved yet')])
  const late = await operator.post(PATH, { ...fields, version: '0', seen })
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('Another operator has saved something')])
  expect(await areaOf()).toHaveLength(2)
})

test('the first page and the page for pros say where it serves, and lead to its cities', async () => {
  const home = await visitor.get('/')
  expect(home.text).toContain('serves Austin, TX (within 30 miles) and Dallas, TX 75201 (within 20 miles).')
  expect(home.text).toContain('Cities we serve')
  expect(home.text).toContain('href="/?place=Dallas%2C+TX"')
  expect(home.text).toContain('placeholder="Austin, TX"')
  expect(home.text).not.toContain('Chicago')
  expect((await visitor.get('/for-pros')).text).toContain('serves Austin, TX (within 30 miles)')
})

test('a search outside says so and leads inside, and REST goes on as it was', async () => {
  const searches = ['/?service=plumber&place=Chicago, IL', '/?service=plumber&lat=41.88&lng=-87.63', '/?place=60601']
  for (const path of [...searches, '/?service=plumber&place=Ohio']) {
    const { text } = await visitor.get(path)
    expect([path, text]).toEqual([path, expect.stringMatching(/does not serve .*? yet\. It serves Austin, TX/)])
    expect(text).toContain('<meta name="robots" content="noindex')
    expect(text).toContain('Search in Austin, TX')
  }
  expect((await visitor.get(searches[0] ?? '')).text).toContain('does not serve Chicago, IL yet.')
  expect((await visitor.get(searches[1] ?? '')).text).toContain('does not serve the place where you are yet.')
  for (const path of [
    '/?service=plumber&place=Austin, TX',
    '/?service=plumber&place=Texas',
    '/?service=plumber',
    '/?place=78701',
  ])
    expect([path, (await visitor.get(path)).text.includes('does not serve')]).toEqual([path, false])
  const totals = async () => {
    const pros = (await (await app.send('/api/v1/pros?service=plumber&place=Chicago, IL')).json()) as { meta: object }
    const cities = (await (await app.send('/api/v1/cities')).json()) as { meta: object }
    return [pros.meta, cities.meta]
  }
  const within = await totals()
  const { version } = await getMarketplace(ctxOf(app.deps))
  const area = await areaOf()
  await updateMarketplace(ctxOf(app.deps), { area: [], version, by: null })
  expect(await waitUntil(async () => (await areaOf()).length === 0, 10_000)).toBe(true)
  expect(await totals()).toEqual(within)
  await updateMarketplace(ctxOf(app.deps), { area, version: version + 1, by: null })
  expect(await waitUntil(async () => (await areaOf()).length === 2, 10_000)).toBe(true)
})

test('agents are told of the area by the search and by /llms.txt', async () => {
  const search = async (place: string) => {
    const { meta } = (await callTool(app, PUBLIC_SERVER, '', 'search_pros', { service: 'plumber', place })).structured
    return (meta as { notServed?: string }).notServed
  }
  const serves = 'serves Austin, TX (within 30 miles) and Dallas, TX 75201 (within 20 miles)'
  expect(await search('Chicago, IL')).toBe(`Hearth does not serve Chicago, IL yet. It ${serves}.`)
  for (const place of ['Austin, TX', '78701', 'Texas']) expect([place, await search(place)]).toEqual([place, undefined])
  expect((await visitor.get('/llms.txt')).text).toContain(`It ${serves}: a search elsewhere`)
})

test('the page of a service in a city outside says so, and no sitemap lists it', async () => {
  const [city] = await app.sql<{ slug: string; city: string }[]>`
    select s.slug, c.name || ', ' || c.state as city from pro_search_area a
      join services s on s.ordinal = a.facet join cities c on c.id = a.area
    where c.state = 'IL' and a.pros > 0 order by a.pros desc, c.id limit 1`
  const { slug = '', city: name = '' } = city ?? {}
  const typed = `/${slug}/${name.replace(', ', '-').replaceAll(' ', '-').toLowerCase()}`
  const { location } = await visitor.get(typed)
  const { text } = await visitor.get(location ?? typed)
  expect(text).toContain(`does not serve ${name} yet.`)
  expect(text).toContain('<meta name="robots" content="noindex"')
  const locations = (await visitor.get(`/sitemaps/cities-${slug}-0.xml`)).text
  expect(locations).not.toContain('-il</loc>')
})

test('a pro outside is created with a note to the operator', async () => {
  expect((await operator.get('/console/pros/new')).text).toContain('serves Austin, TX (within 30 miles)')
  const create = async (email: string, place: string, radius: string) => {
    const { location } = await operator.post('/console/pros/new', {
      businessName: 'Oak',
      email,
      place,
      radius,
      plan: 'none',
    })
    return (await operator.get(location ?? '')).text.includes('the pro is outside your area')
  }
  expect(await create('one@example.com', 'Chicago, IL', '25')).toBe(true)
  expect(await create('two@example.com', 'Austin, TX', '25')).toBe(false)
  // Waco is outside, and the pro comes as far as the area.
  expect(await create('three@example.com', 'Waco, TX', '90')).toBe(false)
})

test('an area of a whole country is shown in part, quickly', async () => {
  const { preview } = await save([
    ['Wichita, KS', '500'],
    ['Columbus, OH', '500'],
    ['Denver, CO', '500'],
    ['Atlanta, GA', '500'],
  ])
  expect(preview.text).toMatch(/\d,\d{3} cities and \d\d,\d{3} ZIP codes/)
  expect(preview.text).toMatch(/and [\d,]+ more/)
  expect(preview.text.length).toBeLessThan(60_000)
})

test('in Canada distances are kilometres and postal codes have three characters', async () => {
  await using toronto = { value: await openToronto(), [Symbol.asyncDispose]: () => closing() }
  const closing = () => toronto.value.close()
  const there = await loggedInVisitor(toronto.value.app, 'operator')
  const version = versionIn((await there.get(PATH)).text)
  const fields = { place: ['M5V 1A1', 'Barrie, ON'], distance: ['40', '20'], version }
  const preview = await there.post(PATH, fields)
  expect(preview.text).toContain('Toronto, ON M5V (within 40 km) and Barrie, ON (within 20 km)')
  expect(preview.text).toMatch(/\d+ cities and \d+ postal codes, by their first three characters\./)
  for (const inside of ['Mississauga, ON', 'M5V', 'L4M']) expect(preview.text).toContain(inside)
  expect(preview.text).not.toContain('Ottawa, ON')
  expect((await there.post(PATH, { ...fields, seen: seenIn(preview.text) })).status).toBe(303)
  const guest = new Visitor(toronto.value.app)
  const says = async () =>
    (await guest.get('/?service=plumber&place=Ottawa, ON')).text.includes('does not serve Ottawa, ON yet.')
  expect(await waitUntil(says, 10_000)).toBe(true)
  expect((await guest.get('/?service=plumber&place=Toronto, ON')).text).not.toContain('does not serve')
})

test('distances are those of a great circle, and the edge of a circle counts', () => {
  const [austin, dallas] = [
    { latitude: 30.2672, longitude: -97.7431 },
    { latitude: 32.7767, longitude: -96.797 },
  ]
  const miles = milesBetween(austin, dallas)
  expect(miles).toBeCloseTo(182.1, 0)
  const around = (radiusMiles: number) => [{ place: 'Austin, TX', ...austin, radiusMiles }]
  expect(isServed(around(miles), dallas)).toBe(true)
  expect(isServed(around(miles - 0.1), dallas)).toBe(false)
  expect(isServed(around(miles - 10), dallas, 11)).toBe(true)
  expect(isServed([], dallas)).toBe(true)
})
