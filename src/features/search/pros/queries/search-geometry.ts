// The exact total of a search around a point is a sum of counters: which cells lie wholly inside the circle, and which ranges
// of places make up its rim. sql/functions/search_grid.sql uses the same numbers: change both together.

/** PostGIS's mean radius of WGS 84, in metres: distances are those of `ST_Distance(a, b, false)`. */
export const EARTH_RADIUS_METRES = 6371008.771415059
export const METRES_PER_MILE = 1609.344

export interface Point {
  /** Degrees. */
  lat: number
  lng: number
}

/** The subject of a list: 0 is every pro, 1–99 a category's ordinal, 100 and up a service's ordinal. */
export type Facet = number

/** Ranges of keys, both ends included: `from[i]` to `to[i]`. */
export interface Ranges {
  from: number[]
  to: number[]
}

export interface Cover {
  /** Ranges of counters whose cells lie wholly inside the circle. No cell is in two ranges. */
  inside: Ranges
  /** Ranges of places for the rest of the circle. Each pro there needs a distance test. */
  rim: Ranges
}

/** Steps of longitude in a degree and around the globe. */
const STEPS = 32768
const GLOBE = 360 * STEPS
const DEGREES = 180 / Math.PI
/** Added outwards and subtracted inwards, in degrees (20 cm): more than the error of arc cosines near 1. */
const MARGIN = 2e-6
/** A core this wide spans all longitudes. */
const ALL_AROUND = 180 - MARGIN
/** Cells of the larger size are this many times the smaller one's height. */
const LARGER = 8
/** Fewer adjacent large cells cost more ranges than they save counters (measured at 1,000,000 pros). */
const LEAST_LARGE_CELLS = 2

/** Bands per degree of latitude: thinner for facets with more pros. */
const bandsPerDegree = (facet: Facet): number => (facet === 0 ? 32 : facet < 100 ? 16 : 8)

/** The point on the unit sphere as WKT: `search_position` in SQL. */
export function onUnitSphere({ lat, lng }: Point): string {
  const phi = lat / DEGREES
  const lambda = lng / DEGREES
  return `POINT Z (${Math.cos(phi) * Math.cos(lambda)} ${Math.cos(phi) * Math.sin(lambda)} ${Math.sin(phi)})`
}

/** The distance of two points on the unit sphere that are `miles` apart on the ground. */
export const chordOf = (miles: number): number => 2 * Math.sin((miles * METRES_PER_MILE) / EARTH_RADIUS_METRES / 2)

/** Splits the circle into cells that need no distance test and places that do. */
export function coverOf(facet: Facet, center: Point, miles: number): Cover {
  const inside: Ranges = { from: [], to: [] }
  const rim: Ranges = { from: [], to: [] }
  const perDegree = bandsPerDegree(facet)
  const large = new Map<number, Columns>()
  for (const { band, core } of bandsOf(perDegree / LARGER, center, miles)) {
    const columns = columnsInside(perDegree / LARGER, center, core)
    if (!columns || columns.last - columns.first + 1 < LEAST_LARGE_CELLS) continue
    large.set(band, columns)
    pushCells(inside, perDegree / LARGER, cellRow(facet, 1, band), columns)
  }
  for (const { band, reach, core } of bandsOf(perDegree, center, miles)) {
    const row = cellRow(facet, 0, band)
    const places = placeOfBand(facet, band)
    const around = stepsWithin(center, reach)
    const covered = large.get(Math.floor(band / LARGER))
    const columns = columnsInside(perDegree, center, core, covered && covered.first * LARGER)
    if (!columns) {
      pushPlaces(rim, places, around.first, around.last)
      continue
    }
    const { first, last } = columns
    if (covered) {
      pushCells(inside, perDegree, row, { first, last: covered.first * LARGER - 1 })
      pushCells(inside, perDegree, row, { first: (covered.last + 1) * LARGER, last })
    } else pushCells(inside, perDegree, row, columns)
    if (core >= ALL_AROUND) continue
    const width = STEPS / perDegree
    pushPlaces(rim, places, around.first, first * width - 1)
    pushPlaces(rim, places, (last + 1) * width, around.last)
  }
  return { inside, rim }
}

/** The circle without counters: each pro needs a distance test. */
export function placesOf(facet: Facet, center: Point, miles: number): Cover {
  const rim: Ranges = { from: [], to: [] }
  for (const { band, reach } of bandsOf(bandsPerDegree(facet), center, miles)) {
    const { first, last } = stepsWithin(center, reach)
    pushPlaces(rim, placeOfBand(facet, band), first, last)
  }
  return { inside: { from: [], to: [] }, rim }
}

interface Band {
  band: number
  /** Degrees of longitude that the circle reaches at its widest in the band; 180 is all around. */
  reach: number
  /** Degrees of longitude that the circle covers over the band's full height; negative when it does not. */
  core: number
}

/** The bands that a circle intersects. */
function bandsOf(perDegree: number, { lat }: Point, miles: number): Band[] {
  const radius = (miles * METRES_PER_MILE) / EARTH_RADIUS_METRES
  const degrees = radius * DEGREES + MARGIN
  const first = Math.floor((Math.max(lat - degrees, -90) + 90) * perDegree)
  const last = Math.floor((Math.min(lat + degrees, 90) + 90) * perDegree)
  const center = { sin: Math.sin(lat / DEGREES), cos: Math.cos(lat / DEGREES), cosRadius: Math.cos(radius) }
  const sinWidest = center.sin / center.cosRadius
  const widest = Math.abs(sinWidest) < 1 ? Math.asin(sinWidest) : Infinity
  const bands: Band[] = []
  let south = (first / perDegree - 90) / DEGREES
  let bottom = halfWidth(center, south)
  for (let band = first; band <= last; band++) {
    const north = Math.min((band + 1) / perDegree - 90, 90) / DEGREES
    const top = halfWidth(center, north)
    const reach = south <= widest && widest <= north ? halfWidth(center, widest) : Math.max(bottom, top, 0)
    bands.push({ band, reach: Math.min(reach + MARGIN, 180), core: Math.min(bottom, top) - MARGIN })
    south = north
    bottom = top
  }
  return bands
}

/**
 * Half the circle's width at a latitude (radians), in degrees of longitude; −1 outside the circle. From the spherical
 * law of cosines.
 */
function halfWidth(center: { sin: number; cos: number; cosRadius: number }, lat: number): number {
  const across = Math.cos(lat) * center.cos
  const rest = center.cosRadius - Math.sin(lat) * center.sin
  if (rest >= across) return -1
  return rest <= -across ? 180 : Math.acos(rest / across) * DEGREES
}

/** Adjacent columns of cells, numbered on past the antimeridian. */
interface Columns {
  first: number
  last: number
}

/** Columns wholly within `core` degrees of the center; when that is all around, numbered from `start`. */
function columnsInside(perDegree: number, { lng }: Point, core: number, start = 0): Columns | undefined {
  if (core >= ALL_AROUND) return { first: start, last: start + 360 * perDegree - 1 }
  const first = Math.ceil((lng - core + 180) * perDegree)
  const last = Math.floor((lng + core + 180) * perDegree) - 1
  return core > 0 && first <= last ? { first, last } : undefined
}

/** Steps of longitude within `reach` degrees of the center, numbered on past the antimeridian, each at most once. */
function stepsWithin({ lng }: Point, reach: number): { first: number; last: number } {
  const first = Math.floor((lng - reach + 180) * STEPS)
  return { first, last: Math.min(Math.floor((lng + reach + 180) * STEPS), first + GLOBE - 1) }
}

const placeOfBand = (facet: Facet, band: number): number => (facet * 2 ** 14 + band) * 2 ** 24
const cellRow = (facet: Facet, size: 0 | 1, band: number): number => ((facet * 2 + size) * 2 ** 14 + band) * 2 ** 15

const pushPlaces = (ranges: Ranges, band: number, first: number, last: number) =>
  pushAround(ranges, band, GLOBE, first, last)
const pushCells = (ranges: Ranges, perDegree: number, row: number, { first, last }: Columns) =>
  pushAround(ranges, row, 360 * perDegree, first, last)

/** Adds `base + first … base + last`, wrapping at `size`: a range across the antimeridian becomes two. */
function pushAround(ranges: Ranges, base: number, size: number, first: number, last: number) {
  if (first > last) return
  if (last - first + 1 >= size) return push(ranges, base, base + size - 1)
  const start = ((first % size) + size) % size
  const end = start + last - first
  push(ranges, base + start, base + Math.min(end, size - 1))
  if (end >= size) push(ranges, base, base + end - size)
}

function push(ranges: Ranges, from: number, to: number) {
  ranges.from.push(from)
  ranges.to.push(to)
}
