// Finds the city, state or ZIP code that a text means.
import type { CityRow, StateRow } from '../queries.ts'
import { Beginnings } from '../beginnings.ts'
import { TrigramIndex } from '../../../../platform/text/trigrams.ts'
import { placeKey, placeWords, wordsOf } from '../words.ts'
import { type PostalPlace, getZipCodes } from '../zip-codes.ts'

/** A place to search in: a city, else around a point, else a state. */
export interface KnownPlace {
  type: 'city' | 'zip' | 'state'
  name: string
  /** The state's code. */
  state: string
  zipCode: string | null
  /** The center; null for a state. */
  coordinates: { latitude: number; longitude: number } | null
  /** For a city of the catalog; other post offices have a center only. */
  city?: CityRow
  /** For a state. */
  wholeState?: StateRow
}

/** "Austin, TX", "Austin, TX 78701" or "Texas". */
export const displayNameOf = ({ type, name, state, zipCode }: KnownPlace): string =>
  type === 'state' ? name : `${name}, ${state}${zipCode === null ? '' : ` ${zipCode}`}`

/** Nicknames of large cities. They come before cities that really have the name. */
const NICKNAMES: Record<string, string> = {
  nyc: 'New York, NY',
  'new york city': 'New York, NY',
  'big apple': 'New York, NY',
  bronx: 'The Bronx, NY',
  la: 'Los Angeles, CA',
  sf: 'San Francisco, CA',
  'san fran': 'San Francisco, CA',
  'bay area': 'San Francisco, CA',
  philly: 'Philadelphia, PA',
  vegas: 'Las Vegas, NV',
  dc: 'Washington, DC',
  'washington dc': 'Washington, DC',
  'd c': 'Washington, DC',
  nola: 'New Orleans, LA',
  atl: 'Atlanta, GA',
  okc: 'Oklahoma City, OK',
  slc: 'Salt Lake City, UT',
  indy: 'Indianapolis, IN',
  jax: 'Jacksonville, FL',
  kc: 'Kansas City, MO',
  'st pete': 'St. Petersburg, FL',
  dfw: 'Dallas, TX',
  pdx: 'Portland, OR',
}

/** A state's own name means the state, except where a city is better known: New York and Washington. */
const LARGER_THAN_STATE = 500_000
const ZIP_CODE = /(?<!\d)(\d{5})(?:-\d{4})?(?!\d)/
const COUNTRY = new Set(['usa', 'us', 'unitedstates', 'unitedstatesofamerica'])
/** The most words of a state's name: "District of Columbia". */
const MAX_STATE_WORDS = 3
const MIN_SIMILARITY = 0.3

export class PlaceNames {
  readonly #states: ReadonlyMap<string, StateRow>
  readonly #cities = new Map<string, CityRow[]>()
  readonly #nicknames = new Map<string, CityRow>()
  readonly #byPopulation: readonly CityRow[]
  #beginnings: Beginnings | undefined
  #similar: TrigramIndex | undefined

  /** `cities` are ordered by population. */
  constructor(states: readonly StateRow[], cities: readonly CityRow[]) {
    this.#states = new Map(
      states.flatMap(
        (state) =>
          [
            [keyOf(state.code), state],
            [keyOf(state.name), state],
          ] as const,
      ),
    )
    this.#byPopulation = cities
    for (const city of cities) {
      const key = keyOf(city.name)
      for (const spelling of new Set([key, key.replace(/^the(?=.)/, '')]))
        this.#cities.set(spelling, [...(this.#cities.get(spelling) ?? []), city])
    }
    const byName = new Map(cities.map((city) => [`${city.name}, ${city.state}`, city]))
    for (const [nickname, name] of Object.entries(NICKNAMES)) {
      const city = byName.get(name)
      if (city) this.#nicknames.set(keyOf(nickname), city)
    }
  }

  /** By code or full name. */
  state(words: readonly string[]): StateRow | undefined {
    return this.#states.get(placeKey(words))
  }

  /** Every city of that name, the most populous first: "Austin", "Austin, TX", "Saint Louis", "NYC". */
  cities(words: readonly string[], state?: StateRow): readonly CityRow[] {
    // "Leon IA" is Leon in Iowa before it is Leonia.
    for (const [name, ofState] of this.#beforeState(words)) {
      if (state && ofState && state !== ofState) continue
      const found = this.#citiesNamed(name, ofState ?? state)
      if (found.length > 0) return found
    }
    return this.#citiesNamed(words, state)
  }

  #citiesNamed(words: readonly string[], state: StateRow | undefined): readonly CityRow[] {
    const key = placeKey(words)
    const nickname = this.#nicknames.get(key)
    const cities = nickname ? [nickname] : (this.#cities.get(key) ?? [])
    return state ? cities.filter((city) => city.state === state.code) : cities
  }

  /** The ways to read the last words as a state or the country: "New York New York" has two. */
  #beforeState(words: readonly string[]): [name: readonly string[], state: StateRow | undefined][] {
    const ways: [readonly string[], StateRow | undefined][] = []
    for (let count = 1; count <= Math.min(MAX_STATE_WORDS + 1, words.length - 1); count++) {
      const [name, end] = [words.slice(0, -count), words.slice(-count)]
      const state = this.state(end)
      if (state) ways.push([name, state])
      if (COUNTRY.has(end.join(''))) ways.push([name, undefined], ...this.#beforeState(name))
    }
    return ways
  }

  /** The place that a text means: its ZIP code, else the most populous city of the name, else a state. */
  place(text: string, state?: StateRow): KnownPlace | undefined {
    const zip = ZIP_CODE.exec(text)?.[1]
    const known = zip === undefined ? undefined : getZipCodes().find(zip)
    return known ? postal(known) : this.#cityOrState(wordsOf(text.replace(ZIP_CODE, ' ')), state)
  }

  /** The place that all of the words name: "austin tx 78701", not "heater 78701". */
  named(words: readonly string[]): KnownPlace | undefined {
    const at = words.findLastIndex((word) => /^\d{5}$/.test(word))
    const known = at === -1 ? undefined : getZipCodes().find(words[at] ?? '')
    if (!known) return this.#cityOrState(words, undefined)
    const others = words.filter((_, index) => index !== at)
    return others.length === 0 || this.#cityOrState(others, undefined) ? postal(known) : undefined
  }

  #cityOrState(words: readonly string[], state: StateRow | undefined): KnownPlace | undefined {
    if (words.length === 0) return undefined
    const [city] = this.cities(words, state)
    const whole = this.#stateNamed(words)
    if (whole && (!state || state === whole) && !this.#isBetterKnown(words, city)) return ofState(whole)
    return city ? ofCity(city) : this.#postOffice(words, state)
  }

  /** Of a name that is no city of the catalog, such as Flushing, NY: the center of its ZIP codes. */
  #postOffice(words: readonly string[], state: StateRow | undefined): KnownPlace | undefined {
    const ways: [readonly string[], StateRow | undefined][] = [...this.#beforeState(words), [words, state]]
    for (const [name, inState] of ways) {
      if (state && inState && state !== inState) continue
      const office = getZipCodes().office(name, (inState ?? state)?.code)
      if (office && this.#states.has(office.state.toLowerCase())) return postal(office)
    }
    return undefined
  }

  #stateNamed(words: readonly string[]): StateRow | undefined {
    const whole = this.state(words)
    if (whole) return whole
    const [name] = this.#beforeState(words).find(([, inState]) => !inState) ?? []
    return name && this.state(name)
  }

  #isBetterKnown(words: readonly string[], city: CityRow | undefined): boolean {
    if (!city) return false
    return this.#nicknames.has(placeKey(words)) || city.population >= LARGER_THAN_STATE
  }

  /** Places whose name begins with the text, the most populous first; ZIP codes for digits. */
  beginning(text: string, limit: number): KnownPlace[] {
    const digits = /^\s*(\d{1,5})\s*$/.exec(text)?.[1]
    if (digits !== undefined) return getZipCodes().startingWith(digits, limit).map(postal)
    const words = wordsOf(text)
    if (words.length === 0) return []
    const exact = this.place(text)
    // "St" may be the beginning of Stockton, or Saint.
    const [key, typed] = [placeKey(words), words.join('')]
    const states = [...new Set(this.#states.values())].filter(({ name }) => keyOf(name).startsWith(key)).map(ofState)
    this.#beginnings ??= new Beginnings(this.#byPopulation.map((city) => this.#fullNames(city)))
    const cities = this.#beginnings
      .starting([key, typed], limit)
      .flatMap((at) => this.#byPopulation[at] ?? [])
      .map(ofCity)
    const others = [...states, ...cities].filter((it) => it.city !== exact?.city || it.wholeState !== exact?.wholeState)
    const weight = ({ city }: KnownPlace) => city?.population ?? LARGER_THAN_STATE
    return [...(exact ? [exact] : []), ...others.toSorted((a, b) => weight(b) - weight(a))].slice(0, limit)
  }

  /** The keys of "austin tx" and "austin texas". */
  #fullNames({ name, state }: CityRow): string[] {
    return [keyOf(`${name} ${state}`), keyOf(`${name} ${this.#states.get(state.toLowerCase())?.name ?? ''}`)]
  }

  /** Cities whose name resembles the text; those of the named state and large ones first among similar ones. */
  resembling(words: readonly string[], limit: number): { place: KnownPlace; similarity: number }[] {
    this.#similar ??= new TrigramIndex(this.#byPopulation.map(({ name }) => placeWords(wordsOf(name)).join(' ')))
    const [[name, state] = [words, undefined]] = this.#beforeState(words)
    return this.#similar
      .similarTo(placeWords(name).join(' '), MIN_SIMILARITY)
      .flatMap(({ index, similarity }) => {
        const city = this.#byPopulation[index]
        const score = similarity + Math.log10((city?.population ?? 0) + 1) / 30
        return city ? [{ city, similarity: city.state === state?.code ? score + 0.3 : score, index }] : []
      })
      .toSorted((one, other) => other.similarity - one.similarity || one.index - other.index)
      .slice(0, limit)
      .map(({ city, similarity }) => ({ place: ofCity(city), similarity }))
  }
}

const keyOf = (name: string) => placeKey(wordsOf(name))

const ofCity = (city: CityRow): KnownPlace => ({
  type: 'city',
  name: city.name,
  state: city.state,
  zipCode: null,
  coordinates: { latitude: city.latitude, longitude: city.longitude },
  city,
})

const ofState = (state: StateRow): KnownPlace => ({
  type: 'state',
  name: state.name,
  state: state.code,
  zipCode: null,
  coordinates: null,
  wholeState: state,
})

const postal = ({ city, state, zipCode, latitude, longitude }: PostalPlace): KnownPlace => ({
  type: zipCode === null ? 'city' : 'zip',
  name: city,
  state,
  zipCode,
  coordinates: { latitude, longitude },
})
