// Reads what a search asks for: which service or category, and where. Unknown names become suggestions.
import { invalidField } from '../../../../errors/app-error.ts'
import type { CategoryRow, CityRow, ServiceRow, StateRow } from '../queries.ts'
import type { Place, Suggestions, Understood } from '../schemas.ts'
import { wordsOf } from '../words.ts'
import type { CatalogNames } from './names.ts'
import { parsePhrase, readPlace } from './phrases.ts'
import { namesFor } from './place-mentions.ts'
import { type KnownPlace, displayNameOf } from './known-place.ts'
import type { Correction, Offering } from './service-names.ts'

export interface SearchTerms {
  q?: string
  service?: string
  category?: string
  place?: string
  city?: string
  state?: string
  lat?: number
  lng?: number
}

/** What a search asks for; a part is absent when the search does not name it. */
export interface ReadTerms {
  offering?: Offering | undefined
  category?: CategoryRow | undefined
  cities?: readonly CityRow[] | undefined
  state?: StateRow | undefined
  place?: KnownPlace | undefined
  /** The surroundings of the place are meant. */
  isNear: boolean
  /** The search names something unknown, so nothing matches. */
  suggestions?: Suggestions | undefined
  /** How the words were read. */
  words: ReadWords
  understood?: Understood | undefined
}

/** The words that were not simply names: each list may be empty. */
interface ReadWords {
  corrected: readonly Correction[]
  ignored: readonly string[]
  notUnderstood: readonly string[]
  namesakes: readonly KnownPlace[]
}

const MAX_SUGGESTIONS = 5
const MAX_NAMESAKES = 10
/** Nothing depends on ignored words of this length: "in", "the". */
const SHORT = 3

/** Reads the names of a search. Throws validation_failed for parameters that contradict each other. */
export function readTerms(names: CatalogNames, terms: SearchTerms): ReadTerms {
  checkCombination(terms)
  const read = terms.q === undefined ? readNames(names, terms) : readPhrase(names, terms.q)
  return isInterpreted(terms, read) ? { ...read, understood: understoodIn(read) } : read
}

/** Whether more than exact names of the catalog had to be read. */
function isInterpreted({ q, place, service }: SearchTerms, { offering }: ReadTerms): boolean {
  if (q !== undefined || place !== undefined || offering?.category) return true
  const { id, slug, name = '' } = offering?.service ?? {}
  return service !== undefined && ![id, slug, name.toLowerCase()].includes(service.trim().toLowerCase())
}

function checkCombination(terms: SearchTerms): void {
  const refuse = (name: keyof SearchTerms, others: readonly (keyof SearchTerms)[]) => {
    const other = terms[name] === undefined ? undefined : others.find((it) => terms[it] !== undefined)
    if (other) throw invalidField(`query.${name}`, `cannot be combined with \`${other}\``)
  }
  refuse('q', ['service', 'category', 'place', 'city', 'state'])
  refuse('place', ['city', 'lat', 'lng'])
}

function readPhrase(names: CatalogNames, text: string): ReadTerms {
  const phrase = parsePhrase(namesFor(names.serviceNames, names.placeNames), text)
  const { service, place, isNear, corrected, unknownPlace } = phrase
  const suggestions = {
    ...(phrase.isAboutService && !service.offering && { service: refsOf(service.likely) }),
    ...(unknownPlace && { place: similarPlaces(names, unknownPlace) }),
  }
  return {
    offering: service.offering,
    place,
    isNear,
    words: {
      corrected,
      ignored: service.ignored,
      notUnderstood: [...service.notUnderstood, ...(unknownPlace ? [unknownPlace.join(' ')] : [])],
      namesakes: namesakesOf(names, place, text),
    },
    ...(Object.keys(suggestions).length > 0 && { suggestions }),
  }
}

/** The places of one name, unless the text has the state. */
const namesakesOf = (names: CatalogNames, place: KnownPlace | undefined, text: string): readonly KnownPlace[] =>
  place && !hasState(names, place, wordsOf(text)) ? names.placeNames.namesakes(place).slice(0, MAX_NAMESAKES) : []

function hasState(names: CatalogNames, { state }: KnownPlace, words: readonly string[]): boolean {
  const isNamed = (count: number) =>
    words.some((_, at) => names.placeNames.state(words.slice(at, at + count))?.code === state)
  return [1, 2, 3].some(isNamed)
}

function readNames(names: CatalogNames, terms: SearchTerms): ReadTerms {
  const { service: serviceText, category, place: placeText, city, state: stateText } = terms
  const state = stateText === undefined ? undefined : names.state(stateText)
  const cities = city === undefined ? undefined : names.cities(city, state)
  const service = serviceText === undefined ? undefined : names.serviceNames.readName(wordsOf(serviceText))
  const place =
    placeText === undefined ? undefined : readPlace(namesFor(names.serviceNames, names.placeNames), placeText, state)
  const unknownPlace =
    placeText !== undefined && !place
      ? placeText
      : cities?.length === 0
        ? city
        : stateText !== undefined && !state
          ? stateText
          : undefined
  const named = category === undefined ? undefined : names.category(category)
  const suggestions = {
    ...(service && !service.offering && { service: refsOf(service.likely) }),
    ...(category !== undefined && !named && { category: similarCategories(names, wordsOf(category)) }),
    ...(unknownPlace !== undefined && {
      place: similarPlaces(
        names,
        wordsOf(unknownPlace === stateText ? stateText : `${unknownPlace} ${state?.code ?? ''}`),
      ),
    }),
  }
  return {
    offering: service?.offering,
    category: named,
    place: place?.place,
    cities,
    state,
    isNear: place?.isNear ?? false,
    words: {
      corrected: [...(service?.offering ? service.corrected : []), ...(place?.corrected ?? [])],
      ignored: [...(service?.ignored ?? []), ...(place?.ignored ?? [])],
      notUnderstood: [...(service?.notUnderstood ?? []), ...(unknownPlace === undefined ? [] : [unknownPlace])],
      namesakes: state ? [] : namesakesOf(names, place?.place, placeText ?? ''),
    },
    ...(Object.keys(suggestions).length > 0 && { suggestions }),
  }
}

const ref = ({ id, name, slug }: CategoryRow | ServiceRow) => ({ id, name, slug })

/** How the terms were read, as the API shows it. */
export const understoodIn = ({ offering, place, words }: ReadTerms): Understood => {
  const ignored = words.ignored.filter((word) => word.length > SHORT || /\d/.test(word))
  return {
    service: offering?.service ? ref(offering.service) : null,
    category: offering?.category ? ref(offering.category) : null,
    place: place ? toPlace(place) : null,
    ...(words.corrected.length > 0 && { corrected: [...words.corrected] }),
    ...(ignored.length > 0 && { ignored }),
    ...(words.notUnderstood.length > 0 && { notUnderstood: [...words.notUnderstood] }),
    ...(words.namesakes.length > 0 && { namesakes: words.namesakes.map(toPlace) }),
  }
}

/** A place as the API shows it. */
export const toPlace = (place: KnownPlace): Place => {
  const { type, name, state, zipCode, coordinates, radiusMiles: radius } = place
  const shown = { type, name, state, displayName: displayNameOf(place), zipCode, coordinates }
  return radius === undefined ? shown : { ...shown, radius }
}

const refsOf = (offerings: readonly Offering[]) =>
  offerings.slice(0, MAX_SUGGESTIONS).map(({ service, category }) => ref(service ?? category))

const similarCategories = (names: CatalogNames, words: readonly string[]) => {
  const categories = names.serviceNames
    .resembling(words, 4 * MAX_SUGGESTIONS)
    .map(({ service, category }) => category ?? names.categories.find(({ id }) => id === service.categoryId))
  return [...new Set(categories)].flatMap((category) => (category ? [ref(category)] : [])).slice(0, MAX_SUGGESTIONS)
}

const similarPlaces = (names: CatalogNames, words: readonly string[]) =>
  names.placeNames.resembling(words, MAX_SUGGESTIONS).map(toPlace)
