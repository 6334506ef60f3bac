// A small database with all pros around a few cities of the large one, so that a search near these cities finds the same pros
// in both.
import type { Sql } from '../../src/platform/postgres/database.ts'
import { copyRows } from './copy-rows.ts'
import { type Dataset, openDataset } from './datasets.ts'
import { type Search, searchesOfServices } from './searches.ts'
import type { Stores } from './stores.ts'

/** Radius of the subset around each city: it contains every search within 25 miles of a point up to 15 miles away. */
const SUBSET_METRES = 41 * 1609.344
const SEARCH_METRES = 10 * 1609.344
const CATALOG = ['states', 'categories', 'services', 'cities']

export interface GrowthSet {
  subset: Dataset
  /** Searches with the same results in both databases. */
  searches: Search[]
}

/** Opens the subset of about `pros` pros, with searches inside it. */
export async function openGrowthSet(
  stores: Stores,
  large: Dataset,
  pros: number,
  log: (line: string) => void,
): Promise<GrowthSet> {
  const cities = await chooseCities(large.sql, pros)
  const fill = async (sql: Sql) => {
    await sql.begin(async (tx) => {
      // Skips triggers and foreign keys: the source rows already satisfy them.
      await tx`set local session_replication_role = replica`
      for (const table of CATALOG) await copyRows(large.sql, tx, table)
      const selected = `select p.id from professionals p join cities c on c.id = any ('{${cities.join(',')}}') where ${isNear('p', 'c', SUBSET_METRES)}`
      await copyRows(
        large.sql,
        tx,
        'accounts',
        `id in (select account_id from professionals where id in (${selected}))`,
      )
      await copyRows(large.sql, tx, 'professionals', `id in (${selected})`)
      await copyRows(large.sql, tx, 'professional_services', `professional_id in (${selected})`)
    })
    await sql`analyze`
    await sql`select rebuild_search()`
    await sql`vacuum (analyze)`
  }
  const subset = await openDataset(stores, `${large.name}_subset`, { pros, fill }, log)
  const around = `exists (select from cities c where c.id = any ('{${cities.join(',')}}') and ${isNear('p', 'c', SEARCH_METRES)})`
  return { subset, searches: await searchesOfServices(subset.sql, { where: around }) }
}

const isNear = (pro: string, city: string, metres: number) => `
  st_dwithin(st_point(${pro}.longitude, ${pro}.latitude, 4326)::geography,
    st_point(${city}.longitude, ${city}.latitude, 4326)::geography, ${metres}, false)`

/** Chooses medium-sized cities, far apart, with about `pros` pros around them in total. Returns their ids. */
async function chooseCities(sql: Sql, pros: number): Promise<number[]> {
  const candidates = await sql.unsafe<{ id: number; lat: number; lng: number; pros: number }[]>(`
    select c.id, c.latitude as lat, c.longitude as lng, (
      select count(*)::integer from professionals p
      where p.latitude between c.latitude - 0.7 and c.latitude + 0.7 and ${isNear('p', 'c', SUBSET_METRES)}) as pros
    from (select * from cities where population between 60000 and 400000 order by md5(id::text) limit 40) c`)
  const cities: (typeof candidates)[number][] = []
  let sum = 0
  for (const city of candidates) {
    const isApart = cities.every(({ lat, lng }) => Math.hypot(lat - city.lat, lng - city.lng) > 3)
    if (!isApart || sum + city.pros > pros * 1.1) continue
    cities.push(city)
    sum += city.pros
  }
  return cities.map(({ id }) => id)
}
