// The place of an applicant, in what they typed: an address, a postal code or a city.
import { cityOfPlace } from '../../../catalog/services/verbs/city-of-place.ts'
import type { CatalogNames } from '../../../catalog/services/verbs/names.ts'
import type { CityRow } from '../../../catalog/services/verbs/city-services.ts'
import type { Point } from '../../../upkeep/marketplace/rules/area.ts'
import type { PlaceStep } from '../schemas.ts'

export interface FoundPlace {
  readonly city: CityRow
  readonly point: Point
  /** The part of the text that names it, without street and number. */
  readonly text: string
}

/** The end of an address names the place: "12 Oak St, Columbus, OH 43215". Undefined for a text without a known city or code. */
export function placeIn(names: CatalogNames, text: string): FoundPlace | undefined {
  const parts = text.split(',').map((part) => part.trim())
  for (let at = parts.length - 1; at >= 0; at--) {
    const end = parts.slice(at).join(', ')
    const place = names.place(end)
    const city = place && cityOfPlace(names, place)
    if (city && place.coordinates) return { city, point: place.coordinates, text: end }
  }
  return undefined
}

/** What becomes the place of the pro: without the street, and where the applicant wants it the middle of the city. */
export function publicPlaceOf(
  names: CatalogNames,
  { place, isPlaceHidden }: { readonly [Name in keyof PlaceStep]: PlaceStep[Name] | null },
): string | undefined {
  const found = place === null ? undefined : placeIn(names, place)
  return found && isPlaceHidden === true ? `${found.city.name}, ${found.city.state}` : found?.text
}
