// A pro's profile and offers, and the packages of offers.
import { beforeAll, describe, expect, test } from 'bun:test'

import { createApp } from '../../../../src/app.ts'
import type { Package } from '../../../../src/features/business/packages/schemas.ts'
import type { Offer } from '../../../../src/features/business/offers/schemas.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())
const reader = await app.key(['packages:read'])
const pros: { id: string; slug: string; email: string; city: string; state: string }[] = [
  ...(await app.deps.read.run<(typeof pros)[number]>(
    'twoPros',
    (sql) => sql`
        select p.id, p.slug, a.email, c.name as city, c.state
        from professionals p join accounts a on a.id = p.account_id join cities c on c.id = p.city_id
        where (select count(*) from professional_services o where o.professional_id = p.id) >= 2
        order by p.id limit 2`,
  )),
]
const [first, second] = pros
/** The keys of two pros and of a developer. */
const keys: [string, string] = [
  await app.key(['pro:read', 'pro:write'], first?.email),
  await app.key(['pro:read', 'pro:write'], second?.email),
]

const body = async <T>(response: Response | Promise<Response>) => (await (await response).json()) as T
const offersOf = async (key: string) =>
  (await body<{ services: Offer[] }>(app.send('/api/v1/pro/services', { key }))).services
const patchOffer = (key: string, json: object) => app.send('/api/pro/services', { method: 'PATCH', key, json })

test('a changed profile shows in search at once', async () => {
  const [key] = keys
  const change = {
    businessName: 'Renamed & Sons <b>',
    description: null,
    serviceRadiusMiles: 44,
    acceptsEmergency: true,
  }
  const changed = await app.send('/api/v1/pro/profile', { method: 'PATCH', key, json: change })
  expect(changed.status).toBe(200)
  expect(await body<object>(app.send('/api/v1/pro/profile', { key }))).toMatchObject(change)
  const [pro] = pros
  const result = await body<{ professionals: { id: string; businessName: string }[] }>(
    app.send(`/api/v1/pros?city=${pro?.city}&state=${pro?.state}&limit=50`),
  )
  expect(result.professionals.find(({ id }) => id === pro?.id)?.businessName).toBe(change.businessName)
  const locations = await body<{ locations: object[] }>(app.send('/api/v1/pro/locations', { key }))
  expect(locations.locations).toMatchObject([{ city: pro?.city, state: pro?.state, primary: true }])
})

describe('an offer', () => {
  test('changes only the given prices and durations', async () => {
    const [key] = keys
    const [offer] = await offersOf(key)
    const changed = await body<Offer>(
      patchOffer(key, { serviceId: offer?.serviceId, basePrice: 199.99, durationMinutes: 75 }),
    )
    expect(changed).toEqual({ ...(offer as Offer), basePrice: 199.99, durationMinutes: 75 })
    expect((await patchOffer(key, { serviceId: offer?.serviceId, minPrice: 10, maxPrice: 5 })).status).toBe(400)
    expect((await patchOffer(key, { serviceId: pros[0]?.id })).status).toBe(404)
  })

  test('has a flat, an hourly or a per-unit price, and only the last names its unit', async () => {
    const [key] = keys
    const [, offer] = await offersOf(key)
    const price = async (json: object) => {
      const response = await patchOffer(key, { serviceId: offer?.serviceId, ...json })
      const { priceType, unit } = await body<Offer>(response)
      return [response.status, priceType, unit]
    }
    expect(await price({ priceType: 'per_unit', unit: 'window' })).toEqual([200, 'per_unit', 'window'])
    expect(await price({ basePrice: 12.5 })).toEqual([200, 'per_unit', 'window'])
    expect(await price({ priceType: 'hourly' })).toEqual([200, 'hourly', 'hour'])
    expect(await price({ priceType: 'flat' })).toEqual([200, 'flat', null])
    for (const wrong of [
      { priceType: 'per_unit' },
      { priceType: 'flat', unit: 'window' },
      { priceType: 'hourly', unit: 'day' },
      { unit: 'window' },
    ])
      expect((await price(wrong))[0]).toBe(400)
  })

  test('becomes a package, keeps its sku through changes, and can stop being a package', async () => {
    const [key] = keys
    const [offer] = await offersOf(key)
    const serviceId = offer?.serviceId
    const incomplete = await patchOffer(key, { serviceId, includes: ['Windows'] })
    expect(incomplete.status).toBe(400)
    // The price of an hour is not the price of the work.
    await patchOffer(key, { serviceId, priceType: 'hourly', basePrice: 45 })
    expect((await patchOffer(key, { serviceId, packageKind: 'deep_clean' })).status).toBe(400)
    const created = await body<Offer>(
      patchOffer(key, {
        serviceId,
        packageKind: 'deep_clean',
        packagePrice: 249,
        includes: ['Windows', 'Oven'],
        cadence: 'monthly',
        bedrooms: 3,
      }),
    )
    const { package: first } = created
    expect(first).toMatchObject({ kind: 'deep_clean', price: 249, cadence: 'monthly', bedrooms: 3 })
    const { package: changed } = await body<Offer>(patchOffer(key, { serviceId, packagePrice: 259.5 }))
    expect(changed).toMatchObject({ id: first?.id, sku: first?.sku, price: 259.5, includes: ['Windows', 'Oven'] })
    for (const name of [first?.id, first?.sku, first?.sku.toLowerCase()])
      expect((await body<Package>(app.send(`/api/v1/packages/${name}`, { key: reader }))).id).toBe(first?.id ?? '')
    await patchOffer(key, { serviceId, packageKind: null })
    expect((await app.send(`/api/v1/packages/${first?.id}`, { key: reader })).status).toBe(404)
  })
})

describe('packages', () => {
  const packages: Package[] = []
  beforeAll(async () => {
    await app.sql`update packages set active = false`
    for (const [n, key] of keys.entries())
      for (const [m, offer] of (await offersOf(key)).slice(0, 2).entries()) {
        const { package: it } = await body<Offer>(
          patchOffer(key, {
            serviceId: offer.serviceId,
            packageKind: m === 0 ? 'standard' : 'move_out',
            packagePrice: 100 + 10 * n + m,
            includes: ['Visit', `Extra ${n}${m}`],
            bedrooms: m === 0 ? null : 2,
          }),
        )
        if (it) packages.push(it)
      }
  })
  const list = async (query: string) =>
    await body<{ packages: Package[]; meta: object }>(app.send(`/api/v1/packages?${query}`, { key: reader }))
  const prices = ({ packages }: { packages: Package[] }) => packages.map(({ price }) => price)

  test('are listed cheapest first, with every filter', async () => {
    expect(prices(await list(''))).toEqual([100, 101, 110, 111])
    expect(prices(await list('kind=move_out'))).toEqual([101, 111])
    expect(prices(await list('bedrooms=3'))).toEqual([100, 110])
    expect(prices(await list('bedrooms=2'))).toEqual([100, 101, 110, 111])
    expect(prices(await list('maxPrice=101'))).toEqual([100, 101])
    const [first] = pros
    const location = `location=${encodeURIComponent(`${first?.city}, ${first?.state}`)}`
    expect(prices(await list(location)).slice(0, 2)).toEqual([100, 101])
    expect(prices(await list('location=Atlantis'))).toEqual([])
    expect(await list('limit=1&offset=1')).toMatchObject({ meta: { total: 4, limit: 1, offset: 1, hasMore: true } })
  })

  test('are compared, two to four at a time', async () => {
    const compare = (ids: string) => app.send(`/api/v1/packages/compare?ids=${ids}`, { key: reader })
    const [a, b] = packages
    const compared = await body<{ packages: Package[]; comparison: object }>(compare(`${b?.sku},${a?.id}`))
    expect(compared.packages.map(({ id }) => id)).toEqual([b?.id ?? '', a?.id ?? ''])
    expect(compared.comparison).toMatchObject({
      lowestPrice: a?.id,
      inAll: ['Visit'],
      onlyIn: { [a?.id ?? '']: ['Extra 00'], [b?.id ?? '']: ['Extra 01'] },
    })
    for (const ids of [a?.id, `${a?.id},${a?.id}`, `${a?.id},${a?.sku},${b?.id}`, `${a?.id},`, '1,2,3,4,5'])
      expect((await compare(ids ?? '')).status).toBe(400)
    expect((await compare(`${a?.id},NOT-THERE`)).status).toBe(404)
  })

  test('are booked with their own duration, by keys with the scope', async () => {
    const instant = packages.find(({ professional }) => professional.instantBookingEnabled)
    if (!instant) throw new Error('One of the two pros takes instant bookings.')
    const { professional, service } = instant
    const open = await body<{ nextAvailable: { date: string; time: string } }>(
      app.send(`/api/v1/pros/${professional.id}/availability?date=2026-06-08`),
    )
    const [at] = await app.deps.read.run<{ startsAt: string }>(
      'startOf',
      (sql) => sql`
        select (${open.nextAvailable.date}::date + ${open.nextAvailable.time}::time) at time zone p.time_zone as starts_at
        from professionals p where p.id = ${professional.id}`,
    )
    const input = {
      professionalId: professional.id,
      serviceId: service.id,
      startDateTime: at?.startsAt,
      guestName: 'Customer',
      guestEmail: 'customer@test.example',
      packageId: instant.id,
    }
    const start = (key: string, json: object) => app.send('/api/v1/bookings/create', { key, json })
    const [allowed, forbidden] = [await app.key(['bookings:write', 'packages:book']), await app.key(['bookings:write'])]
    expect((await start(forbidden, input)).status).toBe(403)
    expect((await start(allowed, { ...input, packageId: professional.id })).status).toBe(404)
    const booked = await start(allowed, input)
    expect(booked.status).toBe(201)
    expect(await booked.json()).toMatchObject({ booking: { durationMinutes: instant.durationMinutes } })
  })

  test('and properties are a 404 while their feature flags are off', async () => {
    const off = createApp({ ...app.deps, config: { ...app.deps.config, features: new Set() } })
    for (const path of ['packages', 'packages/compare', 'properties'])
      expect((await off.handle(new Request(`http://localhost/api/v1/${path}`))).status).toBe(404)
  })
})
