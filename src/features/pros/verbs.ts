// Public reads of pros: search, detail, public profile, sitemaps.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { type CatalogNames, getCatalogNames } from '../catalog/verbs/names.ts'
import { pageMeta, pageOf } from '../../platform/schema/paging.ts'
import { idOrSlug } from '../../platform/schema/id-or-slug.ts'
import { DEFAULT_RADIUS_MILES, type ProsQuery } from './schemas.ts'
import { findLastSlot, findProfessionalDetail, findPublicProfile, selectSlugs } from './queries/pros.ts'
import { type SearchPage, type SearchQuery, searchPros } from './queries/search.ts'

/**
 * One page of pros as JSON text (ProfessionalsPage). With a point: within the radius, nearest first. With a city and an
 * explicit radius: around the city's center. Otherwise: best rated first. An unknown name gives an empty page.
 * Throws validation_failed when only one of `lat` and `lng` is given.
 */
export async function findPros(deps: Deps, query: ProsQuery): Promise<string> {
  const search = toSearch(await getCatalogNames(deps), query)
  const { limit, offset } = pageOf(query)
  const { total, professionals }: SearchPage = search
    ? await searchPros(deps.read, { ...search, limit, offset, baseUrl: deps.config.baseUrl })
    : { total: 0, professionals: '[]' }
  return `{"professionals":${professionals},"meta":${JSON.stringify(pageMeta(total, query))}}`
}

/** A pro as JSON text (ProfessionalDetail). Throws professional_not_found. */
export async function getPro({ read }: Deps, pro: string): Promise<string> {
  const body = await findProfessionalDetail(read, idOrSlug(pro))
  if (body === undefined) throw new AppError('professional_not_found', 'No pro has this id or slug.')
  return body
}

/** The data of a pro's public page as JSON text (PublicProfile). Throws professional_not_found. */
export async function getPublicProfile({ read, config }: Deps, pro: string): Promise<string> {
  const key = idOrSlug(pro)
  const [detail, extra] = await Promise.all([
    findProfessionalDetail(read, key),
    findPublicProfile(read, key, config.baseUrl),
  ])
  if (detail === undefined || extra === undefined)
    throw new AppError('professional_not_found', 'No pro has this id or slug.')
  return `${detail.slice(0, -1)},${extra.slice(1)}`
}

/** Half of what the sitemap protocol allows, which keeps a sitemap under 4 MB. */
const SITEMAP_SIZE = 25_000

/** The number of sitemaps. */
export async function countSitemaps({ read }: Deps): Promise<number> {
  return Math.ceil((await findLastSlot(read)) / SITEMAP_SIZE)
}

/** The pro slugs of one sitemap; empty past the last one. A sitemap is a range of slots, so each costs the same. */
export const listSlugs = ({ read }: Deps, part: number): Promise<string[]> =>
  selectSlugs(read, part * SITEMAP_SIZE + 1, (part + 1) * SITEMAP_SIZE)

type Search = Omit<SearchQuery, 'limit' | 'offset' | 'baseUrl'>

/** Resolves the names of a query; undefined when a name is unknown. */
function toSearch(names: CatalogNames, query: ProsQuery): Search | undefined {
  const facets = toFacets(names, query)
  const place = toPlace(names, query)
  if (!facets || !place) return undefined
  return { ...facets, ...place, verified: query.verified, instantBook: query.instantBook }
}

function toFacets(names: CatalogNames, query: ProsQuery): Pick<Search, 'facet' | 'secondFacet'> | undefined {
  const service = query.service === undefined ? undefined : names.service(query.service)
  const category = query.category === undefined ? undefined : names.category(query.category)
  if ((query.service !== undefined && !service) || (query.category !== undefined && !category)) return undefined
  if (!service) return { facet: category?.ordinal ?? 0 }
  // The service's own category adds nothing; another category asks for pros who do both.
  const secondFacet = category && category.id !== service.categoryId ? category.ordinal : undefined
  return { facet: service.ordinal, secondFacet }
}

type Place = Pick<Search, 'cityIds' | 'state' | 'point' | 'radiusMiles'>

function toPlace(names: CatalogNames, query: ProsQuery): Place | undefined {
  const point = pointOf(query)
  const state = query.state === undefined ? undefined : names.state(query.state)
  if (query.state !== undefined && !state) return undefined
  const radiusMiles = query.radius ?? DEFAULT_RADIUS_MILES
  if (query.city === undefined) return { point, radiusMiles, state: state?.ordinal }
  const cities = names.cities(query.city, state)
  const [largest] = cities
  if (!largest) return undefined
  if (!point && query.radius !== undefined)
    return { point: { lat: largest.latitude, lng: largest.longitude }, radiusMiles }
  return { point, radiusMiles, cityIds: cities.map(({ id }) => id) }
}

function pointOf({ lat, lng }: ProsQuery): Search['point'] {
  if (lat === undefined && lng === undefined) return undefined
  if (lat === undefined) throw invalidField('query.lat', 'is required with `lng`')
  if (lng === undefined) throw invalidField('query.lng', 'is required with `lat`')
  return { lat, lng }
}
