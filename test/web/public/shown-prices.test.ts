// The prices on pages and in structured data are those of the service that was asked for, with their unit.
import { expect, test } from 'bun:test'

import { changeOffer } from '../../../src/features/business/offers/verbs.ts'
import type { Professional, PublicProfile } from '../../../src/features/search/pros/schemas.ts'
import { duration, priceOf, shortMoney } from '../../../src/platform/text/format.ts'
import { openTestApp } from '../../support/app.ts'
import { Visitor } from '../../support/visitor.ts'
import { opened } from '../../support/fixture.ts'
import { ctxOf } from '../../../src/ctx.ts'

const app = await opened(openTestApp())
const visitor = new Visitor(app)

const searchApi = async (query: string) =>
  ((await (await app.send(`/api/v1/pros?limit=20&${query}`)).json()) as { professionals: Professional[] }).professionals

/** The results of a page, one text each. */
const resultsOf = async (path: string) => {
  const { text } = await visitor.get(path)
  const [, list = ''] = /<ol class="found">(.*?)<\/ol>/s.exec(text) ?? []
  return list.split('</li>').slice(0, -1)
}

test.each(['drain-cleaning', 'plumber', 'lawn-mowing'])(
  'a search for %s shows its price with the unit, its length, and where to book or to ask for a quote',
  async (service) => {
    await app.sql`
      update professional_services o set instant_book_enabled = false from services s
      where s.id = o.service_id and s.slug = ${service} and md5(o.professional_id::text) < '5'`
    const [pros, shown] = await Promise.all([
      searchApi(`service=${service}&state=CA`),
      resultsOf(`/?service=${service}&place=CA`),
    ])
    expect(shown.length).toBe(pros.length)
    const links = new Set<string>()
    for (const [n, { slug, matchedService, bookingUrl }] of pros.entries()) {
      if (!matchedService) throw new Error('A search for a service has no matchedService.')
      expect(shown[n]).toContain(`<strong>${priceOf(matchedService.pricing)}</strong>`)
      expect(shown[n]).toContain(duration(matchedService.booking.durationMinutes ?? 0))
      const page = matchedService.booking.instantBookEnabled ? 'book' : 'quote'
      expect(shown[n]).toContain(`href="/pros/${slug}/${page}?service=${matchedService.id}"`)
      expect(bookingUrl !== null).toBe(page === 'book')
      links.add(page)
    }
    expect(links.size).toBe(2)
  },
)

test('a search without a service shows the lowest price per visit, or none: never a price per hour or per unit', async () => {
  const [pros, shown] = await Promise.all([searchApi('state=CA'), resultsOf('/?place=CA')])
  expect(shown.length).toBe(pros.length)
  for (const [n, { id, pricing }] of pros.entries()) {
    const [row] = await app.sql<{ lowest: number | null }[]>`
      select min(least(min_price_cents, base_price_cents, max_price_cents)) / 100.0 as lowest
      from professional_services where professional_id = ${id} and price_type = 'flat'`
    const lowest = row?.lowest ?? null
    expect(pricing?.min ?? null).toBe(lowest)
    if (lowest === null) expect(shown[n]).not.toContain('$')
    else expect(shown[n]).toContain(`<strong>from ${shortMoney(lowest)} per visit</strong>`)
    expect(shown[n]).not.toContain('from $0')
  }
})

test('a pro’s page describes every service to search engines with the price of its unit', async () => {
  const [offer] = await app.sql<{ professionalId: string; serviceId: string; slug: string }[]>`
    select o.professional_id, o.service_id, p.slug
    from professional_services o join professionals p on p.id = o.professional_id and p.active order by p.id limit 1`
  if (!offer) throw new Error('The seed has no offers.')
  const { professionalId, serviceId, slug } = offer
  const price = { basePrice: 83, minPrice: 80, maxPrice: 95.5 }
  await changeOffer(ctxOf(app.deps, { professionalId }), { serviceId, priceType: 'hourly', unit: 'hour', ...price })
  const profile = (await (await app.send(`/api/v1/profile/public/${slug}`)).json()) as PublicProfile
  const { text } = await visitor.get(`/pros/${slug}`)
  const [{ makesOffer }] = (
    JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null') as {
      '@graph': [{ makesOffer: { itemOffered: { name: string }; priceSpecification?: object; url?: string }[] }]
    }
  )['@graph']
  expect(makesOffer.map(({ itemOffered }) => itemOffered.name)).toEqual(profile.services.map(({ name }) => name))
  for (const [n, { id, pricing, booking }] of profile.services.entries()) {
    const { basePrice, min, max } = pricing
    const unit = pricing.unit === 'hour' ? { unitCode: 'HUR' } : { unitText: pricing.unit ?? 'visit' }
    expect(makesOffer[n]?.priceSpecification).toEqual(
      (basePrice ?? min ?? max) === null
        ? undefined
        : {
            '@type': 'UnitPriceSpecification',
            ...(basePrice === null ? {} : { price: basePrice }),
            ...(min === null ? {} : { minPrice: min }),
            ...(max === null ? {} : { maxPrice: max }),
            priceCurrency: 'USD',
            ...unit,
          },
    )
    expect(makesOffer[n]?.url).toBe(booking.instantBookEnabled ? `${profile.profileUrl}/book?service=${id}` : undefined)
  }
  expect(
    makesOffer.find(({ priceSpecification }) => JSON.stringify(priceSpecification)?.includes('95.5')),
  ).toMatchObject({
    priceSpecification: { price: 83, minPrice: 80, maxPrice: 95.5, unitCode: 'HUR' },
  })
})
