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

/** The city whose center is nearest to a point; undefined in a catalog without cities. Compares squares: searches ask for it. */
export function nearestCity(cities: readonly CityRow[], { latitude, longitude }: Point): CityRow | undefined {
  const width = Math.cos((latitude * Math.PI) / 180)
  let nearest: CityRow | undefined
  let least = Infinity
  for (const city of cities) {
    const north = city.latitude - latitude
    const east = (city.longitude - longitude) * width
    const distance = north * north + east * east
    if (distance >= least) continue
    nearest = city
    least = distance
  }
  return nearest
}
