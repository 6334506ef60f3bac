// The pages of a service in a city: their address, content, structured data and sitemaps.
import { describe, expect, test } from 'bun:test'

import { getPricing } from '../../../src/features/catalog/pricing/verbs.ts'
import { getCatalogNames } from '../../../src/features/catalog/services/verbs/names.ts'
import { citySlug } from '../../../src/features/catalog/services/words.ts'
import { foundText, prosOf, servicePath } from '../../../src/web/public/search/words.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { Visitor } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const app = await opened(openTestApp())
const visitor = new Visitor(app)
const { text } = await visitor.get('/sitemaps/cities-plumber-0.xml')
const listed = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)

interface Node {
  '@type': string
  itemListElement?: { item: { potentialAction?: { '@type': string; target: { urlTemplate: string } } } }[]
  offers?: { lowPrice: number; highPrice: number }
}

function graphIn(page: string): Node[] {
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
  return (JSON.parse(json) as { '@graph': Node[] })['@graph']
}

describe('the page of a service in a city', () => {
  test('shows what was found, the real prices, and how to book, also to search engines', async () => {
    // The seed has too few plumbers in Houston for prices of their own: theirs are those of the country here.
    await app.sql`
      insert into pricing_aggregates
      select (jsonb_populate_record(p, jsonb_build_object('state', c.state, 'city_id', c.id))).*
      from pricing_aggregates p join services s on s.id = p.service_id, cities c
      where s.slug = 'plumber' and p.state = '' and p.city_id = 0 and c.name = 'Houston' and c.state = 'TX'`
    const { text, status } = await visitor.get('/plumbers/houston-tx')
    expect(status).toBe(200)
    expect(text).toContain('<h1>Plumbers in Houston, TX</h1>')
    expect(text).toContain(`<link rel="canonical" href="${app.deps.config.baseUrl}/plumbers/houston-tx"`)
    const { pricing } = await getPricing(ctxOf(app.deps), { service: 'plumber', city: 'Houston', state: 'TX' })
    if (!pricing) throw new Error('There are no prices of plumbers in Houston.')
    expect(text).toContain('What plumbers charge in Houston')
    expect(text).toContain(`<strong>$${pricing.median} per hour</strong>`)
    const graph = graphIn(text)
    expect(graph.map((node) => node['@type'])).toEqual(['Service', 'BreadcrumbList', 'ItemList'])
    expect(graph[0]?.offers?.lowPrice).toBe(pricing.min)
    expect(text).toContain('Other services in Houston')
  })

  test('tells search engines the page that books each pro', async () => {
    const pages = await Promise.all(listed.slice(0, 20).map((path) => visitor.get(path)))
    const actions = pages
      .flatMap(({ text }) => graphIn(text)[2]?.itemListElement ?? [])
      .flatMap(({ item }) => item.potentialAction ?? [])
    expect(actions.length).toBeGreaterThan(0)
    for (const action of actions.slice(0, 3)) {
      expect(action['@type']).toBe('ReserveAction')
      const { pathname, search } = new URL(action.target.urlTemplate)
      expect((await visitor.get(pathname + search)).status).toBe(200)
    }
  })

  test('all pages in the sitemap exist, have pros and may be indexed', async () => {
    expect(listed.length).toBeGreaterThan(20)
    expect(new Set(listed).size).toBe(listed.length)
    for (const path of listed.filter((_, index) => index % 40 === 0)) {
      const { status, text } = await visitor.get(path)
      expect({ path, status, isIndexed: !text.includes('noindex') }).toEqual({ path, status: 200, isIndexed: true })
      expect(text).toContain('id="pro-1"')
    }
    const index = await visitor.get('/sitemap.xml')
    expect(index.text).toContain('/sitemaps/cities-plumber-0.xml</loc>')
    for (const part of ['cities-plumber-99.xml', 'cities-nothing-0.xml', 'cities--0.xml'])
      expect((await visitor.get(`/sitemaps/${part}`)).status).toBe(404)
  })

  test('a city without pros of the service shows its surroundings and is not indexed', async () => {
    const { allCities } = await getCatalogNames(ctxOf(app.deps))
    const empty = allCities.map((city) => `/plumbers/${citySlug(city)}`).find((path) => !listed.includes(path)) ?? ''
    const { status, text } = await visitor.get(empty)
    expect(status).toBe(200)
    expect(text).toContain('<meta name="robots" content="noindex"')
  })

  test.each([
    ['/plumber/houston-tx', 308, '/plumbers/houston-tx'],
    ['/Plumbers/Houston-TX', 308, '/plumbers/houston-tx'],
    ['/Drain_Cleaning/houston', 308, '/drain-cleaning/houston-tx'],
    ['/plumbers/77002', 308, '/plumbers/houston-tx'],
    ['/plumbers/texas', 303, '/?service=Plumber&place=Texas'],
    ['/plumbing/houston-tx', 308, '/plumbers/houston-tx'],
  ])('%s leads to its one address', async (path, status, location) => {
    const response = await visitor.get(path)
    if (path !== '/plumbing/houston-tx') return expect(response).toMatchObject({ status, location })
    // A word for the whole trade leads to a search of the trade.
    expect([303, 308]).toContain(response.status)
  })

  test('an unknown name is answered with the nearest ones, and a path of unknown names like every other unknown path', async () => {
    const city = await visitor.get('/plumbers/housten-tx')
    expect([city.status, city.text.includes('href="/plumbers/houston-tx"')]).toEqual([404, true])
    const service = await visitor.get('/samsung-mounting/houston-tx')
    expect([service.status, service.text.includes('href="/tv-mounting/houston-tx"')]).toEqual([404, true])
    const unknown = await app.send('/foo/bar')
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    expect((await app.send('/foo/bar', { method: 'POST' })).status).toBe(404)
    expect((await app.send('/console/nothing')).status).toBe(404)
  })
})

test.each(['/api/v1', '/api/v1?x=1', '/api/plumbers?x=1'])('a program gets no page for %s', async (path) => {
  const request = new Request(app.deps.config.baseUrl + path, { headers: { accept: 'text/html' } })
  const response = await app.app.handle(request)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.status).toBeOneOf([400, 404])
})

test('cities have slugs that mean themselves, and services have paths that mean themselves', async () => {
  const names = await getCatalogNames(ctxOf(app.deps))
  const slugs = Map.groupBy(names.allCities, citySlug)
  for (const [slug, [city]] of slugs) expect(names.cityBySlug(slug)).toBe(city)
  for (const service of names.services) expect(names.offering(servicePath(service))?.service).toBe(service)
})

test('counts are said as people say them', () => {
  const exact = (total: number) => ({ total, isPartial: false })
  expect(foundText({ service: 'Plumber' }, exact(1))).toBe('1 plumber')
  expect(foundText({ service: 'Handyman' }, exact(1200))).toBe('1,200 handymen')
  expect(foundText({ service: 'AC Repair' }, exact(2))).toBe('2 pros for AC repair')
  expect(foundText({ category: 'Heating & Cooling' }, exact(1))).toBe('1 pro for heating & cooling')
  expect(foundText({ service: 'Plumber' }, { total: 1, isPartial: true })).toBe('at least 1 plumber')
  expect(foundText({}, exact(0))).toBe('no pros')
  expect(prosOf({ service: 'General Contractor' })).toBe('general contractors')
})

test('the pages of a pro name the pages above them, which exist at these addresses, for people and for search engines', async () => {
  const [offer] = await app.sql<{ sku: string; slug: string; service: string }[]>`
    select k.sku, s.slug, k.service_id as service from packages k join pro_search s using (professional_id)
    order by k.sku limit 1`
  if (!offer) throw new Error('The seed has no package.')
  const { sku, slug, service } = offer
  const paths = [
    `/pros/${slug}`,
    `/pros/${slug}?service=${service}`,
    `/packages/${sku}`,
    `/pros/${slug}/book?service=${service}`,
    `/pros/${slug}/quote?service=${service}`,
    '/plumbers/houston-tx',
  ]
  for (const path of paths) {
    const { text } = await visitor.get(path)
    const [, trail = ''] = /<nav class="crumbs" aria-label="Breadcrumbs">(.*?)<\/nav>/s.exec(text) ?? []
    const above = Array.from(trail.matchAll(/<a href="([^"]+)">/g), ([, href = '']) => href.replaceAll('&amp;', '&'))
    expect([path, above.length >= 2, above[0]]).toEqual([path, true, '/'])
    expect(trail).toContain('aria-current="page"')
    for (const href of above) expect([href, (await visitor.get(href)).status]).toEqual([href, 200])
    if (/\/(book|quote)\?/.test(path)) continue
    const { itemListElement = [] } =
      (graphIn(text) as unknown as { '@type': string; itemListElement?: { item: string }[] }[]).find(
        (node) => node['@type'] === 'BreadcrumbList',
      ) ?? {}
    const listed = itemListElement.map(({ item }) => item.slice(app.deps.config.baseUrl.length))
    expect(listed.slice(0, -1)).toEqual(above)
    expect(path.split('?')[0]).toBe(listed.at(-1) ?? '')
  }
})
