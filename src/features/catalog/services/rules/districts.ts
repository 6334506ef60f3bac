// Districts: places that operators add to the cities of the package.
import { milesBetween } from '../../../upkeep/marketplace/rules/area.ts'
import { placeKey, wordsOf } from '../words.ts'

/** What rules ask of a city or district. */
interface City {
  readonly id: number
  readonly name: string
  readonly state: string
  readonly latitude: number
  readonly longitude: number
}

/** Ids of districts are above those of GeoNames. */
const FIRST_DISTRICT_ID = 1_000_000_000
/** As well known as a city of this population: misspelled names are understood, and one of the name elsewhere is not meant. */
export const DISTRICT_POPULATION = 50_000
export const MAX_DISTRICTS = 500
export const MAX_DISTRICT_NAME = 100
/** A district is within so many miles of a city of its state: another position is a mistake. */
export const NEAR_MILES = 100
/** The city that people name with a district is the largest one so near. */
const PARENT_MILES = 15

export const isDistrict = ({ id }: Pick<City, 'id'>): boolean => id >= FIRST_DISTRICT_ID

/** "43.67, -79.404", as maps give a position. Undefined for other texts. */
export function positionIn(text: string): { latitude: number; longitude: number } | undefined {
  const [, north, east] =
    /^\s*(-?\d{1,2}(?:\.\d{1,15})?)°?\s*[,;\s]\s*(-?\d{1,3}(?:\.\d{1,15})?)°?\s*$/.exec(text) ?? []
  const [latitude, longitude] = [Number(north), Number(east)]
  return north !== undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { latitude, longitude }
    : undefined
}

/** What people call a district besides its name: "The Annex, Toronto". */
export function nameWithCity(district: City, cities: readonly City[]): string | undefined {
  const city = cities.find(
    (it) => !isDistrict(it) && it.state === district.state && milesBetween(it, district) <= PARENT_MILES,
  )
  return city && `${district.name} ${city.name}`
}

/** Whether another city or district of the state has the name, by which people could not tell them apart. */
export const isNameTaken = (
  cities: readonly City[],
  { id, name, state }: Pick<City, 'name' | 'state'> & { id?: number },
): boolean => cities.some((it) => it.id !== id && it.state === state && keyOf(it.name) === keyOf(name))

const keyOf = (name: string) => placeKey(wordsOf(name)).replace(/^the(?=.)/, '')
