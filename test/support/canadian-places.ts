// The first three characters of Canada's postal codes with their place, as src/features/catalog/services/canadian-postal-codes.json
// keeps them. The package `zipcodes` has their centers; its names are districts ("Downtown Toronto (cn Tower / …)"), so the place
// is a city: that of the district's name, else the nearest one of the province.
import { codes } from 'zipcodes/lib/codesCanada.js'

import { type City, listCities, provinces } from '../../src/local/seed/cities.ts'

interface Entry {
  readonly zip: string
  readonly latitude: number
  readonly longitude: number
  readonly city: string
}

/** By the code's first letter, as Canada Post gives them: https://www.canadapost-postescanada.ca, "Addressing guidelines". */
const BY_LETTER = new Map(
  Object.entries({
    NL: 'A',
    NS: 'B',
    PE: 'C',
    NB: 'E',
    QC: 'G H J',
    ON: 'K L M N P',
    MB: 'R',
    SK: 'S',
    AB: 'T',
    BC: 'V',
    YT: 'Y',
  }).flatMap(([province, letters]) => letters.split(' ').map((letter) => [letter, province] as const)),
)
/** X is of two territories. */
const NUNAVUT = new Set(['X0A', 'X0B', 'X0C'])
const provinceOf = (code: string) =>
  code.startsWith('X') ? (NUNAVUT.has(code) ? 'NU' : 'NT') : BY_LETTER.get(code.charAt(0))

/** City, code of the province, code, latitude and longitude, in the order of the codes. */
export type CanadianCode = readonly [string, string, string, number, number]

/** The provinces, and the cities as src/features/catalog/services/canadian-places.json keeps them. */
export const canadianPlaces = () => ({
  states: provinces.map(({ code, name }) => [code, name] as const),
  cities: listCities('CA').map(
    ({ id, name, state, latitude, longitude, timeZone, population }) =>
      [id, name, state, latitude, longitude, timeZone, population] as const,
  ),
})

export function canadianCodes(): CanadianCode[] {
  const cities = Map.groupBy(listCities('CA'), ({ state }) => state)
  return Object.values(codes)
    .toSorted((one, other) => (one.zip < other.zip ? -1 : 1))
    .flatMap(({ zip, city, latitude, longitude }) => {
      const province = provinceOf(zip)
      if (province === undefined) return []
      const place = placeOf({ zip, city, latitude, longitude }, cities.get(province) ?? [])
      return [[place, province, zip, latitude, longitude] as const]
    })
}

function placeOf({ zip, city, latitude, longitude }: Entry, cities: readonly City[]): string {
  // Toronto has a letter of its own, also for its former cities.
  if (zip.startsWith('M')) return 'Toronto'
  const district = ` ${keyOf(city.replace(/\(.*$/, ''))} `
  const named = cities.filter(({ name }) => district.includes(` ${keyOf(name)} `))
  const longest = named.toSorted((one, other) => other.name.length - one.name.length)[0]
  const width = Math.cos((latitude * Math.PI) / 180)
  const away = (it: City) => Math.hypot(it.latitude - latitude, (it.longitude - longitude) * width)
  // "Central Island" is no city of that name at the other end of the province.
  if (longest && away(longest) < 1.5) return longest.name
  return cities.toSorted((one, other) => away(one) - away(other))[0]?.name ?? city
}

const keyOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
