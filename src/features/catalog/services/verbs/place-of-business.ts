// The place of a business, in what people type: an address, a postal code, a city, or a point of a map.
import { type Point, milesBetween } from '../../../upkeep/marketplace/rules/area.ts'
import { NEAR_MILES, positionIn } from '../rules/districts.ts'
import { cityOfPlace, nearestCity } from './city-of-place.ts'
import type { CityRow } from './city-services.ts'
import type { CatalogNames } from './names.ts'

export interface PlaceOfBusiness {
  readonly city: CityRow
  readonly point: Point
  /** The part of the text that names it, without street and number. */
  readonly text: string
}

/** A point of a map is kept to a hundredth of a degree, about a kilometer: pros often start from home. */
const POINT_DIGITS = 2

/**
 * The end of an address names the place: "12 Oak St, Columbus, OH 43215". Undefined for a text without a known city or code, and for
 * a point that is far from all cities.
 */
export function placeIn(names: CatalogNames, text: string): PlaceOfBusiness | undefined {
  const exact = positionIn(text)
  if (exact) return nearPoint(names, exact)
  const parts = text.split(',').map((part) => part.trim())
  for (let at = parts.length - 1; at >= 0; at--) {
    const end = parts.slice(at).join(', ')
    const place = names.place(end)
    const city = place && cityOfPlace(names, place)
    if (city && place.coordinates) return { city, point: place.coordinates, text: end }
  }
  return undefined
}

function nearPoint(names: CatalogNames, exact: Point): PlaceOfBusiness | undefined {
  const [latitude, longitude] = [rounded(exact.latitude), rounded(exact.longitude)]
  const point = { latitude, longitude }
  const city = nearestCity(names.allCities, point)
  return city && milesBetween(city, point) <= NEAR_MILES
    ? { city, point, text: `${latitude}, ${longitude}` }
    : undefined
}

const rounded = (degrees: number): number => Number(degrees.toFixed(POINT_DIGITS))
