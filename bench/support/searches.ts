// Searches around many different places, the same for every contender.
import type { Sql } from '../../src/platform/postgres/database.ts'
import { type SearchQuery, toStatement } from '../../src/features/search/pros/queries/search.ts'
import type { LoadRequest } from './http-load.ts'
import type { Parameter } from './pgbench.ts'

/** A search as a client's query string and as parameters of the search statement. */
export interface Search {
  /** The query string. */
  readonly text: string
  readonly query: Omit<SearchQuery, 'radiusMiles' | 'limit' | 'offset' | 'baseUrl'> & { offset?: number }
}

/** Number of different places, the same over HTTP and in pgbench. */
export const PLACES = 2048
const RADIUS_MILES = 25
/** Behind ten pages. */
const FAR_OFFSET = 200

interface Point {
  lat: number
  lng: number
}

const around = ({ lat, lng }: Point) => ({
  text: `lat=${lat}&lng=${lng}&radius=${RADIUS_MILES}`,
  query: { point: { lat, lng } },
})

/** Searches near random pros for a service they offer. `where` is an SQL condition on the pros `p`. */
export async function searchesOfServices(sql: Sql, { where = 'true', count = PLACES } = {}): Promise<Search[]> {
  const rows = await listOffers(sql, { where, count })
  return rows.map(({ service, facet, ...spot }) => {
    const { text, query } = around(spot)
    return { text: `service=${service}&${text}`, query: { ...query, facet } }
  })
}

/** Searches near random pros for the category of a service they offer. */
export async function searchesOfCategories(sql: Sql): Promise<Search[]> {
  const rows = await listOffers(sql)
  return rows.map(({ category, categoryFacet, ...spot }) => {
    const { text, query } = around(spot)
    return { text: `category=${category}&${text}`, query: { ...query, facet: categoryFacet } }
  })
}

/** Searches near random pros for a service they offer, with every filter. */
export async function searchesWithFilters(sql: Sql): Promise<Search[]> {
  const rows = await listOffers(sql)
  return rows.map(({ service, facet, state, stateOrdinal, ...spot }) => {
    const { text, query } = around(spot)
    return {
      text: `service=${service}&state=${state}&verified=true&instantBook=true&${text}`,
      query: { ...query, facet, state: stateOrdinal, verified: true, instantBook: true },
    }
  })
}

/** Searches near random pros for a service they offer, for a page far down the list. */
export async function searchesFarDown(sql: Sql): Promise<Search[]> {
  const searches = await searchesOfServices(sql)
  return searches.map(({ text, query }) => ({
    text: `${text}&offset=${FAR_OFFSET}`,
    query: { ...query, offset: FAR_OFFSET },
  }))
}

/** Searches for a service in a state, best rated first. */
export async function searchesOfStates(sql: Sql): Promise<Search[]> {
  const rows = await listOffers(sql)
  return rows.map(({ service, facet, state, stateOrdinal }) => ({
    text: `service=${service}&state=${state}`,
    query: { facet, state: stateOrdinal },
  }))
}

/** Searches for a service in a city by name, best rated first. */
export async function searchesOfCityNames(sql: Sql): Promise<Search[]> {
  const rows = await listOffers(sql)
  return rows.map(({ service, facet, city, state, stateOrdinal, cityIds }) => ({
    text: `service=${service}&city=${encodeURIComponent(city)}&state=${state}`,
    query: { facet, state: stateOrdinal, cityIds },
  }))
}

/** Searches for all pros near the centres of the largest cities. */
export async function searchesOfCities(sql: Sql, { cities = 50, count = PLACES } = {}): Promise<Search[]> {
  const spots = await sql.unsafe<Point[]>(`
    select ${nearby('c.latitude', "c.id || 'lat' || n")} as lat, ${nearby('c.longitude', "c.id || 'lng' || n")} as lng
    from (select * from cities order by population desc, id limit ${cities}) c
    cross join generate_series(1, ${Math.ceil(count / cities)}) n
    order by md5(c.id || 'order' || n)`)
  return spots.map((spot) => {
    const { text, query } = around(spot)
    return { text, query: { ...query, facet: 0 } }
  })
}

/** Lists random pros, the same in each run, with a point near them and one of their services. */
const listOffers = (sql: Sql, { where = 'true', count = PLACES } = {}) =>
  sql.unsafe<
    (Point & {
      service: string
      facet: number
      category: string
      categoryFacet: number
      city: string
      cityIds: number[]
      state: string
      stateOrdinal: number
    })[]
  >(`
    with picked as materialized (
      select p.id, p.latitude, p.longitude, p.city_id from professionals p where p.active and ${where}
      order by md5(p.id::text) limit ${count}
    )
    select ${nearby('d.latitude', "d.id || 'lat'")} as lat, ${nearby('d.longitude', "d.id || 'lng'")} as lng,
      s.slug as service, s.ordinal as facet, k.slug as category, k.ordinal as category_facet,
      c.name as city, t.code as state, t.ordinal as state_ordinal,
      (select array_agg(n.id) from cities n where lower(n.name) = lower(c.name) and n.state = c.state) as city_ids
    from picked d
    cross join lateral (
      select ps.service_id from professional_services ps where ps.professional_id = d.id
      order by md5(ps.service_id::text || d.id) limit 1) o
    join services s on s.id = o.service_id and s.active
    join categories k on k.id = s.category_id
    join cities c on c.id = d.city_id
    join states t on t.code = c.state
    order by md5(d.id || 'order')`)

/** SQL that moves a coordinate by up to 0.025 degrees (1.7 miles), the same in each run. */
const nearby = (degrees: string, seed: string) =>
  `round((${degrees} + ('x' || substr(md5(${seed}), 1, 4))::bit(16)::int / 65536.0 * 0.05 - 0.025)::numeric, 5)`

/** Converts searches into requests. */
export const searchRequests = (searches: readonly Search[]): LoadRequest[] =>
  searches.map(({ text }) => ({ path: `/api/v1/pros?${text}` }))

/** Converts searches of one form into their statement and its parameters. */
export function searchCalls(searches: readonly Search[], baseUrl: string) {
  const statements = searches.map(({ query }) =>
    toStatement({ offset: 0, ...query, radiusMiles: RADIUS_MILES, limit: 20, baseUrl }),
  )
  return {
    text: statements[0]?.statement.text ?? '',
    calls: statements.map(({ parameters }) => parameters as Parameter[]),
  }
}
