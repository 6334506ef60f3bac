// The zones of the demo's cities are those of the polygons of all zones.
import { expect, test } from 'bun:test'

import { listCities } from '../../src/local/seed/cities.ts'
import zones from '../../src/local/seed/city-zones.json'
import borderCities from '../support/border-cities.json'
import { cityZones, polygonZone } from '../support/city-zones.ts'

const cities = listCities()
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
