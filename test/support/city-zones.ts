// The zones of the cities by the polygons of all zones, as src/local/seed/city-zones.json keeps them.
import { find } from 'geo-tz/all'

import type { City } from '../../src/local/seed/cities.ts'

export interface CityZones {
  /** The zone of most cities of a state. */
  states: Record<string, string>
  /** The ids of the other cities by zone. */
  cities: Record<string, number[]>
}

/** The zone whose polygon contains the city. Throws for a point that several zones claim. */
export function polygonZone({ name, latitude, longitude }: City): string {
  const [zone, ...others] = find(latitude, longitude)
  if (zone === undefined || others.length > 0) throw new Error(`${name} has no single zone: ${others.join(', ')}`)
  return zone
}

export function cityZones(cities: readonly City[]): CityZones {
  const zones: CityZones = { states: {}, cities: {} }
  const located = cities.map((city) => ({ ...city, zone: polygonZone(city) }))
  for (const [state, ofState] of Map.groupBy(located, (city) => city.state)) {
    const byZone = [...Map.groupBy(ofState, ({ zone }) => zone)].sort(([, one], [, other]) => other.length - one.length)
    const [usual, ...rest] = byZone
    if (usual) zones.states[state] = usual[0]
    for (const [zone, theirs] of rest) (zones.cities[zone] ??= []).push(...theirs.map(({ id }) => id))
  }
  return { states: sorted(zones.states), cities: sorted(zones.cities) }
}

const sorted = <T>(values: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)))
