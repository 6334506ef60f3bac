// The ranges that a search reads cover its circle, and the database computes the same numbers as the server.
import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import {
  type Point,
  type Ranges,
  chordOf,
  coverOf,
  onUnitSphere,
} from '../../../../src/features/search/pros/queries/search-geometry.ts'
import { cloneDatabase, testSql } from '../../../support/database.ts'
import { destination } from '../../../support/search.ts'
import { opened } from '../../../support/fixture.ts'
const clone = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(clone.url), 'end')

describe('the cover of a circle', () => {
  const anyPlace = fc.record({
    lat: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 0, 89.99, -89.7)),
    lng: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 180, 179.999, -179.999)),
  })
  const facet = fc.constantFrom(0, 1, 101)
  const miles = fc.constantFrom(1, 5, 25, 60, 200, 500)

  test('contains every point of the circle once and none outside, anywhere on the globe', async () => {
    const cases = fc.sample(
      fc.record({
        center: anyPlace,
        facet,
        miles,
        others: fc.array(
          fc.tuple(fc.double({ min: 0, max: 1.1, noNaN: true }), fc.double({ min: 0, max: 2 * Math.PI, noNaN: true })),
          { minLength: 40, maxLength: 40 },
        ),
      }),
      { numRuns: 1500, seed: 3 },
    )
    for (const { center, facet: of, miles: radius, others } of cases) {
      const points = others.map(([share, bearing]) => destination(center, radius * share, bearing))
      const keys = await keysOf(of, points)
      const cover = coverOf(of, center, radius)
      const [x, y, z] = coordinatesOf(center)
      for (const [index, point] of points.entries()) {
        const { place = -1, small = -1, large = -1 } = keys[index] ?? {}
        const [px, py, pz] = coordinatesOf(point)
        const within = (x - px) ** 2 + (y - py) ** 2 + (z - pz) ** 2 <= chordOf(radius) ** 2
        const inside = times(cover.inside, small) + times(cover.inside, large)
        const borderCount = times(cover.rim, place)
        const about = JSON.stringify({ center, of, radius, point })
        expect({ about, found: inside + borderCount }).toEqual({ about, found: within ? 1 : borderCount })
        expect(inside + borderCount).toBeLessThanOrEqual(1)
      }
    }
  }, 60_000)

  /** The grid numbers as the database computes them. */
  const keysOf = (of: number, points: { lat: number; lng: number }[]) =>
    sql<{ place: number; small: number; large: number }[]>`
      select search_place(${of}::smallint, lat, lng) as place, search_cell(${of}::smallint, 0::smallint, lat, lng) as small,
        search_cell(${of}::smallint, 1::smallint, lat, lng) as large
      from unnest(${points.map(({ lat }) => lat)}::float8[], ${points.map(({ lng }) => lng)}::float8[])
        with ordinality p (lat, lng, i)
      order by i`

  const coordinatesOf = (point: Point) =>
    [...onUnitSphere(point).matchAll(/-?[\d.]+(?:e-?\d+)?/g)].map(([number]) => Number(number)) as [
      number,
      number,
      number,
    ]

  const times = ({ from, to }: Ranges, key: number) =>
    from.filter((low, index) => low <= key && key <= (to[index] ?? -1)).length
})
