// Postal codes among the words of people: "austin tx 78701", "M5V 1A1, Toronto".
import type { Region } from '../../../../platform/text/region.ts'
import { type PostalPlace, type ZipCodes, getZipCodes } from '../zip-codes.ts'
import type { KnownPlace } from './known-place.ts'

export class PostalCodes {
  readonly #region: Region

  constructor(region: Region) {
    this.#region = region
  }

  get #codes(): ZipCodes {
    return getZipCodes(this.#region.country)
  }

  /** The place of the code in a text, if it is known. */
  find(text: string): KnownPlace | undefined {
    const code = this.#region.postal.inText.exec(text)?.[1]
    const known = code === undefined ? undefined : this.#codes.find(code)
    return known && placeOf(known)
  }

  without(text: string): string {
    return text.replace(this.#region.postal.inText, ' ')
  }

  /** The place of the last code among words, with the other words. */
  among(words: readonly string[]): { place: KnownPlace; others: readonly string[] } | undefined {
    const { whole, length } = this.#region.postal
    const at = words.findLastIndex((word) => this.#isCode(word))
    const known = at === -1 ? undefined : this.#codes.find((words[at] ?? '').slice(0, length))
    if (!known) return undefined
    // The second half of a Canadian code is a word of its own: "m5v 1a1".
    const end = at + (words[at]?.length === length && whole.test(words.slice(at, at + 2).join(' ')) ? 2 : 1)
    return { place: placeOf(known), others: words.filter((_, index) => index < at || index >= end) }
  }

  #isCode(word: string): boolean {
    const { radix, length, inText } = this.#region.postal
    return radix === 10 ? word.length === length && /^\d+$/.test(word) : inText.exec(word)?.[0] === word
  }

  /** Places whose code begins with the text: "787" of a ZIP code; "M5", "M5V" or all of a code in Canada. Undefined for other texts. */
  beginning(text: string, limit: number): KnownPlace[] | undefined {
    const { radix, length, whole } = this.#region.postal
    const typed = text.trim()
    const begun =
      radix === 10
        ? typed.length <= length && /^\d+$/.test(typed) && typed
        : (whole.exec(typed)?.[1] ?? /^[a-z]\d[a-z]?$/i.exec(typed)?.[0])
    return begun ? this.#codes.startingWith(begun, limit).map(placeOf) : undefined
  }

  /** The center of the codes of a post office of that name. */
  office(name: readonly string[], state?: string): KnownPlace | undefined {
    const office = this.#codes.office(name, state)
    return office && placeOf(office)
  }
}

const placeOf = ({ city, state, zipCode, latitude, longitude }: PostalPlace): KnownPlace => ({
  type: zipCode === null ? 'city' : 'zip',
  name: city,
  state,
  zipCode,
  coordinates: { latitude, longitude },
})
