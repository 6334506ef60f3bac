// Counties and other regions that people search in: circles, by name.
import countiesByState from '../counties.json' with { type: 'json' }
import type { Region } from '../../../../platform/text/region.ts'
import type { CityRow } from '../queries.ts'
import { placeKey, wordsOf } from '../words.ts'
import type { KnownPlace } from './known-place.ts'
import type { RegionRow } from './vocabulary.ts'

type CountyRow = readonly [name: string, latitude: number, longitude: number, radiusMiles: number]

/** What a state calls its counties. */
const COUNTY: Record<string, string> = { LA: 'Parish', AK: 'Borough' }
const COUNTY_WORDS = new Set(['county', 'parish', 'borough'])

export class Regions {
  readonly #byKey = new Map<string, KnownPlace[]>()
  readonly #cities: readonly CityRow[]
  /** Counties of one name are compared by population only when they are looked for. */
  readonly #ordered = new Set<string>()

  constructor(regions: readonly RegionRow[], cities: readonly CityRow[], { country }: Region) {
    this.#cities = cities
    for (const region of regions) this.#add(region)
    for (const [state, counties] of Object.entries(country === 'US' ? countiesByState : {}))
      for (const [name, latitude, longitude, radiusMiles] of counties as unknown as readonly CountyRow[])
        this.#add({ name: `${name} ${COUNTY[state] ?? 'County'}`, state, latitude, longitude, radiusMiles })
  }

  #add({ name, state, latitude, longitude, radiusMiles }: RegionRow): void {
    const key = keyOf(wordsOf(name))
    const region = this.around({ name, state, latitude, longitude, radiusMiles })
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), region])
  }

  /** The regions of a name, optionally in one state, the most populous first. */
  find(words: readonly string[], state?: string): readonly KnownPlace[] {
    const key = keyOf(words)
    const regions = this.#byKey.get(key)
    if (!regions) return []
    if (regions.length > 1 && !this.#ordered.has(key)) {
      this.#ordered.add(key)
      const populationOf = (region: KnownPlace) =>
        (region.cities?.() ?? []).reduce((sum, { population }) => sum + population, 0)
      const population = new Map(regions.map((region) => [region, populationOf(region)]))
      regions.sort((one, other) => (population.get(other) ?? 0) - (population.get(one) ?? 0))
    }
    return state === undefined ? regions : regions.filter((region) => region.state === state)
  }

  /** A region with its cities: those of its state that are within its circle, found on first use. */
  around({ name, state, latitude, longitude, radiusMiles }: RegionRow): KnownPlace {
    let found: readonly CityRow[] | undefined
    const width = Math.cos((latitude * Math.PI) / 180)
    const isInside = (city: CityRow) =>
      city.state === state &&
      Math.hypot(city.latitude - latitude, (city.longitude - longitude) * width) * MILES_PER_DEGREE < radiusMiles
    const cities = () => (found ??= this.#cities.filter(isInside))
    return { type: 'region', name, state, zipCode: null, coordinates: { latitude, longitude }, radiusMiles, cities }
  }
}

const MILES_PER_DEGREE = 69.1

/** "the Poconos" is "Poconos"; "Orleans County" is "Orleans Parish". */
const keyOf = (words: readonly string[]): string => {
  const [first, ...rest] = words
  const named = first === 'the' && rest.length > 0 ? rest : words
  const last = named.at(-1) ?? ''
  return placeKey(COUNTY_WORDS.has(last) && named.length > 1 ? [...named.slice(0, -1), 'county'] : named)
}
