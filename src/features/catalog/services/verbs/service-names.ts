// Finds the service or category that a text means: by id, slug, name or synonym, else by the phrase that shares most with it.
import type { CategoryRow, ServiceRow } from '../queries.ts'
import { nameKey, wordsOf } from '../words.ts'
import { PhraseScores, type ScoredPhrase } from './phrase-scores.ts'
import { Spelling } from './spelling.ts'
import type { Token, Vocabulary } from './vocabulary.ts'

/** What a service's text means: one service, or every service of a category. */
export type Offering = { service: ServiceRow; category?: undefined } | { service?: undefined; category: CategoryRow }

export interface Correction {
  typed: string
  read: string
}

/** How a text about a service was read. */
export interface ReadService {
  /** Undefined when the text was not understood. */
  offering?: Offering | undefined
  /** How much of a phrase was found; 0 when nothing was understood. */
  score: number
  corrected: readonly Correction[]
  /** Words that say nothing about the service. */
  ignored: readonly string[]
  /** Words that are in no phrase of what was understood. */
  unknown: readonly string[]
  /** What was not understood, as people are told: the unknown words; the whole text when it means no known service. */
  notUnderstood: readonly string[]
  /** The likeliest offerings, best first, whether or not the text was understood. */
  likely: readonly Offering[]
}

/** Finds the known word that a misspelled one means. */
type Correct = (word: string) => string | undefined

interface ReadingOptions {
  isWanted?: (offering: Offering) => boolean
  correct?: Correct
}

const MAX_LIKELY = 10
/** A phrase with this score is meant, whatever else the text says. */
const CLEAR_SCORE = 3.6
/** A phrase with this score is meant when it explains enough of the text. */
const LEAST_SCORE = 2
const LEAST_SHARE = 0.4
/** So is one that explains almost all of it. */
const SHORT_SCORE = 1.2
const SHORT_SHARE = 0.75
/** "iphone screen repair" is no repair of a screen. */
const ELSEWHERE_BOOST = 1.4
/** Below this, a phrase shares too little with the text to be suggested. */
const SUGGESTED_SCORE = 0.7

const rowOf = ({ service, category }: Offering) => service ?? category

export class ServiceNames {
  readonly #exact = new Map<string, Offering>()
  readonly #exactCategories = new Map<string, Offering>()
  readonly #terms: { words: readonly string[]; offering: Offering }[] = []
  readonly #vocabulary: Vocabulary
  readonly #spelling = new Spelling()
  /** Words that need no correction. */
  readonly #known: Set<string>
  readonly #scores: PhraseScores<Offering | 'elsewhere'>

  /**
   * When one text means two things, ids and slugs come before names, these before former slugs, these before synonyms, and services
   * before categories.
   */
  constructor(services: readonly ServiceRow[], categories: readonly CategoryRow[], vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
    const offerings: Offering[] = [
      ...services.map((service) => ({ service })),
      ...categories.map((category) => ({ category })),
    ]
    const bySlug = offeringsBySlug(offerings)
    const phrases = vocabulary.phrases('service').flatMap(({ words, means }) => {
      const offering = bySlug.get(means)
      return offering ? [{ words, offering }] : []
    })
    const namesOf = (terms: (row: CategoryRow) => readonly string[]) =>
      offerings.flatMap((offering) => terms(rowOf(offering)).map((term) => ({ words: wordsOf(term), offering })))
    const [ids, names, synonyms, former] = [
      namesOf(({ id, slug, formerIds }) => [id, slug, ...formerIds]),
      namesOf(({ name }) => [name]),
      namesOf((row) => row.synonyms),
      namesOf((row) => row.formerSlugs),
    ]
    for (const { words, offering } of [...ids, ...names, ...former, ...synonyms]) {
      const key = nameKey(words)
      if (!this.#exact.has(key)) this.#exact.set(key, offering)
      if (offering.category && !this.#exactCategories.has(key)) this.#exactCategories.set(key, offering)
    }
    this.#terms = [...names, ...former, ...synonyms, ...phrases]
    this.#known = vocabulary.words()
    for (const word of this.#known) this.#spelling.add(word, vocabulary.isIgnored(word) ? 0 : 2)
    const elsewhere = vocabulary.phrases('elsewhere')
    for (const [importance, some] of [
      [3, names],
      [3, former],
      [3, synonyms],
      [1, phrases],
      [1, elsewhere],
    ] as const)
      for (const { words } of some)
        for (const word of words) {
          this.#known.add(word)
          this.#spelling.add(word, words.length === 1 ? importance + 1 : importance)
        }
    const readPhrases = (some: readonly { words: readonly string[]; offering: Offering | 'elsewhere' }[], boost = 1) =>
      some.map(({ words, offering: meaning }) => ({
        words: vocabulary.read(words).flatMap(({ read }) => read),
        meaning,
        boost,
      }))
    this.#scores = new PhraseScores(
      [
        ...readPhrases(this.#terms),
        ...readPhrases(
          elsewhere.map(({ words }) => ({ words, offering: 'elsewhere' })),
          ELSEWHERE_BOOST,
        ),
      ],
      (word) => vocabulary.isIgnored(word),
    )
  }

  /** What the words mean, if they are clear; undefined when they are no known service. */
  find(words: readonly string[]): Offering | undefined {
    return this.readName(words).offering
  }

  isExact(words: readonly string[]): boolean {
    return this.#exact.has(nameKey(words))
  }

  /** Reads a text that should be a service: at once, when it is a name of the catalog. */
  readName(words: readonly string[]): ReadService {
    const offering = this.#exact.get(nameKey(words))
    if (!offering) return this.read(words)
    return {
      offering,
      score: CLEAR_SCORE,
      corrected: [],
      ignored: [],
      unknown: [],
      notUnderstood: [],
      likely: [offering],
    }
  }

  /** What the words mean among the categories; undefined for misspelled words. */
  findCategory(words: readonly string[]): CategoryRow | undefined {
    const exact = this.#exactCategories.get(nameKey(words))
    if (exact) return exact.category
    const { offering, corrected } = this.read(words, { isWanted: ({ category }) => category !== undefined })
    return corrected.length === 0 ? offering?.category : undefined
  }

  /** Whether a service's phrase or the vocabulary has this word. */
  knows(word: string): boolean {
    return this.#known.has(word) || this.#scores.has(word) || this.#vocabulary.isIgnored(word)
  }

  isIgnored(word: string): boolean {
    return this.#vocabulary.isIgnored(word)
  }

  /** The known word that a misspelled one means. */
  corrected(word: string): string | undefined {
    return this.knows(word) ? undefined : this.#spelling.nearest(word)
  }

  /** Reads a text about a service word by word. */
  read(
    words: readonly string[],
    { isWanted = () => true, correct = (word) => this.corrected(word) }: ReadingOptions = {},
  ): ReadService {
    const { spelled, corrected } = this.#spell(words, correct)
    const exact = this.#exact.get(nameKey(spelled))
    const tokens = this.#vocabulary.read(spelled)
    const ranked = this.#scores
      .of(
        tokens.flatMap(({ read }) => read),
        new Set(corrected.map(({ read }) => read)),
      )
      .filter(({ meaning }) => meaning === 'elsewhere' || isWanted(meaning))
    const [best] = ranked
    const meaning = exact && isWanted(exact) ? exact : best && isClear(best) ? best.meaning : undefined
    const offering = meaning === 'elsewhere' ? undefined : meaning
    const isOfOffering = (word: string) => offering !== undefined && best?.stems.has(this.#scores.stemOf(word)) === true
    const isMissing = (token: Token) => !token.isIgnored && !token.read.every(isOfOffering)
    const isLeftOut = (token: Token) => token.isIgnored && !token.typed.some(isOfOffering)
    const unknown = exact ? [] : tokens.filter(isMissing).map(textOf)
    return {
      offering,
      score: offering ? Math.max(best?.score ?? 0, exact ? CLEAR_SCORE : 0) : 0,
      corrected,
      ignored: exact ? [] : tokens.filter(isLeftOut).map(textOf),
      unknown,
      notUnderstood: offering || unknown.length === 0 ? unknown : [subjectOf(tokens)],
      likely: best?.meaning === 'elsewhere' ? [] : likelyOf(ranked),
    }
  }

  /** Joins and divides words as the names of services do, and corrects the ones that are unknown. */
  #spell(words: readonly string[], correct: Correct): { spelled: string[]; corrected: Correction[] } {
    const [spelled, corrected]: [string[], Correction[]] = [[], []]
    for (let at = 0; at < words.length; at++) {
      const [word = '', next] = words.slice(at, at + 2)
      const joined = `${word}${next ?? ''}`
      if (next !== undefined && this.#known.has(joined) && !(this.knows(word) && this.knows(next))) {
        spelled.push(joined)
        at++
        continue
      }
      if (this.knows(word)) {
        spelled.push(word)
        continue
      }
      const divided = this.#divided(word)
      const read = divided ? undefined : correct(word)
      if (read !== undefined) corrected.push({ typed: word, read })
      spelled.push(...(divided ?? [read ?? word]))
    }
    return { spelled, corrected }
  }

  /** "housecleaning" is two known words. */
  #divided(word: string): [string, string] | undefined {
    for (let at = 3; at <= word.length - 3; at++) {
      const [one, other] = [word.slice(0, at), word.slice(at)]
      if (this.#known.has(one) && this.#known.has(other)) return [one, other]
    }
    return undefined
  }

  /** What the words may mean, best first, each once. */
  resembling(words: readonly string[], limit: number): readonly Offering[] {
    return this.read(words).likely.slice(0, limit)
  }

  /** Whether the words, the last one perhaps unfinished, begin words of a name or synonym of this service or category. */
  beginning(words: readonly string[]): readonly Offering[] {
    const [last = '', ...finished] = words.toReversed()
    const begins = (term: readonly string[]) =>
      term.some((word) => word.startsWith(last)) && finished.every((word) => term.includes(word))
    return [...new Set(this.#terms.filter((term) => begins(term.words)).map(({ offering }) => offering))]
  }
}

/** By slug; former slugs give way to those in use, and categories to services. */
const offeringsBySlug = (offerings: readonly Offering[]): ReadonlyMap<string, Offering> =>
  new Map(
    [({ formerSlugs }: CategoryRow) => formerSlugs, ({ slug }: CategoryRow) => [slug]].flatMap((slugsOf) =>
      offerings.toReversed().flatMap((offering) => slugsOf(rowOf(offering)).map((slug) => [slug, offering] as const)),
    ),
  )

const textOf = ({ typed }: Token): string => typed.join(' ')

/** "dog walker" of "dog walker near me". */
const subjectOf = (tokens: readonly Token[]): string =>
  tokens
    .slice(0, tokens.findLastIndex(({ isIgnored }) => !isIgnored) + 1)
    .map(textOf)
    .join(' ')

const isClear = ({ score, share, stems, isWhole }: ScoredPhrase<unknown>) =>
  score >= CLEAR_SCORE ||
  (score >= LEAST_SCORE && (share >= LEAST_SHARE || (isWhole && stems.size > 1))) ||
  (score >= SHORT_SCORE && share >= SHORT_SHARE)

function likelyOf(ranked: readonly { meaning: Offering | 'elsewhere'; score: number }[]): Offering[] {
  const byName = new Map<string, Offering>()
  for (const { meaning, score } of ranked) {
    if (meaning === 'elsewhere' || score < SUGGESTED_SCORE) continue
    // A category and its main service may have one name.
    const { name } = rowOf(meaning)
    if (!byName.has(name)) byName.set(name, meaning)
    if (byName.size === MAX_LIKELY) break
  }
  return [...byName.values()]
}
