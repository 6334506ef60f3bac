// The words of searches beside the names of the catalog: built-in ones, and the rows that operators add or change.
import builtIn from '../vocabulary.json' with { type: 'json' }
import type { WordRow } from '../queries.ts'
import { placeKey, wordsOf } from '../words.ts'

type WordKind = WordRow['kind']

/** Words of a text that were read together. */
export interface Token {
  typed: readonly string[]
  /** What they stand for: themselves, or other words. */
  read: readonly string[]
  /** They say nothing about the service. */
  isIgnored: boolean
}

/** A region without borders of its own in the catalog: a circle. */
export interface RegionRow {
  name: string
  state: string
  latitude: number
  longitude: number
  radiusMiles: number
}

const keyOf = (text: string) => wordsOf(text).join(' ')

const inList = (lists: Record<string, readonly string[]>, kind: WordKind): WordRow[] =>
  Object.entries(lists).flatMap(([means, phrases]) => phrases.map((phrase) => ({ phrase, kind, means })))

/** Every phrase of the built-in vocabulary. */
const BUILT_IN: readonly WordRow[] = [
  ...inList(builtIn.services, 'service'),
  ...inList(builtIn.same, 'same'),
  ...inList(builtIn.nicknames, 'place'),
  ...builtIn.ignored.map((phrase): WordRow => ({ phrase, kind: 'ignored', means: null })),
  ...builtIn.elsewhere.map((phrase): WordRow => ({ phrase, kind: 'elsewhere', means: null })),
]

const REGIONS: readonly RegionRow[] = Object.entries(builtIn.places).map(([place, circle]) => {
  const [name = '', state = ''] = place.split(', ')
  const [latitude = 0, longitude = 0, radiusMiles = 0] = circle
  return { name, state, latitude, longitude, radiusMiles }
})

export class Vocabulary {
  /** By kind and words. A phrase of the table replaces the built-in phrase of the same words, whatever its kind. */
  readonly #rows: readonly (WordRow & { key: string })[]
  readonly #same = new Map<string, readonly string[]>()
  readonly #ignored = new Set<string>()
  /** The most words of a phrase that begins with a word. */
  readonly #lengths = new Map<string, number>()
  readonly regions = REGIONS

  constructor(added: readonly WordRow[] = []) {
    const rows = added.map((row) => ({ ...row, key: keyOf(row.phrase) }))
    const replaced = new Set(rows.map(({ key }) => key))
    const kept = BUILT_IN.map((row) => ({ ...row, key: keyOf(row.phrase) })).filter(({ key }) => !replaced.has(key))
    this.#rows = [...rows, ...kept]
    for (const { key, kind, means } of this.#rows) {
      if (kind === 'same') this.#same.set(key, wordsOf(means ?? ''))
      else if (kind === 'ignored') this.#ignored.add(key)
      else continue
      const words = key.split(' ')
      this.#lengths.set(words[0] ?? '', Math.max(words.length, this.#lengths.get(words[0] ?? '') ?? 0))
    }
  }

  /** The phrases of a kind with their meanings. */
  phrases(kind: WordKind): { words: readonly string[]; means: string }[] {
    return this.#rows
      .filter((row) => row.kind === kind)
      .map(({ key, means }) => ({ words: key.split(' '), means: means ?? '' }))
  }

  /** The nicknames of places: the key of each with the place it means. */
  nicknames(): { key: string; means: string }[] {
    return this.phrases('place').map(({ words, means }) => ({ key: placeKey(words), means }))
  }

  isIgnored(word: string): boolean {
    return this.#ignored.has(word) || /^\d/.test(word)
  }

  /** Whether a word is one of this vocabulary, by itself. */
  has(word: string): boolean {
    return this.#same.has(word) || this.isIgnored(word)
  }

  /** Every single word of the phrases that are read as others or ignored. */
  words(): Set<string> {
    return new Set([...this.#same.keys(), ...this.#ignored].flatMap((key) => key.split(' ')))
  }

  /** Reads the words from the left, the longest known phrase first: "isn't working" as broken, "near me" as nothing. */
  read(words: readonly string[]): Token[] {
    const tokens: Token[] = []
    for (let at = 0; at < words.length;) {
      const token = this.#tokenAt(words, at)
      tokens.push(token)
      at += token.typed.length
    }
    return tokens
  }

  #tokenAt(words: readonly string[], at: number): Token {
    const [word = ''] = words.slice(at, at + 1)
    const longest = Math.min(this.#lengths.get(word) ?? 0, words.length - at)
    for (let length = longest; length > 0; length--) {
      const typed = words.slice(at, at + length)
      const read = this.#same.get(typed.join(' '))
      if (read) return { typed, read, isIgnored: read.every((it) => this.isIgnored(it)) }
      if (length > 1 && this.#ignored.has(typed.join(' '))) return { typed, read: [], isIgnored: true }
    }
    return { typed: [word], read: [word], isIgnored: this.isIgnored(word) }
  }
}
