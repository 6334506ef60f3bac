// Public reads of pros: search, detail, public profile, sitemaps.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { getCatalogNames } from '../catalog/verbs/names.ts'
import type { KnownPlace } from '../catalog/verbs/place-names.ts'
import { type ReadTerms, readTerms } from '../catalog/verbs/search-terms.ts'
import { pageMeta, pageOf } from '../../platform/schema/paging.ts'
import { idOrSlug } from '../../platform/schema/id-or-slug.ts'
import { DEFAULT_RADIUS_MILES, type ProsQuery, type SearchMeta } from './schemas.ts'
import { findLastSlot, findProfessionalDetail, findPublicProfile, selectSlugs } from './queries/pros.ts'
import { type SearchPage, type SearchQuery, searchPros } from './queries/search.ts'

/**
 * One page of pros as JSON text (ProfessionalsPage). With a point: within the radius, nearest first. With a city and an
 * explicit radius: around the city's center. Otherwise: best rated first. An unknown name gives an empty page with
 * suggestions. Throws validation_failed for parameters that contradict each other.
 */
export async function findPros(deps: Deps, query: ProsQuery): Promise<string> {
  const terms = readTerms(await getCatalogNames(deps), query)
  const { limit, offset } = pageOf(query)
  const search = (place: Place): Promise<SearchPage> =>
    searchPros(deps.replicas, {
      ...toFacets(terms),
      ...place,
      verified: query.verified,
      instantBook: query.instantBook,
      limit,
      offset,
      baseUrl: deps.config.baseUrl,
    })
  const place = toPlace(terms, query)
  const found = terms.suggestions ? NO_PROS : await searchTown(search, place, terms.place)
  const { understood, suggestions } = terms
  const meta: SearchMeta = {
    ...pageMeta(found.total, query),
    ...(understood && { understood }),
    ...(suggestions && { suggestions }),
  }
  return `{"professionals":${found.professionals},"meta":${JSON.stringify(meta)}}`
}

/** A town without a pro is served from its surroundings. */
async function searchTown(search: (place: Place) => Promise<SearchPage>, place: Place, named: KnownPlace | undefined) {
  const found = await search(place)
  return found.total === 0 && named?.city && !place.point ? await search(around(named.city, place.radiusMiles)) : found
}

const NO_PROS: SearchPage = { total: 0, professionals: '[]' }

/** A pro as JSON text (ProfessionalDetail). Throws professional_not_found. */
export async function getPro({ replicas }: Deps, pro: string): Promise<string> {
  const body = await findProfessionalDetail(replicas, idOrSlug(pro))
  if (body === undefined) throw new AppError('professional_not_found', 'No pro has this id or slug.')
  return body
}

/** The data of a pro's public page as JSON text (PublicProfile). Throws professional_not_found. */
export async function getPublicProfile({ replicas, config }: Deps, pro: string): Promise<string> {
  const key = idOrSlug(pro)
  const [detail, extra] = await Promise.all([
    findProfessionalDetail(replicas, key),
    findPublicProfile(replicas, key, config.baseUrl),
  ])
  if (detail === undefined || extra === undefined)
    throw new AppError('professional_not_found', 'No pro has this id or slug.')
  return `${detail.slice(0, -1)},${extra.slice(1)}`
}

/** Half of what the sitemap protocol allows, which keeps a sitemap under 4 MB. */
const SITEMAP_SIZE = 25_000

/** The number of sitemaps. */
export async function countSitemaps({ replicas }: Deps): Promise<number> {
  return Math.ceil((await findLastSlot(replicas)) / SITEMAP_SIZE)
}

/** The pro slugs of one sitemap; empty past the last one. A sitemap is a range of slots, so each costs the same. */
export const listSlugs = ({ replicas }: Deps, part: number): Promise<string[]> =>
  selectSlugs(replicas, part * SITEMAP_SIZE + 1, (part + 1) * SITEMAP_SIZE)

type Place = Pick<SearchQuery, 'cityIds' | 'state' | 'point' | 'radiusMiles'>

function toFacets({ offering, category }: ReadTerms): Pick<SearchQuery, 'facet' | 'secondFacet'> {
  const asked = offering?.service ?? offering?.category
  if (!asked) return { facet: category?.ordinal ?? 0 }
  // The service's own category adds nothing; another category asks for pros who do both.
  const own = offering?.service?.categoryId ?? asked.id
  return { facet: asked.ordinal, secondFacet: category && category.id !== own ? category.ordinal : undefined }
}

function toPlace({ place, isNear, cities, state }: ReadTerms, query: ProsQuery): Place {
  const point = pointOf(query)
  const radiusMiles = query.radius ?? DEFAULT_RADIUS_MILES
  if (place) return inPlace(place, isNear || query.radius !== undefined, radiusMiles, state)
  const [largest] = cities ?? []
  if (largest && !point && query.radius !== undefined) return around(largest, radiusMiles)
  return { point, radiusMiles, ...(cities ? { cityIds: cities.map(({ id }) => id) } : { state: state?.ordinal }) }
}

/** A city means its pros, or its surroundings; a ZIP code its surroundings. */
function inPlace(
  { city, coordinates, wholeState }: KnownPlace,
  isNear: boolean,
  radiusMiles: number,
  state: ReadTerms['state'],
): Place {
  if (city && !isNear) return { cityIds: [city.id], radiusMiles }
  return coordinates
    ? { ...around(coordinates, radiusMiles), state: city ? undefined : state?.ordinal }
    : { state: wholeState?.ordinal, radiusMiles }
}

const around = ({ latitude, longitude }: { latitude: number; longitude: number }, radiusMiles: number): Place => ({
  point: { lat: latitude, lng: longitude },
  radiusMiles,
})

function pointOf({ lat, lng }: ProsQuery): SearchQuery['point'] {
  if (lat === undefined && lng === undefined) return undefined
  if (lat === undefined) throw invalidField('query.lat', 'is required with `lng`')
  if (lng === undefined) throw invalidField('query.lng', 'is required with `lat`')
  return { lat, lng }
}
