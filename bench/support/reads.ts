// Paths of every public read, for many different pros and places.
import type { Sql } from '../../src/platform/postgres/database.ts'
import { PLACES, searchRequests, searchesOfCities, searchesOfServices } from './searches.ts'

/** Lists paths by the name of the read. */
export async function listReads(sql: Sql): Promise<Record<string, string[]>> {
  const pros = await sql<{ id: string; slug: string }[]>`
    select id, slug from professionals where active and instant_booking_enabled order by md5(id::text) limit ${PLACES}`
  const [states, slugs] = await Promise.all([
    sql<{ code: string }[]>`select code from states order by code`,
    sql<{ slug: string }[]>`select slug from services where active order by ordinal`,
  ])
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const pathsOf = async (searches: ReturnType<typeof searchesOfServices>) =>
    searchRequests(await searches).map(({ path }) => path)
  const each = (path: (n: number) => string) => Array.from({ length: PLACES }, (_, n) => path(n))
  const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
  return {
    'GET /pros, service': await pathsOf(searchesOfServices(sql)),
    'GET /pros, dense city': await pathsOf(searchesOfCities(sql)),
    'GET /pros, state': each((n) => `/api/v1/pros?service=${at(slugs, n).slug}&state=${at(states, n).code}`),
    'GET /pros/{id}': pros.map(({ slug }) => `/api/v1/pros/${slug}`),
    'GET /pros/{id}/availability': pros.map(({ id }) => `/api/v1/pros/${id}/availability?date=${date}&days=14`),
    'GET /reviews': pros.map(({ id }) => `/api/v1/reviews?professionalId=${id}`),
    'GET /services': each(() => '/api/v1/services'),
    'GET /cities': each(() => '/api/v1/cities'),
    'GET /pricing': each((n) => `/api/v1/pricing?service=${at(slugs, n).slug}`),
  }
}

/** Whether the read is served from memory, and therefore at high rates. */
export const isCached = (name: string): boolean => /services|cities|pricing/.test(name)
