// A small database that is a piece of the large one: all pros around a few cities, so that a search near one of them finds
// exactly the same pros in both, and only what lies around differs.
import { rmSync } from 'node:fs'

import type { Sql } from '../../src/platform/postgres/database.ts'
import type { Transaction } from '../../src/local/seed/bulk-load.ts'
import { type Dataset, openDataset } from './datasets.ts'
import { type Search, searchesOfServices } from './searches.ts'
import type { Stores } from './stores.ts'

/** Around each city the piece reaches this far; a search within 25 miles of a point up to 15 miles away stays inside. */
const PIECE_METRES = 41 * 1609.344
const SEARCHED_METRES = 10 * 1609.344
const CATALOG = ['states', 'categories', 'services', 'cities']

export interface Growth {
  small: Dataset
  /** Searches whose answers are the same in both. */
  searches: Search[]
}

/** The piece of about `pros` pros, and searches within it. */
export async function openGrowth(
  stores: Stores,
  large: Dataset,
  pros: number,
  note: (line: string) => void,
): Promise<Growth> {
  const cities = await citiesWith(large.sql, pros)
  const small = await openDataset(stores, `${large.name}_piece`, pros, note, async (sql) => {
    await sql.begin(async (tx) => {
      // Neither triggers nor foreign keys: what they would see to, is so in the large one.
      await tx`set local session_replication_role = replica`
      for (const table of CATALOG) await copy(large.sql, tx, table, 'true')
      const wanted = `select p.id from professionals p join cities c on c.id = any ('{${cities.join(',')}}') where ${isNear('p', 'c', PIECE_METRES)}`
      await copy(large.sql, tx, 'accounts', `id in (select account_id from professionals where id in (${wanted}))`)
      await copy(large.sql, tx, 'professionals', `id in (${wanted})`)
      await copy(large.sql, tx, 'professional_services', `professional_id in (${wanted})`)
    })
    await sql`analyze`
    await sql`select rebuild_search()`
    await sql`vacuum (analyze)`
  })
  const around = `exists (select from cities c where c.id = any ('{${cities.join(',')}}') and ${isNear('p', 'c', SEARCHED_METRES)})`
  return { small, searches: await searchesOfServices(small.sql, { where: around }) }
}

const isNear = (pro: string, city: string, metres: number) => `
  st_dwithin(st_point(${pro}.longitude, ${pro}.latitude, 4326)::geography,
    st_point(${city}.longitude, ${city}.latitude, 4326)::geography, ${metres}, false)`

/** Middling cities, far from each other, whose surroundings hold about so many pros together. */
async function citiesWith(sql: Sql, pros: number): Promise<number[]> {
  const candidates = await sql.unsafe<{ id: number; lat: number; lng: number; pros: number }[]>(`
    select c.id, c.latitude as lat, c.longitude as lng, (
      select count(*)::integer from professionals p
      where p.latitude between c.latitude - 0.7 and c.latitude + 0.7 and ${isNear('p', 'c', PIECE_METRES)}) as pros
    from (select * from cities where population between 60000 and 400000 order by md5(id::text) limit 40) c`)
  const chosen: (typeof candidates)[number][] = []
  let sum = 0
  for (const city of candidates) {
    const isApart = chosen.every(({ lat, lng }) => Math.hypot(lat - city.lat, lng - city.lng) > 3)
    if (!isApart || sum + city.pros > pros * 1.1) continue
    chosen.push(city)
    sum += city.pros
  }
  return chosen.map(({ id }) => id)
}

/** Copies rows of a table from one database to the other, by a file of the cluster that holds both. */
async function copy(from: Sql, to: Transaction, table: string, where: string): Promise<void> {
  const [row] = await from<{ columns: string; file: string }[]>`
    select string_agg(quote_ident(attname), ', ' order by attnum) as columns,
      current_setting('data_directory') || '/piece.copy' as file
    from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
  if (!row) throw new Error(`there is no table ${table}`)
  const { columns, file } = row
  await from.unsafe(`copy (select ${columns} from ${table} where ${where}) to '${file}'`)
  await to.unsafe(`copy ${table} (${columns}) from '${file}'`)
  rmSync(file)
}
