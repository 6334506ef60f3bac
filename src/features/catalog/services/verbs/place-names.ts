// Finds the city, state or ZIP code that a text means.
import type { Region } from '../../../../platform/text/region.ts'
import type { CityRow, StateRow } from '../queries.ts'
import { isDistrict, nameWithCity } from '../rules/districts.ts'
import { Beginnings } from '../beginnings.ts'
import { placeKey, wordsOf } from '../words.ts'
import type { KnownPlace } from './known-place.ts'
import { PostalCodes } from './postal-codes.ts'
import { Regions } from './regions.ts'
import { Spelling } from './spelling.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A state's own name means the state, except where a city is better known: New York and Washington. */
const LARGER_THAN_STATE = 500_000
/** A namesake with this part of the population may be meant as well. */
const COMPARABLE = 0.1
/** The most words of a state's name: "District of Columbia". */
const MAX_STATE_WORDS = 3
/** A city of this population is meant by a misspelled name that has no state. */
const WELL_KNOWN = 50_000

/** The places of a country, the most populous city first. */
interface PlacesOfRegion {
  region: Region
  states: readonly StateRow[]
  cities: readonly CityRow[]
  vocabulary: Vocabulary
}

export class PlaceNames {
  readonly #states: ReadonlyMap<string, StateRow>
  readonly #cities = new Map<string, CityRow[]>()
  readonly #nicknames = new Map<string, KnownPlace>()
  readonly #byPopulation: readonly CityRow[]
  readonly #regions: Regions
  #beginnings: Beginnings | undefined
  #spelling: Spelling | undefined
  #wellKnown: Spelling | undefined

  readonly #postalCodes: PostalCodes
  readonly #countryWords: ReadonlySet<string>

  constructor({ region, states, cities, vocabulary }: PlacesOfRegion) {
    this.#postalCodes = new PostalCodes(region)
    this.#countryWords = region.countryWords
    this.#states = new Map(
      states.flatMap(
        (state) =>
          [
            [stateKey(wordsOf(state.code)), state],
            [stateKey(wordsOf(state.name)), state],
          ] as const,
      ),
    )
    this.#byPopulation = cities
    for (const city of cities) {
      const withCity = isDistrict(city) ? nameWithCity(city, cities) : undefined
      const keys = [city.name, ...(withCity === undefined ? [] : [withCity])].map(keyOf)
      for (const spelling of new Set(keys.flatMap((key) => [key, key.replace(/^the(?=.)/, '')])))
        this.#cities.set(spelling, [...(this.#cities.get(spelling) ?? []), city])
    }
    this.#regions = new Regions(region.country === 'US' ? vocabulary.regions : [], cities, region)
    for (const { key, means } of vocabulary.nicknames()) {
      const place = this.#meant(means)
      if (place) this.#nicknames.set(key, place)
    }
  }

  /** "Austin, TX", "Long Island, NY", or "Austin, TX within 30 miles". */
  #meant(text: string): KnownPlace | undefined {
    const [, name = text, miles] = /^(.*) within (\d+) miles$/.exec(text) ?? []
    const place = this.#cityOrState(wordsOf(name), undefined)
    if (!place?.coordinates || miles === undefined) return place
    return this.#regions.around({
      name: place.name,
      state: place.state,
      ...place.coordinates,
      radiusMiles: Number(miles),
    })
  }

  /** By code or full name. */
  state(words: readonly string[]): StateRow | undefined {
    return this.#states.get(stateKey(words))
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
    const nickname = this.#nicknames.get(key)?.city
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
      if (this.#countryWords.has(end.join(''))) ways.push([name, undefined], ...this.#beforeState(name))
    }
    return ways
  }

  /** The place that a text means: its ZIP code, else the most populous city of the name, else a state. */
  place(text: string, state?: StateRow): KnownPlace | undefined {
    return this.#postalCodes.find(text) ?? this.#cityOrState(wordsOf(this.#postalCodes.without(text)), state)
  }

  /** The place that all of the words name: "austin tx 78701", not "heater 78701". */
  named(words: readonly string[]): KnownPlace | undefined {
    const coded = this.#postalCodes.among(words)
    if (!coded) return this.#cityOrState(words, undefined)
    const { place, others } = coded
    return others.length === 0 || this.#cityOrState(others, undefined) ? place : undefined
  }

  #cityOrState(words: readonly string[], state: StateRow | undefined): KnownPlace | undefined {
    if (words.length === 0) return undefined
    const known = this.#nicknames.get(placeKey(words)) ?? this.#regionNamed(words, state)
    if (known && (!state || state.code === known.state)) return known
    const [city] = this.cities(words, state)
    const whole = this.#stateNamed(words)
    if (whole && (!state || state === whole) && !this.#isBetterKnown(words, city)) return ofState(whole)
    return city ? ofCity(city) : this.#postOffice(words, state)
  }

  isNickname(words: readonly string[]): boolean {
    return this.#nicknames.has(placeKey(words))
  }

  /** A county or another region, with or without its state; the most populous of its name. */
  #regionNamed(words: readonly string[], state: StateRow | undefined): KnownPlace | undefined {
    for (const [name, inState] of this.#beforeState(words)) {
      const [region] = this.#regions.find(name, (inState ?? state)?.code)
      if (region) return region
    }
    return this.#regions.find(words, state?.code)[0]
  }

  /** Other places of the same name that a person may mean as well, the most populous first: cities, or counties. */
  namesakes(place: KnownPlace): readonly KnownPlace[] {
    const words = wordsOf(place.name)
    if (place.type === 'region') return this.#regions.find(words).filter(({ state }) => state !== place.state)
    if (!place.city) return []
    const least = place.city.population * COMPARABLE
    return (this.#cities.get(placeKey(words)) ?? [])
      .filter((city) => city !== place.city && city.name === place.name && city.population >= least)
      .map(ofCity)
  }

  /** Of a name that is no city of the catalog, such as Flushing, NY: the center of its ZIP codes. */
  #postOffice(words: readonly string[], state: StateRow | undefined): KnownPlace | undefined {
    const ways: [readonly string[], StateRow | undefined][] = [...this.#beforeState(words), [words, state]]
    for (const [name, inState] of ways) {
      if (state && inState && state !== inState) continue
      const office = this.#postalCodes.office(name, (inState ?? state)?.code)
      if (office && this.#states.has(office.state.toLowerCase())) return office
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
    const coded = this.#postalCodes.beginning(text, limit)
    if (coded) return coded
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

  /** Cities whose name is spelled much like the text; those of the named state first, then the most populous. */
  resembling(words: readonly string[], limit: number): readonly KnownPlace[] {
    const ways = [...this.#beforeState(words), [words, undefined] as const]
    const found = ways.flatMap(([name, state]) => {
      const cities = this.#spelledLike(name)
      return state
        ? cities.toSorted((one, other) => Number(other.state === state.code) - Number(one.state === state.code))
        : cities
    })
    return [...new Set(found)].slice(0, limit).map(ofCity)
  }

  /** The city that a misspelled name clearly means: well known, or in the named state. */
  corrected(words: readonly string[], state?: StateRow): KnownPlace | undefined {
    const ways = this.#beforeState(words)
    for (const [name, inState] of ways.length > 0 ? ways : [[words, undefined] as const]) {
      const wanted = inState ?? state
      const cities = wanted ? this.#spelledLike(name) : this.#wellKnownLike(name)
      const city = cities.find((it) => !wanted || it.state === wanted.code)
      if (city) return ofCity(city)
    }
    return undefined
  }

  /** As {@link #spelledLike}, but only well-known cities, which takes a tenth of the time. */
  #wellKnownLike(words: readonly string[]): readonly CityRow[] {
    const known = (this.#wellKnown ??= this.#spellings(WELL_KNOWN))
    return known.near(placeKey(words)).flatMap((key) => this.#cities.get(key)?.slice(0, 1) ?? [])
  }

  #spellings(population: number): Spelling {
    const spelling = new Spelling()
    for (const [key, [largest]] of this.#cities)
      if (largest && largest.population >= population) spelling.add(key, largest.population)
    return spelling
  }

  /** The cities of names that differ in one or two letters, nearest first, then the most populous. */
  #spelledLike(words: readonly string[]): readonly CityRow[] {
    this.#spelling ??= this.#spellings(0)
    const key = placeKey(words)
    return [...(this.#cities.get(key) ?? []), ...this.#spelling.near(key).flatMap((it) => this.#cities.get(it) ?? [])]
  }
}

/** Spelled as it is: "MT" is no mount. */
const stateKey = (words: readonly string[]) => words.join('')

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
