// Searches: which of the statements in sql/queries answers a query, and its parameters.
import type { Runner } from '../../../platform/postgres/database.ts'
import { statementFile } from '../../../platform/postgres/statement-files.ts'
import {
  type Facet,
  type Point,
  coverOf,
  placesAround,
  squaredChord,
  trialRadii,
  unitVector,
} from './search-geometry.ts'

/** A search whose names are resolved: ordinals and ids, as the search tables hold them. */
export interface SearchQuery {
  /** The service's ordinal, else the category's, else 0: every pro. */
  facet: Facet
  /** A second facet whose list must name the pro as well: the category, where it is not the service's own. */
  also?: Facet | undefined
  /** The cities asked for, of the asked state only where both are given; an empty list finds nobody. */
  cityIds?: readonly number[] | undefined
  /** The state's ordinal. */
  state?: number | undefined
  /** Search within `radiusMiles` of this point, nearest first; best rated first without it. */
  point?: Point | undefined
  radiusMiles: number
  verified?: boolean | undefined
  instantBook?: boolean | undefined
  limit: number
  offset: number
  /** The service's origin, for profileUrl and bookingUrl: no slash at its end. */
  baseUrl: string
}

export interface SearchPage {
  /** How many match in all: exact, also where the page lies beyond the end. */
  total: number
  /** A JSON array of Professional, as text. */
  professionals: string
}

const near = statementFile<SearchPage>('search-near')
const nearFiltered = statementFile<SearchPage>('search-near-filtered')
const ranked = statementFile<SearchPage>('search-ranked')

/** One page of the pros that match, and how many there are, in one statement. */
export async function searchPros(read: Runner, query: SearchQuery): Promise<SearchPage> {
  const { statement, parameters } = toStatement(query)
  const [page] = await statement.run(read, parameters)
  if (!page) throw new Error(`${statement.name} gave no row`)
  return page
}

/** The statement that answers a query, with its parameters: also for the plan test and the benchmarks. */
export function toStatement(query: SearchQuery) {
  const { facet, also, cityIds, state, point, limit, offset, baseUrl } = query
  const page = [limit, offset, baseUrl]
  const [mask, want] = flags(query)
  if (!point) {
    const areas = cityIds ?? [state === undefined ? 0 : -state]
    return { statement: ranked, parameters: [facet, mask, want, [...areas], also ?? null, ...page] }
  }
  const circle = [...unitVector(point), mask, want, ...trials(facet, point, query.radiusMiles)]
  if (also !== undefined || cityIds || state !== undefined) {
    const filters = [cityIds ? [...cityIds] : null, state ?? null, also ?? null]
    return { statement: nearFiltered, parameters: [...circle, ...filters, ...page] }
  }
  const { inside, rim } = coverOf(facet, point, query.radiusMiles)
  const cover = [inside.from, inside.to, rim.from, rim.to]
  return { statement: near, parameters: [...circle, ...cover, ...page] }
}

/** Which flags of an entry matter, and what they must be. */
function flags({ verified, instantBook }: SearchQuery): [mask: number, want: number] {
  const bits = (flag: boolean | undefined, bit: number) => [flag === undefined ? 0 : bit, flag ? bit : 0] as const
  const [verifiedMask, verifiedWant] = bits(verified, 1)
  const [instantMask, instantWant] = bits(instantBook, 2)
  return [verifiedMask | instantMask, verifiedWant | instantWant]
}

/** The radii to try one after the other, as the ranges of all of them in a row. */
function trials(facet: Facet, point: Point, radiusMiles: number): number[][] {
  const from: number[] = []
  const to: number[] = []
  const first: number[] = []
  const last: number[] = []
  const radii = trialRadii(facet, radiusMiles)
  for (const radius of radii) {
    const places = placesAround(facet, point, radius)
    first.push(from.length + 1)
    from.push(...places.from)
    to.push(...places.to)
    last.push(from.length)
  }
  return [from, to, first, last, radii.map(squaredChord)]
}
