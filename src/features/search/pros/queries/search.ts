// Chooses the search statement for a query and builds its parameters.
import { statementFile } from '../../../../platform/postgres/statement-files.ts'
import { type Facet, type Point, chordOf, coverOf, onUnitSphere, placesOf } from './search-geometry.ts'
import type { Ctx } from '../../../../ctx.ts'

/** A search with resolved names: the ordinals and ids of the search tables. */
export interface SearchQuery {
  /** The service's ordinal, else the category's, else 0 for every pro. */
  facet: Facet
  /** A second facet that the pro must also have: a category other than the service's own. */
  secondFacet?: Facet | undefined
  /** The requested cities; an empty list matches no pro. */
  cityIds?: readonly number[] | undefined
  /** The state's ordinal. */
  state?: number | undefined
  /** Search within `radiusMiles` of this point, nearest first; without a point, best rated first. */
  point?: Point | undefined
  radiusMiles: number
  verified?: boolean | undefined
  instantBook?: boolean | undefined
  /** Only pros whose service area contains the point, or without one, the center of their city; without both no limit. */
  onlyInServiceArea?: boolean | undefined
  limit: number
  offset: number
  /** Whose test pros are searched; null or absent for the real ones. */
  testAccountId?: string | null
  /** The origin for profileUrl and bookingUrl, without a trailing slash. */
  baseUrl: string
}

export interface SearchPage {
  /** The exact number of matches, even when the page is past the end. */
  total: number
  /** A JSON array of Professional, as text. */
  professionals: string
  /** Whether pros of the same distance stand on both sides of the page's end, and ids must decide between them. */
  endsInTie?: boolean | null
}

const near = statementFile<SearchPage>('search-near', 'mayLag')
const nearFiltered = statementFile<SearchPage>('search-near-filtered', 'mayLag')
const ranked = statementFile<SearchPage>('search-ranked', 'mayLag')
const testPros = statementFile<SearchPage>('search-test-pros', 'mayLag')

/** One page of matching pros and the total, in one statement; in two where the page ends between equal distances. */
export async function searchPros(ctx: Ctx, query: SearchQuery): Promise<SearchPage> {
  const page = await searchPage(ctx, toStatement(query))
  return page.endsInTie ? await searchPage(ctx, toStatement(query, { readsWholeCircle: true })) : page
}

async function searchPage(ctx: Ctx, { statement, parameters }: ReturnType<typeof toStatement>): Promise<SearchPage> {
  const [page] = await statement.run(ctx.replicas, parameters)
  if (!page) throw new Error(`${statement.name} returned no row`)
  return page
}

/** The statement for a query and its parameters. The plan test and the benchmarks use it too. */
export function toStatement(query: SearchQuery, { readsWholeCircle = false } = {}) {
  const { facet, secondFacet, cityIds, state, point, limit, offset, baseUrl, testAccountId } = query
  const onlyInServiceArea = query.onlyInServiceArea ?? false
  const page = [limit, offset, baseUrl]
  const [mask, wanted] = flags(query)
  if (testAccountId)
    return { statement: testPros, parameters: [testAccountId, facet, secondFacet ?? null, mask, wanted, ...page] }
  if (!point) {
    const areas = cityIds ?? [state === undefined ? 0 : -state]
    return { statement: ranked, parameters: [facet, mask, wanted, [...areas], secondFacet ?? null, ...page] }
  }
  const circle = [facet, mask, wanted, onUnitSphere(point), chordOf(query.radiusMiles)]
  if (readsWholeCircle || secondFacet !== undefined || cityIds || state !== undefined) {
    const filters = [cityIds ? [...cityIds] : null, state ?? null, secondFacet ?? null]
    return { statement: nearFiltered, parameters: [...circle, ...filters, ...page, onlyInServiceArea] }
  }
  // No counter tells the service areas of its pros.
  const { inside, rim } = (onlyInServiceArea ? placesOf : coverOf)(facet, point, query.radiusMiles)
  return {
    statement: near,
    parameters: [...circle, inside.from, inside.to, rim.from, rim.to, ...page, onlyInServiceArea],
  }
}

/** The flags to compare and the values they must have: `search_flags` in SQL. */
export function flags(query: SearchQuery): [mask: number, wanted: number] {
  const { verified, instantBook, onlyInServiceArea, cityIds, point } = query
  const bits = (flag: boolean | undefined, bit: number) => [flag === undefined ? 0 : bit, flag ? bit : 0] as const
  const [verifiedMask, verifiedWant] = bits(verified, 1)
  const [instantMask, instantWant] = bits(instantBook, 2)
  // A city is reached where its center is.
  const center = onlyInServiceArea && cityIds && !point ? 4 : 0
  return [verifiedMask | instantMask | center, verifiedWant | instantWant | center]
}
