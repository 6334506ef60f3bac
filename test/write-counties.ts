// Writes src/features/catalog/services/counties.json: the center and radius of each US county, from the package `us-atlas`
// (public-domain data of the Census Bureau). Reading the package takes 0.4 s, which no search should wait for.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

const FILE = fileURLToPath(new URL('../src/features/catalog/services/counties.json', import.meta.url))
const MILES_PER_DEGREE = 69.1

/** State codes by the first two digits of a county's FIPS code. */
const FIPS =
  '01AL02AK04AZ05AR06CA08CO09CT10DE11DC12FL13GA15HI16ID17IL18IN19IA20KS21KY22LA23ME24MD25MA26MI27MN28MS29MO30MT31NE32NV33NH34NJ35NM36NY37NC38ND39OH40OK41OR42PA44RI45SC46SD47TN48TX49UT50VT51VA53WA54WV55WI56WY72PR'
const STATES = new Map(Array.from(FIPS.matchAll(/(\d\d)([A-Z]{2})/g), ([, digits = '', code = '']) => [digits, code]))
/** Cities that belong to no county have such numbers: St. Louis, Baltimore, Richmond. */
const FIRST_CITY = 510

const text = readFileSync(fileURLToPath(import.meta.resolve('us-atlas/counties-10m.json')), 'utf8')
const topology = JSON.parse(text) as Topology<{ counties: GeometryCollection<{ name: string }> }>
const counties: Record<string, [name: string, latitude: number, longitude: number, radiusMiles: number][]> = {}
for (const { id, properties, geometry } of feature(topology, topology.objects.counties).features) {
  const state = STATES.get(String(id).slice(0, 2))
  if (state === undefined || Number(String(id).slice(2)) >= FIRST_CITY) continue
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') continue
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  ;(counties[state] ??= []).push([properties.name, ...circleOf(polygons.flat(2))])
}
const lines = Object.entries(counties)
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([state, list]) => `  "${state}": ${JSON.stringify(list.toSorted(([one], [other]) => (one < other ? -1 : 1)))}`)
writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`)

/** The Aleutian Islands reach beyond 180 degrees west. */
function western(longitude: number): number {
  return longitude > 0 ? longitude - 360 : longitude
}

/** The middle of the corners, and the distance to the farthest one. */
function circleOf(points: readonly (readonly number[])[]): [latitude: number, longitude: number, radiusMiles: number] {
  const middle = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2
  const latitude = middle(points.map(([, lat = 0]) => lat))
  const longitude = middle(points.map(([lng = 0]) => western(lng)))
  const width = Math.cos((latitude * Math.PI) / 180)
  const reach = Math.max(
    ...points.map(([lng = 0, lat = 0]) => Math.hypot(lat - latitude, (western(lng) - longitude) * width)),
  )
  const round = (value: number) => Number(value.toFixed(3))
  return [round(latitude), round(longitude), Math.ceil(reach * MILES_PER_DEGREE)]
}
