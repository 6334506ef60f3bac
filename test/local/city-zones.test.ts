// The zones of the demo's cities are those of the polygons of all zones.
import { expect, test } from 'bun:test'

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { listCities } from '../../src/local/seed/cities.ts'
import zones from '../../src/local/seed/city-zones.json'
import borderCities from '../support/border-cities.json'
import { canadianCodes, canadianPlaces } from '../support/canadian-places.ts'
import { cityZones, polygonZone } from '../support/city-zones.ts'
import { ROOT } from '../support/imports.ts'

const cities = [...listCities(), ...listCities('CA')]
const byName = new Map(cities.map((city) => [`${city.name}, ${city.state}`, city]))

test('every city of the demo has the zone whose polygon contains it', () => {
  const wrong = cities.filter((city) => city.timeZone !== polygonZone(city))
  expect(wrong.map(({ name, state, timeZone }) => `${name}, ${state}: ${timeZone}`)).toEqual([])
  expect(cities.length).toBeGreaterThan(16_000)
})

test('the stored zones are what `npm run city-zones` writes', () => {
  expect(cityZones(cities)).toEqual(zones)
})

// A coarse grid of zones gives them the clock of their neighbors.
test('48 cities near the borders of zones have their own clock, not that of their neighbors', () => {
  expect(Object.values(borderCities).flat()).toHaveLength(48)
  for (const [zone, names] of Object.entries(borderCities))
    for (const name of names) expect(`${name}: ${byName.get(name)?.timeZone}`).toBe(`${name}: ${zone}`)
})

test('the places of Canada’s postal codes are what `npm run canadian-places` writes, each with a city of its province', () => {
  const stored = (name: string) =>
    JSON.parse(readFileSync(join(ROOT, 'src/features/catalog/services', name), 'utf8')) as object
  expect(stored('canadian-postal-codes.json')).toEqual(canadianCodes())
  expect(stored('canadian-places.json')).toEqual(canadianPlaces())
  const unknown = canadianCodes().filter(([city, province]) => !byName.has(`${city}, ${province}`))
  expect(unknown).toEqual([])
  expect(canadianCodes().length).toBeGreaterThan(1_600)
})
