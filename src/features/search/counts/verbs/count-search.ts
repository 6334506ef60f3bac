// Counts one search, by what it asked for and how many pros it found.
import type { Ctx } from '../../../../ctx.ts'
import { cityOfPlace, nearestCity } from '../../../catalog/services/verbs/city-of-place.ts'
import { displayNameOf } from '../../../catalog/services/verbs/known-place.ts'
import type { CatalogNames } from '../../../catalog/services/verbs/names.ts'
import type { ReadTerms, SearchTerms } from '../../../catalog/services/verbs/search-terms.ts'
import { type Asked, missOf } from '../rules/missed-words.ts'
import { type SearchWay, searchCountsOf } from './counts.ts'

export interface CountedSearch {
  readonly way: SearchWay
  readonly names: CatalogNames
  readonly query: SearchTerms & { readonly offset?: number }
  readonly terms: ReadTerms
  /** How many pros were found. */
  readonly total: number
  /** Whether it asked for more than a service and a place, such as a price or a day: then that may be why no pro was found. */
  readonly isLimited: boolean
}

/** Counts the first page of a search that names a service or a place. Runs no statement. */
export function countSearch(ctx: Ctx, { way, names, query, terms, total, isLimited }: CountedSearch): void {
  const subject = subjectOf(query, terms)
  if ((query.offset ?? 0) > 0 || (!subject && !namesPlace(query, terms))) return
  // Which city is nearest to a point is looked up only for a miss: most searches find pros.
  const miss = total === 0 && !isLimited ? missOf({ subject, place: placeOf(names, query, terms) }) : undefined
  searchCountsOf(ctx).record({ way, miss })
}

const namesPlace = ({ lat, lng }: SearchTerms, { suggestions, place, cities, state }: ReadTerms): boolean =>
  suggestions?.place !== undefined ||
  place !== undefined ||
  (lat !== undefined && lng !== undefined) ||
  (cities?.length ?? 0) > 0 ||
  state !== undefined

function subjectOf({ q, service, category: typed }: SearchTerms, terms: ReadTerms): Asked {
  const { suggestions, offering, category, words } = terms
  if (suggestions?.service === undefined && suggestions?.category === undefined) {
    const named = offering?.service ?? offering?.category ?? category
    return named && { named: named.name }
  }
  // The words of an unknown place come last.
  const unknown = suggestions.place === undefined ? words.notUnderstood : words.notUnderstood.slice(0, -1)
  return { typed: service ?? typed ?? (unknown.length > 0 ? unknown.join(' ') : (q ?? '')) }
}

function placeOf(
  names: CatalogNames,
  query: SearchTerms,
  { suggestions, place, cities, state, words }: ReadTerms,
): Asked {
  if (suggestions?.place !== undefined)
    return { typed: query.place ?? query.city ?? query.state ?? words.notUnderstood.at(-1) ?? '' }
  const { lat, lng } = query
  const city = place
    ? cityOfPlace(names, place)
    : lat !== undefined && lng !== undefined
      ? nearestCity(names.allCities, { latitude: lat, longitude: lng })
      : cities?.[0]
  if (city) return { named: `${city.name}, ${city.state}` }
  if (place) return { named: displayNameOf(place) }
  return state && { named: state.name }
}
