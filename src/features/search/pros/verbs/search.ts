// The search for pros, as GET /pros offers it.
import { PUBLIC, type Viewer, testAccountOf } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { getCatalogNames } from '../../../catalog/services/verbs/names.ts'
import type { KnownPlace } from '../../../catalog/services/verbs/known-place.ts'
import { type ReadTerms, readTerms, understoodIn } from '../../../catalog/services/verbs/search-terms.ts'
import { pageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import { requireComingDates } from '../../../booking/bookings/rules/bookable.ts'
import { takesPayments } from '../../../../payments/open-provider.ts'
import { getDefaults } from '../../../upkeep/marketplace/verbs.ts'
import { asBookable } from './online-offers.ts'
import type { SearchWay } from '../../counts/verbs/counts.ts'
import { countSearch } from '../../counts/verbs/count-search.ts'
import { DEFAULT_RADIUS_MILES, type Professional, type ProsQuery, type SearchMeta } from '../schemas.ts'
import {
  MAX_CANDIDATES,
  MAX_TIMED,
  type OpenTime,
  type SearchOrder,
  searchNarrowed,
} from '../queries/narrowed-search.ts'
import { type SearchPage, type SearchQuery, searchPros } from '../queries/search.ts'

/**
 * One page of pros as JSON text (ProfessionalsPage). With a point: within the radius, nearest first. With a city and an
 * explicit radius: around the city's center. Otherwise: best rated first. An unknown name gives an empty page with
 * suggestions. The API's own radius is 25 miles; pages and tools give that of the marketplace. With a test key: its test pros,
 * whatever the place. Throws validation_failed for parameters that contradict each other.
 */
export async function findPros(
  ctx: Ctx<Viewer>,
  { usualRadius = DEFAULT_RADIUS_MILES, countedAs: way, ...query }: ProsQuery & UsualRadius & Counted,
): Promise<string> {
  const names = await getCatalogNames(ctx)
  const terms = readTerms(names, query)
  const testAccountId = testAccountOf(ctx.actor)
  const found = await searchTerms(ctx, terms, { ...query, usualRadius }, (search) =>
    searchPros(ctx, { ...search, testAccountId }),
  )
  if (way && testAccountId === null)
    countSearch(ctx, { way, names, query, terms, total: found.total, isLimited: hasFilter(query, usualRadius) })
  const professionals = takesPayments(ctx.config, testAccountId)
    ? found.professionals
    : // SQL builds the JSON after the schema of this type.
      JSON.stringify(await asBookable(ctx, { pros: JSON.parse(found.professionals) as Professional[] }))
  return `{"professionals":${professionals},"meta":${JSON.stringify(metaOf(terms, found.total, query))}}`
}

/** How many miles around a point are searched, where the search does not say it. */
interface UsualRadius {
  usualRadius?: number
}

/** How a search that a person asked for is counted; others, such as those of a page with the pros of a city, are not. */
interface Counted {
  countedAs?: SearchWay | undefined
}

/** What a search with limits and an order of its own asks for, besides the terms of {@link findPros}. */
export interface Narrowing {
  /** Of the service in dollars; without a service it has no effect. */
  maxPrice?: number | undefined
  minRating?: number | undefined
  /** Only pros with an open time in the next seven days. */
  hasTimeThisWeek?: boolean | undefined
  /** Only pros with an open time on this date, from this time of day on, before this one; see {@link NarrowedSearch}. */
  opensOn?: string | undefined
  opensFrom?: string | undefined
  opensUntil?: string | undefined
  order?: SearchOrder | undefined
}

export interface FoundPros {
  professionals: readonly Professional[]
  /** Always includes how the terms were read. */
  meta: SearchMeta
  /**
   * The number of compared pros, if only the nearest or best rated ones were compared and sorted. `total` then counts the
   * matches among them.
   */
  comparedOnly?: number | undefined
  /** The first open time of each pro, by id, where times were asked for. */
  openTimes: Readonly<Record<string, OpenTime>>
}

/** With the radius of a search that does not say it. */
export type NarrowedPros = FoundPros & { readonly usualRadius: number }

const WEEK_MS = 7 * 86_400_000

/**
 * Finds pros as {@link findPros} does, with the radius of the marketplace; with limits or another order, among the nearest or best rated candidates. Throws
 * validation_failed for a date that is past everywhere.
 */
export async function findNarrowedPros(
  ctx: Ctx,
  { query, narrowing, countedAs: way }: { query: ProsQuery; narrowing: Narrowing } & Counted,
): Promise<NarrowedPros> {
  const { maxPrice, minRating, hasTimeThisWeek, opensOn, opensFrom, opensUntil, order = 'usual' } = narrowing
  if (opensOn !== undefined) requireComingDates(ctx.clock.now(), 'query.date', { first: opensOn })
  const isTimed = [hasTimeThisWeek || undefined, opensOn, opensFrom, opensUntil].some((limit) => limit !== undefined)
  const names = await getCatalogNames(ctx)
  const terms = readTerms(names, query)
  const isLimited = (maxPrice !== undefined && terms.offering?.service) || minRating !== undefined || isTimed
  const now = ctx.clock.now()
  let comparedOnly: number | undefined
  let openTimes: FoundPros['openTimes'] = {}
  const { radiusMiles: usualRadius } = await getDefaults(ctx)
  const found = await searchTerms(ctx, terms, { ...query, usualRadius }, async (search) => {
    // Without a point, the usual order is by rating.
    const isUsual = order === 'usual' || (!search.point && (order === 'rating' || order === 'best'))
    if (isUsual && !isLimited) return await searchPros(ctx, search)
    const page = await searchNarrowed(ctx, {
      ...search,
      maxPriceCents: maxPrice === undefined || !terms.offering?.service ? undefined : Math.round(maxPrice * 100),
      minRating,
      opensBefore: hasTimeThisWeek ? new Date(now.getTime() + WEEK_MS) : undefined,
      opensOn,
      opensFrom,
      opensUntil,
      order,
      now,
    })
    comparedOnly = page.isPartial ? (isTimed || order === 'time' ? MAX_TIMED : MAX_CANDIDATES) : undefined
    openTimes = { ...openTimes, ...page.openTimes }
    return page
  })
  if (way)
    countSearch(ctx, {
      way,
      names,
      query,
      terms,
      total: found.total,
      isLimited: Boolean(isLimited) || hasFilter(query, usualRadius),
    })
  return {
    // SQL builds the JSON after the schema of this type.
    professionals: await asBookable(ctx.as(PUBLIC), { pros: JSON.parse(found.professionals) as Professional[] }),
    meta: { ...metaOf(terms, found.total, query), understood: understoodIn(terms) },
    comparedOnly,
    openTimes,
    usualRadius,
  }
}

/** Whether the query leaves out pros who offer what it names where it names. */
const hasFilter = ({ verified, instantBook, radius }: ProsQuery, usualRadius: number): boolean =>
  verified !== undefined || instantBook !== undefined || (radius !== undefined && radius < usualRadius)

/** Searches for the terms. For a town without a match it searches the surroundings. */
async function searchTerms(
  ctx: Ctx,
  terms: ReadTerms,
  query: ProsQuery & Required<UsualRadius>,
  run: (search: SearchQuery) => Promise<SearchPage>,
): Promise<SearchPage> {
  const place = toPlace(terms, query)
  if (terms.suggestions) return NO_PROS
  const { limit, offset } = pageOf(query)
  const search = (place: Place): Promise<SearchPage> =>
    run({
      ...toFacets(terms),
      ...place,
      verified: query.verified,
      instantBook: query.instantBook,
      onlyInServiceArea: query.inServiceArea,
      limit,
      offset,
      baseUrl: ctx.config.baseUrl,
    })
  return await searchTown(search, place, terms.place)
}

const metaOf = ({ understood, suggestions }: ReadTerms, total: number, query: ProsQuery): SearchMeta => ({
  ...pageMeta(total, query),
  ...(understood && { understood }),
  ...(suggestions && { suggestions }),
})

/** A town without a pro is served from its surroundings. */
async function searchTown(search: (place: Place) => Promise<SearchPage>, place: Place, named: KnownPlace | undefined) {
  const found = await search(place)
  return found.total === 0 && named?.city && !place.point ? await search(around(named.city, place.radiusMiles)) : found
}

const NO_PROS: SearchPage = { total: 0, professionals: '[]' }

type Place = Pick<SearchQuery, 'cityIds' | 'state' | 'point' | 'radiusMiles'>

function toFacets({ offering, category }: ReadTerms): Pick<SearchQuery, 'facet' | 'secondFacet'> {
  const asked = offering?.service ?? offering?.category
  if (!asked) return { facet: category?.ordinal ?? 0 }
  // The category of the service is no further condition. Another category finds pros who offer both.
  const own = offering?.service?.categoryId ?? asked.id
  return { facet: asked.ordinal, secondFacet: category && category.id !== own ? category.ordinal : undefined }
}

function toPlace({ place, isNear, cities, state }: ReadTerms, query: ProsQuery & Required<UsualRadius>): Place {
  const point = pointOf(query)
  const radiusMiles = query.radius ?? query.usualRadius
  if (place) return inPlace(place, isNear || query.radius !== undefined, radiusMiles, state)
  const [largest] = cities ?? []
  if (largest && !point && query.radius !== undefined) return around(largest, radiusMiles)
  return { point, radiusMiles, ...(cities ? { cityIds: cities.map(({ id }) => id) } : { state: state?.ordinal }) }
}

/** Searches in a city or region or around it, and around a ZIP code. */
function inPlace(
  { city, coordinates, wholeState, cities }: KnownPlace,
  isNear: boolean,
  radiusMiles: number,
  state: ReadTerms['state'],
): Place {
  const within = city ? [city] : cities?.()
  if (within && !isNear) return { cityIds: within.map(({ id }) => id), radiusMiles }
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
