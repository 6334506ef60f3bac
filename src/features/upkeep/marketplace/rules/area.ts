// Where a marketplace serves: circles around places. Without any it serves everywhere.
import { distanceText } from '../../../../platform/text/distance.ts'
import { type Region, UNITED_STATES, regionOf } from '../../../../platform/text/region.ts'
import type { Circle, Marketplace } from '../schemas.ts'

export interface Point {
  readonly latitude: number
  readonly longitude: number
}

const EARTH_MILES = 3958.8
const MILES_PER_DEGREE = 69
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Along a great circle: the haversine formula. */
export function milesBetween(one: Point, other: Point): number {
  const [north, east] = [radians(other.latitude - one.latitude), radians(other.longitude - one.longitude)]
  const width = Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude))
  const chord = Math.sin(north / 2) ** 2 + width * Math.sin(east / 2) ** 2
  return 2 * EARTH_MILES * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** Whether the marketplace serves the point, or something within so many miles of it. */
export const isServed = (area: readonly Circle[], point: Point, reachMiles = 0): boolean =>
  area.length === 0 ||
  area.some((circle) => {
    const miles = circle.radiusMiles + reachMiles
    // Most points of a country are too far north or south, which is quicker to see.
    return (
      Math.abs(circle.latitude - point.latitude) * MILES_PER_DEGREE <= miles && milesBetween(circle, point) <= miles
    )
  })

const NAMED = 3

/** "Toronto, ON (within 40 km) and Barrie, ON (within 20 km)"; of many places the first. Empty where all is served. */
export function areaText(area: readonly Circle[], region: Region = UNITED_STATES): string {
  const named = area.slice(0, area.length > NAMED + 1 ? NAMED : area.length)
  const parts = [
    ...named.map(({ place, radiusMiles }) => `${place} (within ${distanceText(region, radiusMiles)})`),
    ...(named.length < area.length ? [`${area.length - named.length} more places`] : []),
  ]
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** That a place is not served, and which are. `place` is undefined for where the person is. */
export const notServedText = (site: Marketplace, place: string | undefined): string =>
  `${site.name} does not serve ${place ?? 'the place where you are'} yet. It serves ${areaText(site.area, regionOf(site))}.`
