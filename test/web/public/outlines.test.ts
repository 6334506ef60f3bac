// The borders on maps: each country's own, near where they are.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'bun:test'

import { getBorders } from '../../../src/web/public/search/outlines.ts'
import { canadianBorders } from '../../support/canadian-borders.ts'
import { ROOT } from '../../support/imports.ts'

const FILE = join(ROOT, 'src/web/public/search/canadian-borders.json')

test('the borders of Canada’s provinces are what `npm run canadian-borders` writes, in less than 130 kB', () => {
  const text = readFileSync(FILE, 'utf8')
  expect(JSON.parse(text)).toEqual(canadianBorders())
  expect(text.length).toBeLessThan(130_000)
})

/** Degrees from a place to the nearest point of a border of the country. */
function nearest(country: 'CA' | 'US', [latitude, longitude]: readonly [number, number]): number {
  const width = Math.cos((latitude * Math.PI) / 180)
  let least = Number.POSITIVE_INFINITY
  for (const { points } of getBorders(country))
    for (let at = 0; at < points.length; at += 2)
      least = Math.min(least, Math.hypot(((points[at] ?? 0) - longitude) * width, (points[at + 1] ?? 0) - latitude))
  return least
}

test.each([
  ['the shore of Toronto', 'CA', [43.64, -79.38]],
  ['the river between Ottawa and Gatineau', 'CA', [45.43, -75.71]],
  ['the shore of Vancouver', 'CA', [49.28, -123.19]],
  ['the mouth of the Saint John River', 'CA', [45.26, -66.06]],
  ['the shore of Chicago', 'US', [41.88, -87.61]],
  ['the river between St. Louis and Illinois', 'US', [38.63, -90.18]],
] as const)('%s is a border', (_, country, place) => {
  expect(nearest(country, place)).toBeLessThan(0.15)
})

test.each([
  ['Winnipeg', 'CA', [49.9, -97.14]],
  ['Calgary', 'CA', [51.05, -114.07]],
] as const)('%s is at no border', (_, country, place) => {
  expect(nearest(country, place)).toBeGreaterThan(0.5)
})

test('a border lies within the box of its line', () => {
  for (const country of ['CA', 'US'] as const)
    for (const { points, west, east, south, north } of getBorders(country)) {
      const longitudes = points.filter((_, at) => at % 2 === 0)
      const latitudes = points.filter((_, at) => at % 2 === 1)
      expect(Math.min(...longitudes)).toBeCloseTo(west, 3)
      expect(Math.max(...longitudes)).toBeCloseTo(east, 3)
      expect(Math.min(...latitudes)).toBeCloseTo(south, 3)
      expect(Math.max(...latitudes)).toBeCloseTo(north, 3)
    }
})
