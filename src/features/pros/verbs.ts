// Pros: searched, and shown one by one.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { type Names, namesOf } from '../catalog/verbs/names.ts'
import { pageMeta, pageOf } from '../../platform/schema/paging.ts'
import { idOrSlug } from '../../platform/schema/id-or-slug.ts'
import { DEFAULT_RADIUS_MILES, type ProsQuery } from './schemas.ts'
import { findLastSlot, findProfessionalDetail, findPublicProfile, selectSlugs } from './queries/pros.ts'
import { type SearchPage, type SearchQuery, searchPros } from './queries/search.ts'

/**
 * One page of pros as JSON text (ProfessionalsPage). With a point: within the radius, nearest first. With a city and an
 * explicit radius: around the city's centre. Otherwise the best rated first. A name that nothing has gives an empty page.
 * Throws validation_failed for half a point.
 */
export async function findPros(deps: Deps, query: ProsQuery): Promise<string> {
  const search = toSearch(await namesOf(deps)(), query)
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

/** All that a pro's page shows, as JSON text (PublicProfile). Throws professional_not_found. */
export async function getPublicProfile({ read, config }: Deps, pro: string): Promise<string> {
  const named = idOrSlug(pro)
  const [detail, more] = await Promise.all([
    findProfessionalDetail(read, named),
    findPublicProfile(read, named, config.baseUrl),
  ])
  if (detail === undefined || more === undefined)
    throw new AppError('professional_not_found', 'No pro has this id or slug.')
  return `${detail.slice(0, -1)},${more.slice(1)}`
}

/** Half of what the protocol allows, so that a part stays under 4 MB. */
const SITEMAP_SIZE = 25_000

/** How many parts there are. */
export async function countSitemaps({ read }: Deps): Promise<number> {
  return Math.ceil((await findLastSlot(read)) / SITEMAP_SIZE)
}

/** The slugs of the pros of a part; none beyond the last. A part is a range of slots, so it costs the same wherever it lies. */
export const listSlugs = ({ read }: Deps, part: number): Promise<string[]> =>
  selectSlugs(read, part * SITEMAP_SIZE + 1, (part + 1) * SITEMAP_SIZE)

type Search = Omit<SearchQuery, 'limit' | 'offset' | 'baseUrl'>

/** The query with its names resolved, or undefined where one of them names nothing. */
function toSearch(names: Names, query: ProsQuery): Search | undefined {
  const what = whatIsSearched(names, query)
  const where = whereIsSearched(names, query)
  if (!what || !where) return undefined
  return { ...what, ...where, verified: query.verified, instantBook: query.instantBook }
}

function whatIsSearched(names: Names, query: ProsQuery): Pick<Search, 'facet' | 'also'> | undefined {
  const service = query.service === undefined ? undefined : names.service(query.service)
  const category = query.category === undefined ? undefined : names.category(query.category)
  if ((query.service !== undefined && !service) || (query.category !== undefined && !category)) return undefined
  if (!service) return { facet: category?.ordinal ?? 0 }
  // A service's own category says nothing more; another one asks for pros who do both.
  const also = category && category.id !== service.categoryId ? category.ordinal : undefined
  return { facet: service.ordinal, also }
}

type Place = Pick<Search, 'cityIds' | 'state' | 'point' | 'radiusMiles'>

function whereIsSearched(names: Names, query: ProsQuery): Place | undefined {
  const point = pointOf(query)
  const state = query.state === undefined ? undefined : names.state(query.state)
  if (query.state !== undefined && !state) return undefined
  const radiusMiles = query.radius ?? DEFAULT_RADIUS_MILES
  if (query.city === undefined) return { point, radiusMiles, state: state?.ordinal }
  const cities = names.cities(query.city, state)
  const [centre] = cities
  if (!centre) return undefined
  if (!point && query.radius !== undefined)
    return { point: { lat: centre.latitude, lng: centre.longitude }, radiusMiles }
  return { point, radiusMiles, cityIds: cities.map(({ id }) => id) }
}

function pointOf({ lat, lng }: ProsQuery): Search['point'] {
  if (lat === undefined && lng === undefined) return undefined
  if (lat === undefined) throw invalidField('query.lat', 'is required with `lng`')
  if (lng === undefined) throw invalidField('query.lng', 'is required with `lat`')
  return { lat, lng }
}
