// The search with limits and orders that no index has.
import { statementFile } from '../../../../platform/postgres/statement-files.ts'
import { type SearchQuery, flags } from './search.ts'
import { chordOf, onUnitSphere } from './search-geometry.ts'
import type { Ctx } from '../../../../ctx.ts'

/**
 * `usual`: nearest first around a point, otherwise best rated first. `best`: by the mean of the ratings, ten extra ones of 4 stars
 * included, less a fiftieth of a star for each mile, so that a pro whom no customer knows is not first for being 200 steps nearer.
 */
export type SearchOrder = 'usual' | 'best' | 'rating' | 'price' | 'time'

export interface NarrowedSearch extends SearchQuery {
  /** Of the facet's service. */
  maxPriceCents?: number | undefined
  minRating?: number | undefined
  /** Only pros with an open time before this instant. */
  opensBefore?: Date | undefined
  /** Only pros with an open time on this date of their calendar, `YYYY-MM-DD`. */
  opensOn?: string | undefined
  /** Only open times from this time of day on, and before this one: `HH:MM` on the pro's clock. */
  opensFrom?: string | undefined
  opensUntil?: string | undefined
  order: SearchOrder
  now: Date
}

export interface NarrowedPage {
  /** The matches among the candidates. */
  total: number
  /** Whether there are more candidates than were read, so that there may be more matches. */
  isPartial: boolean
  /** A JSON array of Professional, as text. */
  professionals: string
  /** The first open times that were looked up, by pro id. */
  openTimes: Readonly<Record<string, OpenTime>>
}

/** An open time that matches the limits. */
export interface OpenTime {
  startDateTime: string
  localTime: string
}

/** The most candidates that one search reads, and the most of them whose open times it looks up. */
export const MAX_CANDIDATES = 2000
export const MAX_TIMED = 200
/** Days in which an order by time looks for the first one; a later time counts as none. */
export const TIMED_DAYS = 14

const narrowed = statementFile<NarrowedPage>('search-narrowed', 'mayLag')

/** One page of the matches among the candidates. */
export async function searchNarrowed(ctx: Ctx, query: NarrowedSearch): Promise<NarrowedPage> {
  const [page] = await narrowed.run(ctx.replicas, narrowedParameters(query))
  if (!page) throw new Error(`${narrowed.name} returned no row`)
  return page
}

/** The parameters of `sql/queries/search-narrowed.sql`. The plan test uses them too. */
export function narrowedParameters(
  query: NarrowedSearch,
  { candidates = MAX_CANDIDATES, timed = MAX_TIMED }: { candidates?: number; timed?: number } = {},
) {
  const { facet, secondFacet, cityIds, state, point, radiusMiles, limit, offset, baseUrl, order, now } = query
  const [mask, wanted] = flags(query)
  const areas = point ? [] : [...(cityIds ?? [state === undefined ? 0 : -state])]
  return [
    facet,
    mask,
    wanted,
    point ? onUnitSphere(point) : null,
    chordOf(radiusMiles),
    areas,
    point && cityIds ? [...cityIds] : null,
    (point && state) ?? null,
    secondFacet ?? null,
    query.maxPriceCents ?? null,
    query.minRating === undefined ? null : String(query.minRating),
    query.opensBefore?.toISOString() ?? null,
    order,
    now.toISOString(),
    candidates,
    timed,
    TIMED_DAYS,
    limit,
    offset,
    baseUrl,
    query.onlyInServiceArea ?? false,
    query.opensOn ?? null,
    query.opensFrom ?? null,
    query.opensUntil ?? null,
  ]
}
