// The cities and postal codes that lie in the area of a marketplace.
import type { Ctx } from '../../../../ctx.ts'
import type { Circle } from '../../../upkeep/marketplace/schemas.ts'
import { isServed } from '../../../upkeep/marketplace/rules/area.ts'
import type { CityRow } from '../queries.ts'
import { type PostalPlace, getZipCodes } from '../zip-codes.ts'
import type { Place } from '../schemas.ts'
import { getCatalogNames } from './names.ts'

export interface Served {
  /** The most populous first. */
  readonly cities: readonly CityRow[]
  readonly postalCodes: readonly PostalPlace[]
}

/** What lies in the area. A postal code is where its middle is. */
export async function listServed(ctx: Ctx, { area }: { area: readonly Circle[] }): Promise<Served> {
  const { allCities, region } = await getCatalogNames(ctx)
  return {
    cities: allCities.filter((city) => isServed(area, city)),
    postalCodes: getZipCodes(region.country).where((point) => isServed(area, point)),
  }
}

/** What was searched in: a point, or the place that was understood. */
export interface SearchedIn {
  readonly lat?: number | undefined
  readonly lng?: number | undefined
  readonly place?: Place | null | undefined
}

/** Whether the area has something of what was searched in. A search without a place is one of the whole area. */
export function isSearchServed(
  area: readonly Circle[],
  { lat, lng, place }: SearchedIn,
  cities: readonly CityRow[],
): boolean {
  if (lat !== undefined && lng !== undefined) return isServed(area, { latitude: lat, longitude: lng })
  return !place || isPlaceServed(area, place, cities)
}

/** Whether the area has something of the place: the middle of a city or postal code, a part of a region, a city of a state. */
export function isPlaceServed(
  area: readonly Circle[],
  { type, state, coordinates, radius }: Place,
  cities: readonly CityRow[],
): boolean {
  if (type !== 'state') return coordinates === null || isServed(area, coordinates, radius)
  return cities.some((city) => city.state === state && isServed(area, city))
}
