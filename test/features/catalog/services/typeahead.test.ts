// Type-ahead lists what a person may be typing, quickly; no text, however odd, breaks the reading of names.
import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { PlacesListing, ServicesListing } from '../../../../src/features/catalog/services/schemas.ts'
import { getCatalogNames } from '../../../../src/features/catalog/services/verbs/names.ts'
import { parsePhrase } from '../../../../src/features/catalog/services/verbs/phrases.ts'
import { namesFor } from '../../../../src/features/catalog/services/verbs/place-mentions.ts'
import { readTerms } from '../../../../src/features/catalog/services/verbs/search-terms.ts'
import { wordsOf } from '../../../../src/features/catalog/services/words.ts'
import { getZipCodes } from '../../../../src/features/catalog/services/zip-codes.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { longForm } from '../../../support/long-form.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())

const get = async <T>(path: string, query: Record<string, string>): Promise<T> => {
  const response = await app.send(`/api/v1${path}?${new URLSearchParams(query).toString()}`)
  expect(response.status).toBe(200)
  return (await response.json()) as T
}
const placesLike = async (q: string) =>
  (await get<PlacesListing>('/places', { q })).places.map(({ displayName }) => displayName)

describe('GET /places', () => {
  test.each([
    ['aus', 'Austin, TX'],
    ['san fr', 'San Francisco, CA'],
    ['st lo', 'St. Louis, MO'],
    ['saint lou', 'St. Louis, MO'],
    ['ft wor', 'Fort Worth, TX'],
    ['new yo', 'New York, NY'],
    ['nyc', 'New York, NY'],
    ['springfield, il', 'Springfield, IL'],
    ['springfield m', 'Springfield, MO'],
    ['portland maine', 'Portland, ME'],
    ['tex', 'Texas'],
    ['78701', 'Austin, TX 78701'],
    ['austin tx 78701', 'Austin, TX 78701'],
    ['pheonix', 'Phoenix, AZ'],
    ['la cañ', 'La Canada Flintridge, CA'],
  ])('lists for “%s” first %s', async (q, first) => {
    expect((await placesLike(q))[0]).toBe(first)
  })

  test('lists the most populous first, each once, at most ten', async () => {
    for (const q of ['s', 'spring', 'new', '787']) {
      const names = await placesLike(q)
      expect(names.length).toBe(10)
      expect(new Set(names).size).toBe(10)
    }
    expect(await get<PlacesListing>('/places', { q: 's', limit: '3' })).toMatchObject({ places: { length: 3 } })
    expect((await placesLike('portland')).slice(0, 2)).toEqual(['Portland, OR', 'Portland, ME'])
  })

  test('lists only what a search by place understands', async () => {
    for (const q of ['a', 'mo', 'san', 'o', '1000', '006', 'west', 'ok'])
      for (const name of await placesLike(q)) {
        const { meta } = await get<{ meta: { understood: { place: { displayName: string } } } }>('/pros', {
          place: name,
        })
        expect(meta.understood.place.displayName).toBe(name)
      }
  })

  test('lists nothing for what resembles nothing', async () => {
    for (const q of ['qqqqqq', '!!!', '99999999', '日本']) expect(await placesLike(q)).toEqual([])
  })
})

describe('GET /services', () => {
  test.each([
    ['plum', 'plumber'],
    ['water hea', 'water-heater-repair'],
    ['maid', 'house-cleaning'],
    ['ac', 'ac-repair'],
  ])('lists for “%s” %s', async (q, slug) => {
    const { services, categories, meta } = await get<ServicesListing>('/services', { q })
    expect(services.map((service) => service.slug)).toContain(slug)
    expect(services.length).toBeLessThanOrEqual(10)
    const counts = services.map(({ professionalCount }) => professionalCount)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
    expect(meta).toEqual({ totalServices: services.length, totalCategories: categories.length })
    const inCategories = categories.flatMap((category) => category.services.map(({ id }) => id))
    expect(inCategories.toSorted()).toEqual(services.map(({ id }) => id).toSorted())
  })

  test.each([
    ['locksmth', 'locksmith'],
    ['sink is leaking', 'leak-repair'],
    ['furnace not working', 'furnace-repair'],
    ['limpieza de casas', 'house-cleaning'],
    ['toilet overflowing tonight', 'toilet-repair'],
  ])('lists for “%s” first %s, as a search understands it', async (q, slug) => {
    const { services } = await get<ServicesListing>('/services', { q })
    expect(services[0]?.slug).toBe(slug)
    expect(services.length).toBeLessThanOrEqual(10)
  })

  test('lists no entry for a service that is not on offer', async () => {
    expect((await get<ServicesListing>('/services', { q: 'dog walker' })).services).toEqual([])
  })

  test('lists every service without a text', async () => {
    const { services } = await get<ServicesListing>('/services', {})
    expect(services.length).toBe((await getCatalogNames(ctxOf(app.deps))).services.length)
  })
})

describe('names of the catalog', () => {
  test('mean themselves: ids, slugs, names and plurals of every service and category', async () => {
    const names = await getCatalogNames(ctxOf(app.deps))
    for (const service of names.services)
      for (const text of [service.id, service.slug, service.name, service.name.toUpperCase(), `${service.name}s`])
        expect([text, names.offering(text)?.service?.slug]).toEqual([text, service.slug])
    for (const category of names.categories)
      for (const text of [category.id, category.slug, category.name, ` ${category.name.toLowerCase()} `])
        expect([text, names.category(text)?.slug]).toEqual([text, category.slug])
  })

  test('mean themselves: every synonym means its service, its category or a namesake', async () => {
    const names = await getCatalogNames(ctxOf(app.deps))
    for (const { id, name, synonyms } of [...names.services, ...names.categories])
      for (const synonym of synonyms) {
        const { service, category } = names.offering(synonym) ?? {}
        const known = service ?? category
        expect([name, synonym, known !== undefined]).toEqual([name, synonym, true])
        if (known?.id !== id) expect(known?.synonyms.includes(synonym) || known?.name).toBeTruthy()
      }
  })

  test('of every city mean that city, with its state', async () => {
    const names = await getCatalogNames(ctxOf(app.deps))
    const cities = await app.sql<{ id: number; name: string; state: string }[]>`select id, name, state from cities`
    const lost = cities.filter(
      ({ id, name, state }) => !names.cities(`${name}, ${state}`).some((city) => city.id === id),
    )
    expect(lost).toEqual([])
  })
})

describe('ZIP codes', () => {
  test.each([
    ['78701', 'Austin', 'TX', 30.27, -97.74],
    ['10001', 'New York', 'NY', 40.75, -74],
    ['94110', 'San Francisco', 'CA', 37.75, -122.42],
    ['96813', 'Honolulu', 'HI', 21.32, -157.85],
    ['99501', 'Anchorage', 'AK', 61.22, -149.88],
    ['60601', 'Chicago', 'IL', 41.89, -87.62],
    ['00901', 'San Juan', 'PR', 18.4, -66.06],
    ['02108', 'Boston', 'MA', 42.36, -71.07],
  ])('%s is in %s, %s', (code, city, state, latitude, longitude) => {
    const zip = getZipCodes('US').find(code)
    expect(zip).toMatchObject({ city, state, zipCode: code })
    expect(Math.abs((zip?.latitude ?? 0) - latitude)).toBeLessThan(0.02)
    expect(Math.abs((zip?.longitude ?? 0) - longitude)).toBeLessThan(0.02)
  })

  test('are complete, and lie near the city of their name', async () => {
    expect(getZipCodes('US').size).toBeGreaterThan(42_000)
    const cities = await app.sql<{ name: string; state: string; latitude: number; longitude: number }[]>`
      select name, state, latitude, longitude from cities where population > 100000`
    let far = 0
    let compared = 0
    for (const { name, state, latitude, longitude } of cities) {
      const office = getZipCodes('US').office(wordsOf(name), state)
      if (!office) continue
      compared++
      if (Math.hypot(office.latitude - latitude, office.longitude - longitude) > 0.35) far++
    }
    expect(compared).toBeGreaterThan(200)
    expect(far / compared).toBeLessThan(0.02)
  })
})

describe('any text', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'plumber',
      'hvac',
      'austin',
      'tx',
      '78701',
      'in',
      'near',
      'me',
      'st',
      'new',
      'york',
      'the',
      'usa',
      'd',
      'c',
      '&',
      'best',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  )
  const texts = fc.oneof(
    fc.array(word, { maxLength: 20 }).map((words) => words.join(' ')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )

  test('is read without an error, the same way each time, in any case and with any spaces', async () => {
    const names = await getCatalogNames(ctxOf(app.deps))
    const both = namesFor(names.serviceNames, names.placeNames)
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const phrase = parsePhrase(both, text)
        expect(parsePhrase(both, text)).toEqual(phrase)
        expect(parsePhrase(both, `  ${text.replaceAll(' ', '   ')} `)).toEqual(phrase)
        for (const name of ['q', 'service', 'category', 'place', 'city', 'state'] as const)
          readTerms(names, { [name]: text })
        names.placeNames.beginning(text, 10)
        names.serviceNames.beginning(wordsOf(text))
      }),
      { numRuns: longForm(500, 5000) },
    )
  }, 60_000)

  test('finds a page or lists, or is refused as invalid', async () => {
    const ways = [
      ['/pros', 'q'],
      ['/pros', 'place'],
      ['/pros', 'service'],
      ['/places', 'q'],
      ['/services', 'q'],
    ] as const
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(...ways), async (text, [path, name]) => {
        const { status } = await app.send(
          `/api/v1${path}?${new URLSearchParams({ [name]: text.toWellFormed() }).toString()}`,
        )
        expect([200, 400]).toContain(status)
      }),
      { numRuns: longForm(150, 1500) },
    )
  }, 60_000)
})

describe('time', () => {
  const medianMs = async (texts: readonly string[], run: (text: string) => unknown) => {
    const times: number[] = []
    for (const text of texts) {
      const start = performance.now()
      await run(text)
      times.push(performance.now() - start)
    }
    return times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0
  }

  test('to list places for a new text is at most twice that of a search for pros', async () => {
    const cities = await app.sql<{ name: string }[]>`select name from cities order by population desc limit 200`
    const texts = cities.map(({ name }) => name.slice(0, 5).toLowerCase())
    await placesLike('78701')
    const search = await medianMs(texts, (text) =>
      app.send(`/api/v1/pros?service=plumber&lat=30.27&lng=-97.74&limit=${(text.length % 5) + 10}`),
    )
    const places = await medianMs([...new Set(texts)], (text) =>
      app.send(`/api/v1/places?q=${encodeURIComponent(text)}`),
    )
    process.stdout.write(`GET /places?q= ${places.toFixed(2)} ms, GET /pros ${search.toFixed(2)} ms\n`)
    expect(places).toBeLessThan(search * 2)
  })

  test('to read the names of a search is less than a tenth of the search', async () => {
    const names = await getCatalogNames(ctxOf(app.deps))
    const texts = Array.from({ length: 200 }, () => 'plumbers')
    const reading = await medianMs(texts, (service) => readTerms(names, { service, city: 'Austin, TX' }))
    const search = await medianMs(texts, () => app.send('/api/v1/pros?service=plumber&city=Austin'))
    process.stdout.write(`names ${reading.toFixed(3)} ms, search ${search.toFixed(2)} ms\n`)
    expect(reading).toBeLessThan(search / 10)
  })
})
