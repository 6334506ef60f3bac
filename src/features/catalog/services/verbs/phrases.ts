// Reads a phrase as people type it, such as "plumbers austin tx", as a service and a place.
import { wordsOf } from '../words.ts'
import { type Mention, type Names, mentionsIn, misspelledPlace, unknownPlace } from './place-mentions.ts'
import type { StateRow } from '../queries.ts'
import { type KnownPlace, displayNameOf } from './known-place.ts'
import type { Correction, ReadService } from './service-names.ts'

/** The parts of a phrase. */
export interface Phrase {
  service: ReadService
  /** Some words are about a service, known or unknown, or nothing at all was understood. */
  isAboutService: boolean
  place?: KnownPlace | undefined
  /** "Near" or "around" a place: its surroundings are meant, not only the place itself. */
  isNear: boolean
  corrected: readonly Correction[]
  /** The words of a place that is unknown. */
  unknownPlace?: readonly string[] | undefined
}

/** Longer phrases are stories; the first words say most. */
const MAX_WORDS = 24
/** What an unexplained word takes from a reading. */
const UNKNOWN_WEIGHT = 0.8

/** Chooses the reading that explains most: each way to take some words as a place and the others as a service. */
export function parsePhrase(names: Names, text: string): Phrase {
  const words = wordsOf(text).slice(0, MAX_WORDS)
  // A name of the catalog is no place: "Mason" and "Handyman".
  if (names.services.isExact(words)) return phraseOf(readingOf(names, words, undefined))
  const readings = [undefined, ...mentionsIn(names, words)].map((mention) => readingOf(names, words, mention))
  const best = bestOf(readings)
  if (best.service.unknown.length + best.service.corrected.length === 0) return phraseOf(best)
  const misspelled = misspelledPlace(names, words)
  const corrected = misspelled && readingOf(names, words, misspelled)
  // Beside an unknown service, an unknown word is as likely a part of it.
  const isLikely = corrected && (!misspelled.isBare || corrected.service.offering !== undefined)
  const better = isLikely ? bestOf([best, corrected]) : best
  const unknown = better.mention ? undefined : unknownPlace(names, words)
  if (!unknown) return phraseOf(better)
  return { ...phraseOf(readingOf(names, words.slice(0, unknown.from), undefined)), unknownPlace: unknown.words }
}

/** The first of the heaviest. */
const bestOf = (readings: readonly Reading[]): Reading =>
  readings.reduce((one, other) => (other.weight > one.weight ? other : one))

interface Reading {
  weight: number
  service: ReadService
  mention: Mention | undefined
}

function readingOf({ services, correct }: Names, words: readonly string[], mention: Mention | undefined): Reading {
  const others = mention ? [...words.slice(0, mention.from), ...words.slice(mention.to)] : words
  const service = services.read(others, { correct })
  const weight =
    service.score + (mention?.weight ?? 0) - UNKNOWN_WEIGHT * (service.unknown.length + service.corrected.length)
  return { weight, service, mention }
}

function phraseOf({ service, mention }: Reading): Phrase {
  const { place, isNear = false, correctedFrom } = mention ?? {}
  return {
    service,
    isAboutService: service.offering !== undefined || service.unknown.length > 0 || !place,
    place,
    isNear,
    corrected: [
      ...(service.offering ? service.corrected : []),
      ...(place && correctedFrom !== undefined ? [{ typed: correctedFrom, read: displayNameOf(place) }] : []),
    ],
  }
}

/** Reads a text that should be a place: its name, a misspelled name, or a name among words that say nothing. */
export function readPlace(
  names: Names,
  text: string,
  state: StateRow | undefined,
): (Pick<Phrase, 'isNear' | 'corrected'> & { place: KnownPlace; ignored: readonly string[] }) | undefined {
  const exact = names.places.place(text, state)
  if (exact) return { place: exact, isNear: false, corrected: [], ignored: [] }
  const words = wordsOf(text).slice(0, MAX_WORDS)
  const restOf = ({ from, to }: Mention) => [...words.slice(0, from), ...words.slice(to)]
  const isOnly = (mention: Mention) => restOf(mention).every((word) => names.services.isIgnored(word))
  const [mention] = mentionsIn(names, words)
    .filter((it) => isOnly(it) && (!state || it.place.state === state.code))
    .toSorted((one, other) => other.weight - one.weight)
  if (mention) return { place: mention.place, isNear: mention.isNear, corrected: [], ignored: restOf(mention) }
  const place = names.places.corrected(words, state)
  return (
    place && { place, isNear: false, corrected: [{ typed: words.join(' '), read: displayNameOf(place) }], ignored: [] }
  )
}
