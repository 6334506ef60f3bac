// Outlines of US counties and states, from the package `us-atlas` (public-domain data of the Census Bureau).
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { mesh } from 'topojson-client'
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification'

const PACKAGE_FILE = 'us-atlas/counties-10m.json'

/** A border as longitudes and latitudes in turn, in degrees. */
export interface Border {
  kind: 'state' | 'county'
  points: Float32Array
  west: number
  east: number
  south: number
  north: number
}

let borders: readonly Border[] | undefined

/** All borders of counties and states in 0.3 MB, read on first use, which takes 0.1 s. */
export const getBorders = (): readonly Border[] => (borders ??= readPackage())

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
