// Outlines of US counties and states, from the package `us-atlas` (public-domain data of the Census Bureau), and of Canada's
// provinces, from Natural Earth (in the public domain; `npm run canadian-borders`).
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { mesh } from 'topojson-client'
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification'

import type { Country } from '../../../platform/text/region.ts'

const PACKAGE_FILE = 'us-atlas/counties-10m.json'
const CANADIAN_FILE = 'canadian-borders.json'

/** A border as longitudes and latitudes in turn, in degrees. */
export interface Border {
  /** A state's or a province's, or a county's, which Canada has not. */
  kind: 'state' | 'county'
  points: Float32Array
  west: number
  east: number
  south: number
  north: number
}

const READERS: Readonly<Record<Country, () => Border[]>> = { US: readPackage, CA: readCanadian }
/** Of the country of the marketplace, which is one. */
let known: { readonly country: Country; readonly borders: readonly Border[] } | undefined

/** All borders of a country in 0.3 MB, read on first use, which takes 0.1 s. */
export function getBorders(country: Country): readonly Border[] {
  if (known?.country !== country) known = { country, borders: READERS[country]() }
  return known.borders
}

function readPackage(): Border[] {
  const text = readFileSync(fileURLToPath(import.meta.resolve(PACKAGE_FILE)), 'utf8')
  const topology = JSON.parse(text) as Topology<{ counties: GeometryCollection }>
  const stateOf = ({ id }: GeometryObject) => String(id).slice(0, 2)
  const { counties } = topology.objects
  const lines = (kind: Border['kind'], isWanted: (one: GeometryObject, other: GeometryObject) => boolean) =>
    mesh(topology, counties, isWanted).coordinates.map((line) => toBorder(kind, line))
  return [
    ...lines('county', (one, other) => one !== other && stateOf(one) === stateOf(other)),
    // The coast is a border of one county only.
    ...lines('state', (one, other) => one === other || stateOf(one) !== stateOf(other)),
  ]
}

/** Of each line the first point, then the steps to the next, in thousandths of a degree. */
function readCanadian(): Border[] {
  const lines = JSON.parse(readFileSync(new URL(CANADIAN_FILE, import.meta.url), 'utf8')) as string[]
  return lines.map((line) => {
    const steps = line.split(' ').map(Number)
    let [lng, lat] = [0, 0]
    const points: [number, number][] = []
    for (let at = 0; at < steps.length; at += 2) {
      lng += steps[at] ?? 0
      lat += steps[at + 1] ?? 0
      points.push([lng / 1000, lat / 1000])
    }
    return toBorder('state', points)
  })
}

function toBorder(kind: Border['kind'], line: readonly (readonly number[])[]): Border {
  const [longitudes, latitudes] = [line.map(([lng = 0]) => lng), line.map(([, lat = 0]) => lat)]
  return {
    kind,
    points: Float32Array.from(line.flatMap(([lng = 0, lat = 0]) => [lng, lat])),
    west: Math.min(...longitudes),
    east: Math.max(...longitudes),
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
  }
}
