// Where the pro of a line is: by coordinates, else a postal code, else a city, else the end of an address.
import { citySlug } from '../../../catalog/services/words.ts'
import type { CatalogNames } from '../../../catalog/services/verbs/names.ts'
import { milesBetween } from '../../../upkeep/marketplace/rules/area.ts'
import { cityOfPlace, nearestCity } from '../../../catalog/services/verbs/city-of-place.ts'
import type { Given, LineFault, ProFields } from '../schemas.ts'
import { nameOfColumn } from '../rules/columns.ts'

type Place = NonNullable<ProFields['place']>
type Found = { place: Place } | LineFault

const MAX_KEPT = 50_000
/** A point that is farther from each city is most often one with its numbers exchanged. */
const MAX_MILES = 100

/** Finds places, and keeps what it found: many pros are in one city. */
export class Places {
  readonly #found = new Map<string, Found>()

  constructor(readonly names: CatalogNames) {}

  find(given: Given): Found {
    const { latitude = '', longitude = '' } = given
    const text = textOf(given)
    if (latitude !== '' || longitude !== '') return this.#atPoint(latitude, longitude)
    if (text === undefined)
      return {
        column: nameOfColumn('place'),
        message: 'is required: or postal_code, or city and state, or lat and lng',
      }
    const known = this.#found.get(text.words)
    if (known) return known
    const found = this.#byWords(text)
    if (this.#found.size < MAX_KEPT) this.#found.set(text.words, found)
    return found
  }

  #byWords({ column, words }: { column: string; words: string }): Found {
    const place = this.names.place(words)
    const city = place && cityOfPlace(this.names, place)
    return city && place.coordinates
      ? { place: { cityId: city.id, ...place.coordinates, citySlug: citySlug(city) } }
      : { column, message: `has “${words}”, which is no city of the catalog and no postal code` }
  }

  #atPoint(latitudeText: string, longitudeText: string): Found {
    const [latitude, longitude] = [numberOf(latitudeText, 90), numberOf(longitudeText, 180)]
    if (latitude === undefined)
      return { column: nameOfColumn('latitude'), message: 'must be a number of degrees from -90 to 90' }
    if (longitude === undefined)
      return { column: nameOfColumn('longitude'), message: 'must be a number of degrees from -180 to 180' }
    const coordinates = { latitude, longitude }
    const city = nearestCity(this.names.allCities, coordinates)
    return city && milesBetween(city, coordinates) <= MAX_MILES
      ? { place: { cityId: city.id, ...coordinates, citySlug: citySlug(city) } }
      : { column: nameOfColumn('latitude'), message: 'is far from every city of the catalog' }
  }
}

/** The words of the narrowest column, and its name. */
function textOf({ postalCode, city, state, place, address }: Given): { column: string; words: string } | undefined {
  if (postalCode)
    return {
      column: nameOfColumn('postalCode'),
      words: /^\d{3,4}$/.test(postalCode) ? postalCode.padStart(5, '0') : postalCode,
    }
  if (city) return { column: nameOfColumn('city'), words: [city, state].filter(Boolean).join(', ') }
  if (place) return { column: nameOfColumn('place'), words: place }
  // "12 Elm St, Columbus, OH 43215": the street is no part of a city's name.
  const parts = address?.split(',').map((part) => part.trim()) ?? []
  return parts.length === 0 || address === ''
    ? undefined
    : { column: nameOfColumn('address'), words: parts.slice(-2).join(', ') }
}

function numberOf(text: string, most: number): number | undefined {
  const number = /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Infinity
  return Math.abs(number) <= most ? number : undefined
}
