// GET /cities: all cities with active pros, page by page.
import { expect, test } from 'bun:test'

import type { CitiesListing } from '../../../../src/features/catalog/services/schemas.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())
const list = async (query: string) => (await (await app.send(`/api/v1/cities?${query}`)).json()) as CitiesListing

test('every city with an active pro is on one of the pages, once, most pros first', async () => {
  const [counted] = await app.sql<{ cities: number }[]>`
    select count(distinct city_id)::integer as cities from professionals where active`
  const total = counted?.cities ?? 0
  const seen: CitiesListing['cities'] = []
  for (let offset = 0; offset < total; offset += 150) {
    const { cities, meta } = await list(`limit=150&offset=${offset}`)
    expect(meta).toMatchObject({ totalCities: total, total, limit: 150, offset, hasMore: offset + 150 < total })
    seen.push(...cities)
  }
  expect(total).toBeGreaterThan(500)
  expect(
    new Set(seen.map(({ displayName, coordinates }) => `${displayName} ${JSON.stringify(coordinates)}`)).size,
  ).toBe(total)
  const counts = seen.map(({ professionalCount }) => professionalCount)
  expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  expect((await list(`offset=${total}`)).cities).toEqual([])
  // Without an offset, as before.
  expect((await list('limit=3')).cities).toEqual(seen.slice(0, 3))
})
