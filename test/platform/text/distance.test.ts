// Distances in the unit of a region, of which whole miles are kept.
import { expect, test } from 'bun:test'

import { MAX_RADIUS_MILES } from '../../../src/features/business/pros/schemas.ts'
import { distanceText, typedDistance } from '../../../src/platform/text/distance.ts'
import { COUNTRIES, regionOf } from '../../../src/platform/text/region.ts'

const CANADA = regionOf({ country: 'CA' })
const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1)

test('a field that shows kept miles is saved as the same miles, in every country', () => {
  for (const region of COUNTRIES.map((country) => regionOf({ country })))
    for (const miles of upTo(MAX_RADIUS_MILES))
      expect([miles, typedDistance.miles(region, typedDistance.shown(region, miles))]).toEqual([miles, miles])
})

test('a multiple of 5 km that was typed is shown again', () => {
  const most = typedDistance.shown(CANADA, MAX_RADIUS_MILES)
  expect(most).toBe(805)
  for (const km of upTo(most / 5).map((times) => times * 5))
    expect([km, typedDistance.shown(CANADA, typedDistance.miles(CANADA, km))]).toEqual([km, km])
})

test('other distances are shown at most one kilometre away, and sentences say the same', () => {
  for (const km of upTo(800)) {
    const miles = typedDistance.miles(CANADA, km)
    expect(Math.abs(typedDistance.shown(CANADA, miles) - km)).toBeLessThanOrEqual(1)
    expect(distanceText(CANADA, miles)).toBe(`${typedDistance.shown(CANADA, miles)} km`)
  }
})
