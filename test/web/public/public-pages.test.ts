// Public pages as browsers and search engines read them: their content, and escaping.
import { describe, expect, test } from 'bun:test'

import { changeProfile } from '../../../src/features/business/profile/verbs.ts'
import type { PublicProfile } from '../../../src/features/search/pros/schemas.ts'
import { SECTIONS } from '../../../src/features/business/storefront/schemas.ts'
import { changePublicTexts, changeSiteConfig } from '../../../src/features/business/storefront/verbs.ts'
import { openTestApp } from '../../support/app.ts'
import { findPros } from '../../support/reviews.ts'
import { Visitor } from '../../support/visitor.ts'
import { opened } from '../../support/fixture.ts'
import { escaped } from '../../support/escaped.ts'
import { ctxOf } from '../../../src/ctx.ts'

const app = await opened(openTestApp())
const visitor = new Visitor(app)
const [row] = await findPros(app, 1)
if (!row) throw new Error('The seed has no pros.')
const pro = row

/** The JSON-LD of a page. */
const graphIn = (page: string) =>
  (
    JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? '{}') as {
      '@graph': Record<string, unknown>[]
    }
  )['@graph']

describe('a pro’s page', () => {
  test('is at the profileUrl of the API and shows the same data', async () => {
    const response = await app.send(`/api/v1/profile/public/${pro.slug}`)
    const profile = (await response.json()) as PublicProfile
    const { status, text } = await visitor.get(new URL(profile.profileUrl).pathname)
    expect(status).toBe(200)
    expect(text).toContain(`<title>${escaped(profile.businessName)}`)
    for (const { name } of profile.services) expect(text).toContain(escaped(name))
    for (const { content } of profile.recentReviews) expect(text).toContain(escaped(content))
    expect(text).toContain(`<link rel="canonical" href="${profile.profileUrl}"`)
  })

  test('describes the business and its rating to search engines in schema.org data', async () => {
    const response = await app.send(`/api/v1/profile/public/${pro.slug}`)
    const { reviews, location, profileUrl, businessName, serviceRadius } = (await response.json()) as PublicProfile
    const { text } = await visitor.get(`/pros/${pro.slug}`)
    expect(text).toContain('"@context":"https://schema.org"')
    const [business, breadcrumbs] = graphIn(text)
    expect(breadcrumbs?.['@type']).toBe('BreadcrumbList')
    expect(business).toMatchObject({
      '@type': 'HomeAndConstructionBusiness',
      name: businessName,
      url: profileUrl,
      image: [expect.stringContaining(`/pros/${pro.slug}/share.jpg`)],
      priceRange: expect.stringMatching(/^\$[\d,.]+( to \$[\d,.]+)?$/),
      areaServed: {
        '@type': 'GeoCircle',
        geoMidpoint: { latitude: location?.latitude, longitude: location?.longitude },
        geoRadius: serviceRadius * 1609,
      },
      address: { '@type': 'PostalAddress', addressLocality: location?.city, addressRegion: location?.state },
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: reviews.stats.average,
        reviewCount: reviews.stats.count,
      },
    })
  })

  test('offers times that can be booked, and shows all reviews page by page', async () => {
    const rows = await app.deps.read.run<{ slug: string; reviews: number }>(
      'mostReviewed',
      (sql) => sql`
        select slug, review_count as reviews from professionals p
        where active and instant_booking_enabled and exists (select from pro_search s where s.professional_id = p.id)
        order by review_count desc limit 1`,
    )
    const { slug = '', reviews = 0 } = rows[0] ?? {}
    const { text } = await visitor.get(`/pros/${slug}`)
    const [, href = ''] = /class="times">\s*<li>\s*<a class="[^"]*" href="([^"]+)"/.exec(text) ?? []
    expect((await visitor.get(href.replaceAll('&amp;', '&'))).status).toBe(200)
    expect(text).toContain('"@type":"ReserveAction"')
    const shown: number[] = []
    for (let offset = 0; offset < reviews; offset += 10) {
      const page = await visitor.get(`/pros/${slug}?offset=${offset}`)
      shown.push(page.text.match(/<article class="review">/g)?.length ?? 0)
      expect(page.text.includes('Older reviews →')).toBe(offset + 10 < reviews)
    }
    expect(shown.reduce((sum, n) => sum + n, 0)).toBe(reviews)
    expect((await visitor.get(`/pros/${slug}?offset=x`)).status).toBe(200)
  })

  test('shows the reviews with so many stars, in the order that is asked for, with true numbers', async () => {
    const [reviewed] = await app.sql<{ slug: string; stars: number[] }[]>`
      select p.slug, array_agg(r.rating::int order by r.created_at desc, r.id desc) as stars
      from professionals p join reviews r on r.professional_id = p.id and r.status = 'approved'
      where p.active and p.test_account_id is null group by p.id
      having count(distinct r.rating) between 2 and 4 and count(*) < 10 order by count(*) desc, p.id limit 1`
    if (!reviewed) throw new Error('The seed has no pro with reviews of different ratings.')
    const { slug, stars } = reviewed
    const shownWith = async (query: string) => {
      const { text } = await visitor.get(`/pros/${slug}${query}`)
      const shown = Array.from(text.matchAll(/<article class="review">.*?aria-label="(\d) of 5/gs), ([, it]) =>
        Number(it),
      )
      return { text, shown }
    }
    for (const wanted of [1, 2, 3, 4, 5]) {
      const { text, shown } = await shownWith(`?stars=${wanted}`)
      const of = stars.filter((it) => it === wanted).length
      expect(shown).toEqual(Array(of).fill(wanted))
      expect(text).toContain(
        `${of} ${of === 1 ? 'review' : 'reviews'} with ${wanted} ${wanted === 1 ? 'star' : 'stars'}.`,
      )
      expect(text.includes('No review has this rating.')).toBe(of === 0)
      // The bars are of all reviews, and lead to those that exist.
      expect((await shownWith('')).text.includes(`href="/pros/${slug}?stars=${wanted}#reviews"`)).toBe(of > 0)
    }
    expect((await shownWith('')).shown).toEqual(stars)
    expect((await shownWith('?sort=rating_low')).shown).toEqual(stars.toSorted((a, b) => a - b))
    expect((await shownWith('?sort=nothing&stars=9')).shown).toEqual(stars)
    const helpful = (await shownWith('?sort=helpful')).shown
    expect(helpful.toSorted((a, b) => a - b)).toEqual(stars.toSorted((a, b) => a - b))
  })

  test('has one URL', async () => {
    expect(await visitor.get(`/pros/${pro.id}`)).toMatchObject({ status: 308, location: `/pros/${pro.slug}` })
    expect((await visitor.get('/pros/unknown')).status).toBe(404)
  })

  test('escapes everything that the pro wrote', async () => {
    const evil = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\'&lt;'
    const me = { professionalId: pro.id }
    await changeProfile(ctxOf(app.deps, me), { businessName: `${evil} Plumbing`, description: evil })
    await changePublicTexts(ctxOf(app.deps, me), {
      headline: evil,
      about: evil,
      highlights: [evil],
      serviceAreas: evil,
      faq: [{ question: evil, answer: evil }],
    })
    await changeSiteConfig(ctxOf(app.deps, me), {
      heroTitle: evil,
      heroText: evil,
      callToActionLabel: evil.slice(0, 60),
    })
    for (const path of [`/pros/${pro.slug}`, `/?place=${encodeURIComponent(evil)}`]) {
      const { text, headers } = await visitor.get(path)
      expect(text).toContain('&lt;img src=x')
      expect(text).not.toContain('<img src=x')
      expect(text.match(/<script(?! src="\/assets\/| type="application\/ld\+json">)/g)).toBeNull()
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    expect(graphIn((await visitor.get(`/pros/${pro.slug}`)).text)[0]).toMatchObject({ name: `${evil} Plumbing` })
  })

  test('shows the sections that the pro chose, in the pro’s order', async () => {
    await changePublicTexts(ctxOf(app.deps, { professionalId: pro.id }), { about: 'About us.', faq: [] })
    await changeSiteConfig(ctxOf(app.deps, { professionalId: pro.id }), { sections: ['contact', 'about'] })
    const { text } = await visitor.get(`/pros/${pro.slug}`)
    expect([...text.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual(['Business details', 'About'])
    await changeSiteConfig(ctxOf(app.deps, { professionalId: pro.id }), { sections: [...SECTIONS] })
  })
})

describe('the search', () => {
  test('finds the same pros as the API', async () => {
    const response = await app.send('/api/v1/pros?service=drain-cleaning&state=TX&limit=20')
    const { professionals, meta } = (await response.json()) as {
      professionals: { slug: string }[]
      meta: { total: number }
    }
    const { text } = await visitor.get('/?service=drain-cleaning&place=TX')
    const shown = [...text.matchAll(/<h3>(?:<span[^>]*>\d+<\/span>)?<a href="\/pros\/([^"?]+)[^"]*"/g)].map(
      ([, slug]) => slug,
    )
    expect(shown).toEqual(professionals.map(({ slug }) => slug))
    expect(shown.length).toBeGreaterThan(0)
    expect(text).toContain(`${meta.total} pro`)
  })

  test.each([
    ['a place that is none', '?place=Nowhere'],
    ['an unknown service', '?service=nothing'],
    ['an offset below zero', '?offset=-1'],
    ['an offset that is no number', '?offset=x&place=TX'],
    ['a very long text', `?place=${'x'.repeat(5000)}`],
  ])('responds to %s with a page', async (_, query) => {
    expect((await visitor.get(`/${query}`)).status).toBe(200)
  })
})

describe('for search engines', () => {
  test('the sitemaps list every pro once', async () => {
    const index = await visitor.get('/sitemap.xml')
    const parts = [...index.text.matchAll(/<sitemap><loc>(.*?)<\/loc><\/sitemap>/g)].map(([, address]) => address ?? '')
    const ofPros = parts
      .map((address) => new URL(address).pathname)
      .filter((path) => !/\/(packages|cities)-/.test(path))
    const pages = await Promise.all(ofPros.map((path) => visitor.get(path)))
    const listed = pages.flatMap(({ text }) => [...text.matchAll(/<url><loc>(.*?)<\/loc><\/url>/g)].map(([, it]) => it))
    const rows = await app.deps.read.run<{ slug: string }>('allSlugs', (sql) => sql`select slug from pro_search`)
    expect(listed.length).toBe(rows.length)
    expect(new Set(listed)).toEqual(new Set(rows.map(({ slug }) => `${app.deps.config.baseUrl}/pros/${slug}`)))
    expect(index.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  })

  test.each(['99.xml', '0', '-1.xml', '0.xml.gz', 'x.xml'])('there is no sitemap %s', async (part) => {
    expect((await visitor.get(`/sitemaps/${part}`)).status).toBe(404)
  })

  test('robots.txt names the sitemap and excludes personal pages', async () => {
    const { text } = await visitor.get('/robots.txt')
    expect(text).toContain(`Sitemap: ${app.deps.config.baseUrl}/sitemap.xml`)
    expect(text).toContain('Disallow: /quotes/')
    // Search engines look at pages with their style sheets, scripts and pictures.
    expect(text).not.toMatch(/Disallow: \/(assets|files|plumbers|pros\/?$|packages)/m)
  })

  const canonical = async (query: string) => {
    const { text } = await visitor.get(`/${query}`)
    const [, address = ''] = /<link rel="canonical" href="([^"]+)"/.exec(text) ?? []
    const isIndexed = !text.includes('<meta name="robots" content="noindex')
    return { address: address.slice(app.deps.config.baseUrl.length).replaceAll('&amp;', '&'), isIndexed }
  }

  test.each([
    [
      '/?service=plumber',
      true,
      ['?service=plumber', '?place=&service=Plumbers&sort=usual&offset=0', '?service=plumer'],
    ],
    ['/plumbers/austin-tx', true, ['?service=plumber&place=Austin%2C+TX', '?place=austin tx&service=Plumber']],
    [
      '/plumbers/austin-tx',
      false,
      ['?service=plumber&place=Austin%2C+TX&rating=4.5', '?service=plumber&place=Austin%2C+TX&offset=20'],
    ],
    ['/?service=plumber', false, ['?service=plumber&verified=on', '?service=plumber&lat=30.2&lng=-97.7']],
    ['/?service=plumber&place=Austin%2C+TX+78701', false, ['?service=plumber&place=78701']],
    ['/', false, ['?service=qqqqqq', '?place=Austin%2C+TX']],
  ])('searches that find the same have one address, %s, indexed: %p', async (address, isIndexed, queries) => {
    for (const query of queries) expect([query, await canonical(query)]).toEqual([query, { address, isIndexed }])
  })

  test('the addresses that searches name for themselves name themselves', async () => {
    for (const path of ['?service=plumber', 'plumbers/austin-tx', ''])
      expect(await canonical(path)).toEqual({ address: `/${path}`, isIndexed: true })
  })
})

test('a profile offers the service that was searched for, and another one where it cannot be booked', async () => {
  const [found] = await app.sql<{ slug: string; ids: string[]; names: string[] }[]>`
    select p.slug, array_agg(s.id order by s.name) as ids, array_agg(s.name order by s.name) as names
    from professionals p
    join professional_services o on o.professional_id = p.id and o.instant_book_enabled
    join services s on s.id = o.service_id
    where p.active and p.instant_booking_enabled and not p.requires_approval group by p.id having count(*) > 1 limit 1`
  if (!found) throw new Error('The seed has no pro with two services.')
  const offered = async (service: string) => {
    const { text } = await visitor.get(`/pros/${found.slug}?service=${service}`)
    expect(text).toContain(`<link rel="canonical" href="${app.deps.config.baseUrl}/pros/${found.slug}"`)
    const [card = ''] = /<aside[^]*?<\/aside>/.exec(text) ?? []
    return [...new Set(Array.from(card.matchAll(/\/book\?service=([\da-f-]+)/g), ([, id]) => id))]
  }
  for (const id of found.ids) expect(await offered(id)).toEqual([id])
  expect(await offered(crypto.randomUUID())).toHaveLength(1)
})
