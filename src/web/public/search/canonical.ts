// The one address of each search for search engines, and which searches they index.
import { citySlug } from '../../../features/catalog/services/words.ts'
import type { FoundPros } from '../../../features/search/pros/verbs/search.ts'
import { cityPath } from '../trails.ts'
import { isKnown } from './nothing-found.tsx'
import { type Search, countFilters, isHere } from './query.ts'

export interface Canonical {
  /** The path, with the query. Equal for searches that find the same, however they are written. */
  readonly path: string
  readonly isIndexed: boolean
}

/**
 * A service in a city has its own page. A service or trade everywhere is indexed at its own address. What depends on the visitor
 * is not: filters, an order, a later page, where the visitor is, unknown words, and a place without a service.
 */
export function canonicalOf(search: Search, found: FoundPros): Canonical {
  const { understood } = found.meta
  const { service, category, place } = understood ?? { service: null, category: null, place: null }
  const subject = service?.slug ?? category?.slug
  const isPlain =
    isKnown(found) && !isHere(search) && countFilters(search) === 0 && search.sort === 'usual' && search.offset === 0
  if (subject === undefined || !isKnown(found)) return { path: '/', isIndexed: false }
  if (service && place?.type === 'city' && citySlug(place) !== '')
    return { path: cityPath(service, place), isIndexed: isPlain && found.meta.total > 0 }
  const query = new URLSearchParams({ service: subject, ...(place && { place: place.displayName }) })
  return { path: `/?${query.toString()}`, isIndexed: isPlain && !place && found.meta.total > 0 }
}
