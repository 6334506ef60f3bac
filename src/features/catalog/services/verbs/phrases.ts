// Reads a phrase as people type it, such as "plumbers austin tx", as a service and a place.
import { wordsOf } from '../words.ts'
import type { KnownPlace, PlaceNames } from './place-names.ts'
import { type Offering, type ServiceNames, meaningful } from './service-names.ts'

/** The parts of a phrase. `unknown` has the words of a part that is no known name. */
export interface Phrase {
  offering?: Offering
  place?: KnownPlace
  /** "Near" or "around" a place: its surroundings are meant, not only the place itself. */
  isNear: boolean
  unknown: { service?: readonly string[]; place?: readonly string[] }
}

/** The words before a place, and whether they mean its surroundings. */
const PREPOSITIONS = new Map(
  Object.entries({
    in: false,
    at: false,
    for: false,
    of: false,
    near: true,
    nearby: true,
    around: true,
    by: true,
    outside: true,
  }),
)
/** The caller's own place is not in the phrase. */
const HERE = /\b(near(by)?|around|close to) (me|here|by)\b|\bin my (area|city|town|neighborhood)\b/g
const LAST_WORDS = new Set(['please', 'now', 'today', 'tomorrow', 'asap', 'usa'])
/** Longer phrases are no names; each word costs a few look-ups. */
const MAX_WORDS = 16
/** The most words of an unknown place, where the parts of a phrase are guessed. */
const MAX_GUESSED = 3

interface Names {
  services: ServiceNames
  places: PlaceNames
}

/** Finds the split of a phrase where both parts are known names, the longest place first; the place may be last or first. */
export function parsePhrase(names: Names, text: string): Phrase {
  const words = wordsOf(wordsOf(text).join(' ').replace(HERE, ' ')).slice(0, MAX_WORDS)
  while (LAST_WORDS.has(words.at(-1) ?? '')) words.pop()
  const offering = names.services.find(words)
  if (offering) return { offering, isNear: false, unknown: {} }
  const place = names.places.named(words)
  if (place) return { place, isNear: false, unknown: {} }
  const splits = splitsOf(words)
  return (
    first(splits, (split) => bothKnown(names, split)) ??
    first(splits, (split) => placeKnown(names, split, ['city', 'zip'])) ??
    first(splits.toReversed(), (split) => serviceKnown(names, split)) ??
    first(splits, (split) => placeKnown(names, split, ['state'])) ??
    guess(names, words)
  )
}

interface Split {
  service: readonly string[]
  place: readonly string[]
  isNear: boolean
}

/** Every way to split the words: the place last or first, the longest place before shorter ones. */
function splitsOf(words: readonly string[]): Split[] {
  const splits: Split[] = []
  for (let length = words.length - 1; length > 0; length--)
    splits.push(
      splitAt(words.slice(0, -length), words.slice(-length)),
      splitAt(words.slice(length), words.slice(0, length)),
    )
  return splits.filter(({ service, place }) => service.length > 0 && place.length > 0)
}

function splitAt(service: readonly string[], place: readonly string[]): Split {
  const [before, start] = [PREPOSITIONS.get(service.at(-1) ?? ''), PREPOSITIONS.get(place[0] ?? '')]
  return {
    service: before === undefined ? service : service.slice(0, -1),
    place: start === undefined ? place : place.slice(1),
    isNear: before ?? start ?? false,
  }
}

function bothKnown({ services, places }: Names, { service, place: where, isNear }: Split): Phrase | undefined {
  const offering = services.find(service)
  const place = offering && places.named(where)
  return place && { offering, place, isNear, unknown: {} }
}

function placeKnown(
  { places }: Names,
  { service, place: where, isNear }: Split,
  types: readonly KnownPlace['type'][],
): Phrase | undefined {
  const place = places.named(where)
  if (!place || !types.includes(place.type)) return undefined
  return { place, isNear, unknown: meaningful(service).length === 0 ? {} : { service } }
}

function serviceKnown({ services }: Names, { service, place, isNear }: Split): Phrase | undefined {
  const offering = services.find(service)
  return offering && { offering, isNear, unknown: { place } }
}

/** The split whose parts resemble known names most, so that each gets its suggestions. */
function guess({ services, places }: Names, words: readonly string[]): Phrase {
  const similarity = (part: 'service' | 'place', some: readonly string[]) =>
    (part === 'service' ? services : places).resembling(some, 1)[0]?.similarity ?? 0
  const splits = splitsOf(words).filter(({ place }) => place.length <= MAX_GUESSED)
  const ways: { unknown: Phrase['unknown']; score: number }[] = [
    { unknown: { service: words }, score: similarity('service', words) },
    { unknown: { place: words }, score: similarity('place', words) },
    ...splits.map(({ service, place }) => ({
      unknown: { service, place },
      score: (similarity('service', service) + similarity('place', place)) * 0.6,
    })),
  ]
  const [best] = ways.toSorted((one, other) => other.score - one.score)
  return { isNear: false, unknown: best?.unknown ?? {} }
}

function first<T, U>(items: readonly T[], find: (item: T) => U | undefined): U | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
