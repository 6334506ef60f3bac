// Finds where a phrase names a place, and how likely each such reading is. docs/design/words.md explains the weights.
import type { KnownPlace } from './known-place.ts'
import type { PlaceNames } from './place-names.ts'
import type { ServiceNames } from './service-names.ts'

/** Some words of a phrase that may name a place. */
export interface Mention {
  place: KnownPlace
  /** The phrase's words from here up to, but not including, `to`; a preposition before them belongs to them. */
  from: number
  to: number
  /** On the scale of the scores of services. */
  weight: number
  isNear: boolean
  /** The name was misspelled. */
  correctedFrom?: string
  /** Nothing but its position says that it is a place. */
  isBare?: boolean
}

export interface Names {
  services: ServiceNames
  places: PlaceNames
  /** {@link ServiceNames.corrected} for the words of one phrase: each is looked up once. */
  correct: (word: string) => string | undefined
}

export function namesFor(services: ServiceNames, places: PlaceNames): Names {
  const corrections = new Map<string, string | undefined>()
  const correct = (word: string) => {
    if (!corrections.has(word)) corrections.set(word, services.corrected(word))
    return corrections.get(word)
  }
  return { services, places, correct }
}

/** The words before a place, and whether they mean its surroundings. */
const PREPOSITIONS = new Map(
  Object.entries({
    in: false,
    at: false,
    on: false,
    for: false,
    of: false,
    en: false,
    near: true,
    nearby: true,
    around: true,
    by: true,
    outside: true,
  }),
)
const ARTICLES = new Set(['the', 'downtown', 'uptown', 'midtown', 'greater', 'el', 'la'])
/** Prepositions after which an unknown name is an unknown place. */
const BEFORE_PLACES = new Set(['in', 'near', 'around', 'at', 'en'])
const MAX_PLACE_WORDS = 5
const MAX_MISSPELLED_WORDS = 3

const LARGE = 100_000
const MEDIUM = 20_000

/** Every reading of some of the words as a known place. */
export function mentionsIn(names: Names, words: readonly string[]): Mention[] {
  const mentions: Mention[] = []
  for (let from = 0; from < words.length; from++)
    for (let to = Math.min(words.length, from + MAX_PLACE_WORDS); to > from; to--) {
      const place = names.places.named(words.slice(from, to))
      const weight = place && weightOf(names, words, { place, from, to })
      if (place && weight !== undefined) mentions.push(withPreposition(words, { place, from, to, weight }))
    }
  return mentions
}

type Span = Pick<Mention, 'place' | 'from' | 'to'>

/** The preposition before a place: "in", "near the", "in downtown". */
function prepositionBefore(words: readonly string[], from: number): number | undefined {
  for (let at = from - 1; at >= Math.max(0, from - 3); at--) {
    const word = words[at] ?? ''
    if (PREPOSITIONS.has(word)) return at
    if (!ARTICLES.has(word)) return undefined
  }
  return undefined
}

function withPreposition(words: readonly string[], mention: Omit<Mention, 'isNear'>): Mention {
  const at = prepositionBefore(words, mention.from)
  return {
    ...mention,
    from: at ?? mention.from,
    isNear: at === undefined ? false : (PREPOSITIONS.get(words[at] ?? '') ?? false),
  }
}

/** How likely the words mean the place; undefined when they rather mean something else. */
function weightOf(names: Names, words: readonly string[], { place, from, to }: Span): number | undefined {
  const { services, places, correct } = names
  const span = words.slice(from, to)
  const stateWords = stateWordsOf(places, span)
  const name = span.slice(0, span.length - stateWords)
  const isVocabulary = name.every((word) => services.knows(word))
  const isAfterPreposition = prepositionBefore(words, from) !== undefined
  const isAlone = from === 0 && to === words.length
  const isLast = words.slice(to).every((word) => services.isIgnored(word))
  const isEdge = isLast || words.slice(0, from).every((word) => services.isIgnored(word))
  const length = span.length / 10
  if (place.type === 'zip') return 9 + length
  if (stateWords > 0 && place.type !== 'state') {
    const isCodeVocabulary = span.slice(-stateWords).every((word) => services.knows(word))
    return isVocabulary && isCodeVocabulary ? undefined : 8 + length
  }
  if (place.type === 'region') {
    return isAfterPreposition || isEdge ? 8 + length : 5
  }
  const before = words[from - 1]
  if (place.type === 'state' && before !== undefined && !services.knows(before) && correct(before) === undefined)
    return undefined
  if (place.type === 'state')
    return stateWeight({ code: span.join(''), isVocabulary, isAfterPreposition, isEdge, isLast, isAlone })
  // "Austin VT" is not Austin in Texas.
  if (places.state(words.slice(to, to + 1)) && !services.knows(words[to] ?? '')) return undefined
  const isTypo = name.length === 1 && correct(name[0] ?? '') !== undefined
  const population = place.city?.population ?? 0
  if (places.isNickname(span))
    return isVocabulary && !(to === words.length && !isAlone) ? undefined : isEdge ? 4 : undefined
  if (isAfterPreposition) {
    if (isVocabulary || isTypo) return population >= MEDIUM ? 3 : undefined
    return place.city ? 5 + Math.log10(population + 1) / 2 : 2
  }
  if (isVocabulary || (isTypo && population < LARGE)) return undefined
  if (isAlone) return place.city ? 5 : 1.5
  if (!place.city || (!isEdge && population < LARGE)) return undefined
  return (population >= LARGE ? 5 : population >= MEDIUM ? 3.5 : 2) + length
}

function stateWeight(at: {
  code: string
  isVocabulary: boolean
  isAfterPreposition: boolean
  isEdge: boolean
  isLast: boolean
  isAlone: boolean
}): number | undefined {
  if (at.isVocabulary && at.code.length <= 2) return undefined
  if (at.code.length > 2) return at.isAfterPreposition || at.isEdge ? 5 : undefined
  return at.isLast || at.isAlone ? 2 : undefined
}

/** How many of the last words name a state, after a name. */
function stateWordsOf(places: PlaceNames, span: readonly string[]): number {
  for (let count = Math.min(3, span.length - 1); count > 0; count--) if (places.state(span.slice(-count))) return count
  return 0
}

/** The place whose misspelled name stands at the beginning or end of the phrase, or after a preposition. */
export function misspelledPlace(names: Names, words: readonly string[]): Mention | undefined {
  const { services, places, correct } = names
  for (let length = Math.min(MAX_MISSPELLED_WORDS + 1, words.length); length > 0; length--)
    for (let from = 0; from + length <= words.length; from++) {
      const span = words.slice(from, from + length)
      const stateWords = stateWordsOf(places, span)
      const name = span.slice(0, span.length - stateWords)
      if (PREPOSITIONS.has(name[0] ?? '') || name.some((word) => services.knows(word) && !services.isIgnored(word)))
        continue
      const before = prepositionBefore(words, from)
      const isOdd = (word: string) =>
        !services.knows(word) && (before !== undefined || stateWords > 0 || correct(word) === undefined)
      if (!name.some(isOdd) || name.length > MAX_MISSPELLED_WORDS) continue
      const isAlone = length === words.length
      const isEdge = from === 0 || from + length === words.length
      const isBare = before === undefined && stateWords === 0 && !isAlone
      if (isBare && !isEdge) continue
      const place = places.corrected(span)
      if (place)
        return withPreposition(words, {
          place,
          from,
          to: from + length,
          weight: stateWords > 0 ? 8 : 5,
          correctedFrom: span.join(' '),
          isBare,
        })
    }
  return undefined
}

/** The words at the end that are meant as a place and name none: "in Xyzville", "near Foo", "Foo TX". */
export function unknownPlace(
  { services, places, correct }: Names,
  words: readonly string[],
): { from: number; words: readonly string[] } | undefined {
  const isOdd = (word: string) => !services.knows(word) && correct(word) === undefined
  for (let at = words.length - 2; at >= 0; at--) {
    const rest = words.slice(at + 1)
    if (
      BEFORE_PLACES.has(words[at] ?? '') &&
      rest.some(isOdd) &&
      rest.every((word) => isOdd(word) || places.state([word]))
    )
      return { from: at, words: rest }
  }
  const [name = '', state = ''] = words.slice(-2)
  return words.length > 2 && isOdd(name) && places.state([state]) && !services.knows(state)
    ? { from: words.length - 2, words: [name, state] }
    : undefined
}
