// Reads what a search asks for: which service or category, and where. Unknown names become suggestions.
import { invalidField } from '../../../../errors/app-error.ts'
import type { CategoryRow, CityRow, ServiceRow, StateRow } from '../queries.ts'
import type { Place, Suggestions, Understood } from '../schemas.ts'
import { wordsOf } from '../words.ts'
import type { CatalogNames } from './names.ts'
import { parsePhrase } from './phrases.ts'
import { type KnownPlace, displayNameOf } from './place-names.ts'
import type { Offering } from './service-names.ts'

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
  understood?: Understood | undefined
}

const MAX_SUGGESTIONS = 5

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
  return offering !== undefined && ![id, slug, name.toLowerCase()].includes(service?.trim().toLowerCase())
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
  const { offering, place, isNear, unknown } = parsePhrase(
    { services: names.serviceNames, places: names.placeNames },
    text,
  )
  const suggestions = {
    ...(unknown.service && { service: similarOfferings(names, unknown.service) }),
    ...(unknown.place && { place: similarPlaces(names, unknown.place) }),
  }
  const isKnown = Object.keys(suggestions).length === 0 && (offering !== undefined || place !== undefined)
  return { offering, place, isNear, ...(isKnown ? {} : { suggestions }) }
}

function readNames(names: CatalogNames, terms: SearchTerms): ReadTerms {
  const { service, category, place, city, state: stateText } = terms
  const state = stateText === undefined ? undefined : names.state(stateText)
  const cities = city === undefined ? undefined : names.cities(city, state)
  const read = {
    offering: service === undefined ? undefined : names.offering(service),
    category: category === undefined ? undefined : names.category(category),
    place: place === undefined ? undefined : names.place(place, state),
    cities,
    state,
    isNear: false,
  }
  const unknownPlace =
    place !== undefined && !read.place
      ? place
      : cities?.length === 0
        ? city
        : stateText !== undefined && !state
          ? stateText
          : undefined
  const suggestions = {
    ...(service !== undefined && !read.offering && { service: similarOfferings(names, wordsOf(service)) }),
    ...(category !== undefined && !read.category && { category: similarCategories(names, wordsOf(category)) }),
    ...(unknownPlace !== undefined && {
      place: similarPlaces(
        names,
        wordsOf(unknownPlace === stateText ? stateText : `${unknownPlace} ${state?.code ?? ''}`),
      ),
    }),
  }
  return { ...read, ...(Object.keys(suggestions).length > 0 && { suggestions }) }
}

const ref = ({ id, name, slug }: CategoryRow | ServiceRow) => ({ id, name, slug })

/** How the terms were read, as the API shows it. */
export const understoodIn = ({ offering, place }: ReadTerms): Understood => ({
  service: offering?.service ? ref(offering.service) : null,
  category: offering?.category ? ref(offering.category) : null,
  place: place ? toPlace(place) : null,
})

/** A place as the API shows it. */
export const toPlace = (place: KnownPlace): Place => {
  const { type, name, state, zipCode, coordinates } = place
  return { type, name, state, displayName: displayNameOf(place), zipCode, coordinates }
}

const similarOfferings = (names: CatalogNames, words: readonly string[]) =>
  names.serviceNames
    .resembling(words, MAX_SUGGESTIONS)
    .map(({ offering }) => ref(offering.service ?? offering.category))

const similarCategories = (names: CatalogNames, words: readonly string[]) => {
  const offerings = names.serviceNames.resembling(words, 4 * MAX_SUGGESTIONS).map(({ offering }) => offering)
  const categories = offerings.map(
    ({ service, category }) => category ?? names.categories.find(({ id }) => id === service.categoryId),
  )
  return [...new Set(categories)].flatMap((category) => (category ? [ref(category)] : [])).slice(0, MAX_SUGGESTIONS)
}

const similarPlaces = (names: CatalogNames, words: readonly string[]) =>
  names.placeNames.resembling(words, MAX_SUGGESTIONS).map(({ place }) => toPlace(place))
