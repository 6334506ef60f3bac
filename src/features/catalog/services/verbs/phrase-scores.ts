// Compares a text with known phrases by the words that both have. docs/design/words.md explains the score.
import { stemmer } from 'stemmer'

export interface ScoredPhrase<Meaning> {
  meaning: Meaning
  score: number
  /** The part of the text's weight that the phrase explains, 0 to 1. */
  share: number
  /** The stems of the phrase. */
  stems: ReadonlySet<string>
  /** The text has every word of the phrase. */
  isWhole: boolean
}

interface Phrase<Meaning> {
  meaning: Meaning
  stems: ReadonlySet<string>
  weight: number
  boost: number
}

/** Words that say little, such as "in", still tell "no power" from "power washing". */
const IGNORED_WEIGHT = 0.3
/** A corrected word is less certain than one typed right. */
const CORRECTED_PART = 0.9
const MAX_RANKED = 40

/** Phrases with their meanings, in order of precedence. A word weighs the more, the fewer meanings have it. */
export class PhraseScores<Meaning> {
  readonly #phrases: Phrase<Meaning>[] = []
  readonly #positions = new Map<string, number[]>()
  readonly #weights = new Map<string, number>()
  /** The stems of the phrases' words: finding a stem takes longer than comparing it. */
  readonly #stems = new Map<string, string>()
  readonly #unknownWeight: number
  readonly #isIgnored: (word: string) => boolean

  constructor(
    phrases: readonly { words: readonly string[]; meaning: Meaning; boost?: number }[],
    isIgnored: (word: string) => boolean,
  ) {
    this.#isIgnored = isIgnored
    const meanings = new Map<string, Set<Meaning>>()
    const ignored = new Set<string>()
    for (const { words, meaning } of phrases)
      for (const word of words) {
        const stem = stemmer(word)
        this.#stems.set(word, stem)
        meanings.set(stem, (meanings.get(stem) ?? new Set<Meaning>()).add(meaning))
        if (isIgnored(word)) ignored.add(stem)
      }
    const total = new Set(phrases.map(({ meaning }) => meaning)).size
    this.#unknownWeight = Math.log(1 + total)
    for (const [stem, { size }] of meanings)
      this.#weights.set(stem, ignored.has(stem) ? IGNORED_WEIGHT : Math.log(1 + total / size))
    for (const { words, meaning, boost = 1 } of phrases) {
      const stems = new Set(words.map(stemmer))
      const at = this.#phrases.push({ meaning, stems, weight: this.#sum(stems), boost }) - 1
      for (const stem of stems) {
        const positions = this.#positions.get(stem)
        if (positions) positions.push(at)
        else this.#positions.set(stem, [at])
      }
    }
  }

  stemOf(word: string): string {
    return this.#stems.get(word) ?? stemmer(word)
  }

  /** Whether a phrase has a form of the word. */
  has(word: string): boolean {
    return this.#positions.has(this.stemOf(word))
  }

  #sum(stems: Iterable<string>): number {
    let sum = 0
    for (const stem of stems) sum += this.#weights.get(stem) ?? 0
    return sum
  }

  /**
   * The phrases with the highest scores: the weight of the shared words, times their part of the phrase's weight. Words of
   * `corrected` weigh less.
   */
  of(words: readonly string[], corrected: ReadonlySet<string>): ScoredPhrase<Meaning>[] {
    const shared = new Map<number, number>()
    let all = 0
    for (const [stem, word] of new Map(words.map((word) => [this.stemOf(word), word]))) {
      const weight = this.#weights.get(stem) ?? this.#unknownWeight
      if (!this.#isIgnored(word)) all += weight
      const counted = corrected.has(word) ? CORRECTED_PART * weight : weight
      for (const at of this.#positions.get(stem) ?? []) shared.set(at, (shared.get(at) ?? 0) + counted)
    }
    const scored = Array.from(shared, ([at, weight]) => ({ at, weight, score: this.#score(at, weight) }))
    return scored
      .toSorted((one, other) => other.score - one.score || one.at - other.at)
      .slice(0, MAX_RANKED)
      .flatMap(({ at, weight, score }) => {
        const phrase = this.#phrases[at]
        if (!phrase) return []
        const share = all === 0 ? 1 : Math.min(1, weight / all)
        return [{ ...phrase, score, share, isWhole: weight >= CORRECTED_PART * phrase.weight }]
      })
  }

  #score(at: number, shared: number): number {
    const { weight = 1, boost = 1 } = this.#phrases[at] ?? {}
    return (boost * shared ** 2) / weight
  }
}
