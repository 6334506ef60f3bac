// Searches to send: each of another place, from another client's address, the same ones for every contender.
import type { Sql } from '../../src/platform/db.ts'
import { toStatement } from '../../src/features/pros/queries.ts'
import type { LoadRequest } from './http-load.ts'
import type { Parameter } from './pgbench.ts'

export interface Search {
  lat: number
  lng: number
  /** A service's slug and ordinal; every pro without. */
  service?: string
  facet: number
}

/** Different places: the same ones over HTTP and in pgbench. */
export const PLACES = 2048
const RADIUS_MILES = 25

/** Around pros, where people are, for a service that the pro there offers. `where` says of which pros `p`. */
export async function searchesOfServices(sql: Sql, { where = 'true', count = PLACES } = {}): Promise<Search[]> {
  return sql.unsafe<{ lat: number; lng: number; service: string; facet: number }[]>(`
    with drawn as materialized (
      select p.id, p.latitude, p.longitude from professionals p where p.active and ${where}
      order by md5(p.id::text) limit ${count}
    )
    select ${nearby('d.latitude', "d.id || 'lat'")} as lat, ${nearby('d.longitude', "d.id || 'lng'")} as lng,
      s.slug as service, s.ordinal as facet
    from drawn d
    cross join lateral (
      select ps.service_id from professional_services ps where ps.professional_id = d.id
      order by md5(ps.service_id::text || d.id) limit 1) o
    join services s on s.id = o.service_id and s.active
    order by md5(d.id || 'order')`)
}

/** Up to 0.025 degrees (1.7 miles) away, and the same on each run. */
const nearby = (degrees: string, seed: string) =>
  `round((${degrees} + ('x' || substr(md5(${seed}), 1, 4))::bit(16)::int / 65536.0 * 0.05 - 0.025)::numeric, 5)`

/** Around the centres of the largest cities, for every pro. */
export async function searchesOfCities(sql: Sql, { cities = 50, count = PLACES } = {}): Promise<Search[]> {
  return sql.unsafe<{ lat: number; lng: number; facet: number }[]>(`
    select ${nearby('c.latitude', "c.id || 'lat' || n")} as lat, ${nearby('c.longitude', "c.id || 'lng' || n")} as lng,
      0 as facet
    from (select * from cities order by population desc, id limit ${cities}) c
    cross join generate_series(1, ${Math.ceil(count / cities)}) n
    order by md5(c.id || 'order' || n)`)
}

/** The searches as requests. */
export const searchRequests = (searches: readonly Search[]): LoadRequest[] =>
  searches.map(({ lat, lng, service }) => ({
    path: `/api/v1/pros?${service === undefined ? '' : `service=${service}&`}lat=${lat}&lng=${lng}&radius=${RADIUS_MILES}`,
  }))

/** The searches as the parameters of the statement that answers them. */
export function searchCalls(searches: readonly Search[], baseUrl: string) {
  const statements = searches.map(({ lat, lng, facet }) =>
    toStatement({ facet, point: { lat, lng }, radiusMiles: RADIUS_MILES, limit: 20, offset: 0, baseUrl }),
  )
  return {
    text: statements[0]?.statement.text ?? '',
    calls: statements.map(({ parameters }) => parameters as Parameter[]),
  }
}
