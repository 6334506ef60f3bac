// US ZIP codes with their post office and center, from the package `zipcodes`, and the first three characters of Canada's postal codes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { type Country, type PostalRule, regionOf } from '../../../platform/text/region.ts'
import { firstFrom } from './beginnings.ts'
import { placeKey, wordsOf } from './words.ts'

/** The center of a ZIP code, or of all ZIP codes of a post office's name. */
export interface PostalPlace {
  city: string
  state: string
  latitude: number
  longitude: number
  /** Null for a post office with several. */
  zipCode: string | null
}

const PACKAGE_FILE = 'zipcodes/lib/codes.js'

interface Entry {
  zip: string
  latitude: number
  longitude: number
  city: string
  state: string
}

/**
 * All 42,500 ZIP codes in columns of 2.6 MB, and 5 MB more once a post office is looked up by name: Canada's 1,600 are few. The package's own objects
 * would take 20 MB in each process, so its text is read and parsed here.
 */
export class ZipCodes {
  readonly #codes: Int32Array
  readonly #latitudes: Float64Array
  readonly #longitudes: Float64Array
  /** The post office of each ZIP code: a position in the list of offices. */
  readonly #offices: Uint16Array
  readonly #officeNames: readonly string[]
  /** Latitude, longitude and number of ZIP codes of each post office. */
  #centers: Float64Array | undefined
  #officesByKey: ReadonlyMap<string, readonly number[]> | undefined

  /** A code is kept as a number: of the digits of a ZIP code, or of the letters and digits of a Canadian one. */
  readonly #rule: PostalRule

  constructor(rule: PostalRule, entries: readonly Entry[]) {
    this.#rule = rule
    const sorted = entries.toSorted((one, other) => this.#numberOf(one.zip) - this.#numberOf(other.zip))
    this.#codes = Int32Array.from(sorted, ({ zip }) => this.#numberOf(zip))
    this.#latitudes = Float64Array.from(sorted, ({ latitude }) => latitude)
    this.#longitudes = Float64Array.from(sorted, ({ longitude }) => longitude)
    const offices = new Map<string, number>()
    this.#offices = Uint16Array.from(sorted, ({ city, state }) => {
      const name = `${city}, ${state}`
      const known = offices.get(name)
      if (known === undefined) offices.set(name, offices.size)
      return known ?? offices.size - 1
    })
    this.#officeNames = [...offices.keys()]
  }

  get size(): number {
    return this.#codes.length
  }

  find(code: string): PostalPlace | undefined {
    const number = this.#numberOf(code)
    const at = firstFrom(this.#codes, number)
    return this.#codes[at] === number ? this.#at(at) : undefined
  }

  #numberOf(code: string): number {
    return Number.parseInt(code, this.#rule.radix)
  }

  /** The first codes that begin with these characters, in order. */
  startingWith(characters: string, limit: number): PostalPlace[] {
    const { length, radix } = this.#rule
    const last = (radix - 1).toString(radix)
    const [from, to] = [
      firstFrom(this.#codes, this.#numberOf(characters.padEnd(length, '0'))),
      firstFrom(this.#codes, this.#numberOf(characters.padEnd(length, last)) + 1),
    ]
    return Array.from({ length: Math.min(limit, to - from) }, (_, nth) => this.#at(from + nth))
  }

  /** All places of codes that the test of their position holds for, in order. */
  where(holds: (point: { latitude: number; longitude: number }) => boolean): PostalPlace[] {
    const found: PostalPlace[] = []
    for (const at of this.#codes.keys())
      if (holds({ latitude: this.#latitudes[at] ?? 0, longitude: this.#longitudes[at] ?? 0 })) found.push(this.#at(at))
    return found
  }

  /** The post office of that name with the most ZIP codes, optionally within a state, such as Flushing in New York. */
  office(words: readonly string[], state?: string): PostalPlace | undefined {
    this.#officesByKey ??= Map.groupBy(this.#officeNames.keys(), (office) => keyOf(this.#officeNames[office] ?? ''))
    const [largest] = (this.#officesByKey.get(placeKey(words)) ?? [])
      .filter((office) => !state || this.#officeNames[office]?.endsWith(`, ${state}`))
      .map((office) => ({ office, ...this.#centerOf(office) }))
      .toSorted((one, other) => other.count - one.count)
    if (!largest) return undefined
    const { office, latitude, longitude } = largest
    return { ...cityAndState(this.#officeNames[office] ?? ''), zipCode: null, latitude, longitude }
  }

  /** The mean of an office's ZIP codes, and their number. All are computed at once: a search of the columns takes a millisecond. */
  #centerOf(office: number): { latitude: number; longitude: number; count: number } {
    this.#centers ??= this.#allCenters()
    const [latitude = 0, longitude = 0, count = 0] = this.#centers.subarray(3 * office, 3 * office + 3)
    return { latitude, longitude, count }
  }

  #allCenters(): Float64Array {
    const centers = new Float64Array(3 * this.#officeNames.length)
    const add = (at: number, value: number) => (centers[at] = (centers[at] ?? 0) + value)
    for (const [at, office] of this.#offices.entries()) {
      add(3 * office, this.#latitudes[at] ?? 0)
      add(3 * office + 1, this.#longitudes[at] ?? 0)
      add(3 * office + 2, 1)
    }
    for (let at = 0; at < centers.length; at += 3) {
      const count = centers[at + 2] ?? 1
      for (const column of [at, at + 1]) centers[column] = Number(((centers[column] ?? 0) / count).toFixed(4))
    }
    return centers
  }

  #at(at: number): PostalPlace {
    return {
      ...cityAndState(this.#officeNames[this.#offices[at] ?? 0] ?? ''),
      zipCode: (this.#codes[at] ?? 0).toString(this.#rule.radix).toUpperCase().padStart(this.#rule.length, '0'),
      latitude: this.#latitudes[at] ?? 0,
      longitude: this.#longitudes[at] ?? 0,
    }
  }
}

const cityAndState = (name: string) => ({ city: name.slice(0, -4), state: name.slice(-2) })

const keyOf = (name: string) => placeKey(wordsOf(cityAndState(name).city))

let loaded: Readonly<Partial<Record<Country, ZipCodes>>> = {}

/** The codes of the country in this process, loaded on first use, which takes 0.1 s. */
export function getZipCodes(country: Country): ZipCodes {
  const known = loaded[country] ?? new ZipCodes(regionOf({ country }).postal, SOURCES[country]())
  if (!loaded[country]) loaded = { ...loaded, [country]: known }
  return known
}

const SOURCES: Readonly<Record<Country, () => Entry[]>> = { US: readPackage, CA: readCanadian }

/** `npm run canadian-places` writes them. */
function readCanadian(): Entry[] {
  const text = readFileSync(join(import.meta.dir, 'canadian-postal-codes.json'), 'utf8')
  const rows = JSON.parse(text) as [city: string, state: string, zip: string, latitude: number, longitude: number][]
  return rows.map(([city, state, zip, latitude, longitude]) => ({ city, state, zip, latitude, longitude }))
}

/** The file assigns one JSON object after another; the first holds the US ZIP codes. */
function readPackage(): Entry[] {
  const text = readFileSync(fileURLToPath(import.meta.resolve(PACKAGE_FILE)), 'utf8')
  const codes = JSON.parse(text.slice(text.indexOf('{'), text.indexOf('};') + 1)) as Record<
    string,
    Entry & { country: string }
  >
  return Object.values(codes).filter(({ country }) => country === 'US')
}
