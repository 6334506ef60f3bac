// Fills an empty database with the catalog, real cities, and demo pros with their history.
import type postgres from 'postgres'

import { noteBeginning } from './beginning.ts'
import { copyInto, restoreIndexes, dropIndexes, type Transaction } from './bulk-load.ts'
import { listCities, type City } from './cities.ts'
import { makeHistory } from './history.ts'
import { loadCatalog } from './load-catalog.ts'
import { addDemoZone, loadZoneOffsets } from './local-time.ts'
import { NameRegister } from './names.ts'
import { distributeCities } from './locations.ts'
import { Progress } from './progress.ts'
import { makePackages } from './packages.ts'
import { makePro } from './pros.ts'
import { addHistory, addPackages, addPro } from './rows.ts'
import { columns, Rows, tables, type Table } from './tables.ts'

export interface SeedOptions {
  /** The number of demo pros; 0 seeds only the catalog and cities, also of a database that has pros. */
  pros: number
  /** The same seed, number of pros and time give the same rows. */
  seed: number
  /** The current time, which separates past from upcoming data. */
  now: Date
  /** Receives a progress line every few seconds. */
  note?: (line: string) => void
  /** Pros per batch; the rows do not depend on it. */
  batchSize?: number
  /** False leaves out bookings, quotes, reviews and time blocks: half of the time and of the disk. */
  withHistory?: boolean
}

export type SeedCounts = { pros: number; cities: number } & Record<Table, number>

/** Demo pros fill an empty marketplace of the United States only. */
export class SeedRefused extends Error {}

/** The first demo pro joined at this time, the last one two weeks before `now`. */
const firstPro = Date.parse('2023-01-02T15:00:00Z')
const fortnightMs = 14 * 86_400_000

/**
 * Seeds the database in one transaction. Throws {@link SeedRefused} for demo pros where there are pros, or in another country. The role of `sql` must own the
 * tables, like the role that runs migrations.
 */
export const seed = async (sql: postgres.Sql<Record<string, never>>, options: SeedOptions): Promise<SeedCounts> => {
  const progress = new Progress(options.note ?? (() => undefined))
  const cities = listCities()
  const counts = await sql.begin(async (tx) => {
    await tx`set local synchronous_commit = off`
    await tx`set local client_min_messages = warning`
    await tx`set local maintenance_work_mem = '256MB'`
    await tx`lock table professionals in access exclusive mode`
    if (options.pros > 0) await refuseDemo(tx)
    progress.begin('catalog and cities')
    await loadCatalog(tx, cities)
    await loadZoneOffsets(tx, options.now)
    if (options.pros > 0) await noteBeginning(tx, { hasDemoData: true, now: options.now })
    const loaded = await loadPros(tx, cities, options, progress)
    await deriveTables(tx, options, progress)
    return loaded
  })
  await vacuum(sql, progress)
  progress.finish()
  return { pros: options.pros, cities: cities.length, ...counts }
}

async function refuseDemo(tx: postgres.TransactionSql<Record<string, never>>): Promise<void> {
  if ((await tx`select from professionals limit 1`).length > 0)
    throw new SeedRefused('This database already has pros. Seed an empty one, or drop it and migrate again.')
  if ((await tx`select where marketplace_country() <> 'US'`).length > 0)
    throw new SeedRefused('This marketplace has another country, and the demo pros live in the United States.')
}

const loadPros = async (
  tx: Transaction,
  cities: readonly City[],
  { pros, seed: number, now, batchSize = 2000, withHistory = true }: SeedOptions,
  progress: Progress,
): Promise<Record<Table, number>> => {
  const counts = Object.fromEntries(tables.map((table) => [table, 0])) as Record<Table, number>
  if (pros === 0) return counts
  progress.begin(`${pros.toLocaleString('en-US')} pros and their history`)
  await addDemoZone(tx)
  const definitions = await dropIndexes(tx, tables)
  const frozen = await truncateEmpty(tx)
  const cityOf = distributeCities(cities, pros)
  const names = new NameRegister()
  const stepMs = (now.getTime() - fortnightMs - firstPro) / pros
  const rows = new Rows()
  for (let index = 0; index < pros; index++) {
    const pro = makePro(number, index, firstPro + Math.floor(index * stepMs), cityOf(index), names)
    addPro(rows, pro)
    addPackages(rows, pro, makePackages(number, pro))
    if (withHistory) addHistory(rows, pro, makeHistory(number, pro, now.getTime()))
    if ((index + 1) % batchSize !== 0 && index + 1 < pros) continue
    for (const table of tables) {
      counts[table] += rows.count(table)
      await copyInto(tx, table, columns[table], rows.take(table), frozen.has(table))
    }
    progress.note(index + 1, pros)
  }
  progress.begin('indexes and constraints')
  await restoreIndexes(tx, tables, definitions, (done, of) => progress.note(done, of))
  return counts
}

/** Truncates empty tables, so that COPY may write frozen rows. Other tables (accounts of developers) keep their rows. */
const truncateEmpty = async (tx: Transaction): Promise<Set<Table>> => {
  const empty = new Set<Table>()
  for (const table of tables) {
    if ((await tx`select from ${tx(table)} limit 1`).length > 0) continue
    await tx`truncate ${tx(table)}`
    empty.add(table)
  }
  return empty
}

/** Builds the derived tables: search tables, review statistics and price statistics. */
const deriveTables = async (tx: Transaction, { now }: SeedOptions, progress: Progress): Promise<void> => {
  progress.begin('statistics')
  for (const table of [...tables, 'categories', 'services', 'states', 'cities']) await tx`analyze ${tx(table)}`
  if (await exists(tx, 'rebuild_search')) {
    progress.begin('search tables')
    await tx`select rebuild_search()`
  }
  if (await exists(tx, 'rebuild_review_stats')) {
    progress.begin('review statistics')
    await tx`select rebuild_review_stats()`
  }
  if (await exists(tx, 'rebuild_pro_revenue')) {
    progress.begin('counts of pros')
    await tx`select rebuild_pro_revenue(null)`
  }
  if (await exists(tx, 'refresh_pricing')) {
    progress.begin('prices')
    await tx`select refresh_pricing(${now.toISOString()}::timestamptz)`
  }
}

const exists = async (tx: Transaction, name: string): Promise<boolean> =>
  (await tx`select where to_regproc(${name}) is not null`).length > 0

/** Sets the visibility map for index-only scans, where frozen rows have not set it. */
const vacuum = async (sql: postgres.Sql<Record<string, never>>, progress: Progress): Promise<void> => {
  progress.begin('vacuum')
  const needed = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_has_role(relowner, 'usage')
      and (relpages > relallvisible or reltuples = -1) and relname <> 'spatial_ref_sys'
    order by relname`
  for (const [index, { name }] of needed.entries()) {
    await sql`vacuum (analyze) ${sql(name)}`
    progress.note(index + 1, needed.length)
  }
}
