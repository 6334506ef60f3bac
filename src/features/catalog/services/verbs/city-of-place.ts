// The city in which a pro is whose place was typed.
import type { Point } from '../../../upkeep/marketplace/rules/area.ts'
import type { CityRow } from './city-services.ts'
import type { KnownPlace } from './known-place.ts'
import type { CatalogNames } from './names.ts'

/** The city of a place: itself, or the nearest one to a ZIP code. A state and a region are no address. */
export function cityOfPlace(
  names: CatalogNames,
  { type, name, state, city, coordinates }: KnownPlace,
): CityRow | undefined {
  if (type === 'city' && city) return city
  if (type !== 'zip' || !coordinates) return undefined
  // Canada's codes are kept with a city of the catalog; a US post office is often none.
  if (names.region.country === 'CA') return names.cities(name, names.state(state))[0]
  return nearestCity(names.allCities, coordinates)
}

/** The city whose center is nearest to a point; undefined in a catalog without cities. */
export function nearestCity(cities: readonly CityRow[], point: Point): CityRow | undefined {
  const width = Math.cos((point.latitude * Math.PI) / 180)
  const distance = ({ latitude, longitude }: CityRow) =>
    Math.hypot(latitude - point.latitude, (longitude - point.longitude) * width)
  return cities.reduce<CityRow | undefined>(
    (nearest, it) => (nearest && distance(nearest) <= distance(it) ? nearest : it),
    undefined,
  )
}
