// Databases of demo pros, created once per number of pros and migrated to the schema of this build.
import type { Sql } from '../../src/platform/postgres/database.ts'
import { connect } from '../../src/platform/postgres/open-database.ts'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { MigrationChanged } from '../../src/platform/postgres/schema-files.ts'
import { seed } from '../../src/local/seed/seed.ts'
import type { Stores } from './stores.ts'

/** Age after which a database is recreated: its seeded calendars are in the past. */
const MAX_AGE_DAYS = 45
const SEARCH_TABLES = 'pro_search, pro_search_entry, pro_search_cell, pro_search_area'

/** Origin of a database, stored as its comment. */
interface Origin {
  pros: number
  madeAt: string
}

/** A database of the benchmarks. */
export interface Dataset {
  readonly name: string
  readonly url: string
  readonly pros: number
  readonly madeAt: string
  /** Connections for the scenarios' own queries. */
  readonly sql: Sql
}

/** What a database holds. */
export interface Contents {
  pros: number
  /** Fills the migrated database. */
  fill: (sql: Sql) => Promise<void>
  /** The SQL files of another build, which never change. By default those of this build. */
  migrateBy?: (url: string) => Promise<void>
  /** A database made before this time is recreated. */
  notBefore?: string
}

type Log = (line: string) => void

/** Databases with more pros have no bookings, quotes and reviews, which no search reads. */
const MAX_WITH_HISTORY = 1_000_000

/**
 * Opens the database with this number of seeded pros. An existing one is migrated like an installation; one that this build
 * cannot migrate or that is too old is recreated.
 */
export async function openSeeded(stores: Stores, pros: number, log: Log): Promise<Dataset> {
  const fill = async (sql: Sql) => {
    await seed(sql, { pros, seed: 1, now: new Date(), note: log, withHistory: pros <= MAX_WITH_HISTORY })
  }
  return openDataset(stores, `bench_${pros}`, { pros, fill }, log)
}

/** Opens the database `name`. When there is no usable one, creates it, migrates it and fills it. */
export async function openDataset(stores: Stores, name: string, contents: Contents, log: Log): Promise<Dataset> {
  const { admin } = stores
  const { pros, fill, migrateBy } = contents
  const url = stores.databaseUrl(name)
  const origin = await readOrigin(admin, name)
  const open = () => connect(url, 2, { applicationName: 'hearth-bench' })
  if (origin && (await isUsable(origin, contents, log))) {
    const sql = open()
    if (migrateBy || (await updateSchema(sql, name, log))) return { name, url, pros, madeAt: origin.madeAt, sql }
    await sql.end()
  }
  log(`creating the database ${name} with ${pros.toLocaleString('en-US')} pros; later runs reuse it`)
  const draft = `${name}_draft`
  for (const old of [name, draft]) await admin`drop database if exists ${admin(old)} with (force)`
  await admin`create database ${admin(draft)}`
  const draftSql = connect(stores.databaseUrl(draft), 1, { applicationName: 'hearth-bench' })
  await (migrateBy ? migrateBy(stores.databaseUrl(draft)) : migrate(draftSql))
  await fill(draftSql)
  await draftSql.end()
  await admin`alter database ${admin(draft)} rename to ${admin(name)}`
  const madeAt = new Date().toISOString()
  await writeOrigin(admin, name, { pros, madeAt })
  await admin`checkpoint`
  return { name, url, pros, madeAt, sql: open() }
}

/** Loads tables of a schema and their indexes into PostgreSQL's buffer cache, so that short rounds do not read cold pages. */
export async function prewarm(sql: Sql, schema: string, pattern: string): Promise<void> {
  await sql`create extension if not exists pg_prewarm`
  await sql`
    select sum(pg_prewarm(c.oid::regclass)) from pg_class c
    where c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'i') and c.relname like ${pattern}`
}

/** Reads the comment of the database. Undefined when the database or its comment is missing. */
async function readOrigin(admin: Sql, name: string): Promise<Origin | undefined> {
  const [row] = await admin<{ comment: string | null }[]>`
    select shobj_description(oid, 'pg_database') as comment from pg_database where datname = ${name}`
  return row?.comment ? (JSON.parse(row.comment) as Origin) : undefined
}

async function writeOrigin(admin: Sql, name: string, origin: Origin): Promise<void> {
  await admin.unsafe(`comment on database ${name} is '${JSON.stringify(origin)}'`)
}

async function isUsable({ madeAt, pros: actual }: Origin, { pros, notBefore }: Contents, log: Log): Promise<boolean> {
  if (notBefore !== undefined && madeAt < notBefore) return false
  const ageDays = (Date.now() - Date.parse(madeAt)) / 86_400_000
  if (ageDays > MAX_AGE_DAYS) log(`the database is ${Math.floor(ageDays)} days old, so its calendars are in the past`)
  return actual === pros && ageDays <= MAX_AGE_DAYS
}

/** Migrates to this build's schema. Returns false when an applied migration was changed or is missing. */
async function updateSchema(sql: Sql, name: string, log: Log): Promise<boolean> {
  try {
    const { applied } = await migrate(sql)
    if (applied.length > 0) {
      log(`${name}: applied ${applied.length} SQL files`)
      // Rewritten rows have no visibility map yet, which index-only scans need.
      await sql.unsafe(`vacuum (analyze) ${SEARCH_TABLES}`)
    }
  } catch (error) {
    if (!(error instanceof MigrationChanged)) throw error
    log(`${name} has an incompatible schema: ${error.message}`)
    return false
  }
  if (!(await isSearchOutdated(sql))) return true
  log(`${name}: rebuilding the search tables`)
  await sql`select rebuild_search()`
  await sql.unsafe(`vacuum (analyze) ${SEARCH_TABLES}`)
  return true
}

/** Whether this build would derive different search tables, judged by 50 random pros. */
async function isSearchOutdated(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ differs: boolean }[]>`
    with picked as materialized (
      select s as entry from pro_search s where slot in (select (random() * 1000)::integer from generate_series(1, 50))
    ), source as materialized (
      select * from search_pro_rows(array(select (entry).professional_id from picked))
    )
    select exists (
      select from picked left join source on source.professional_id = (entry).professional_id
      where source.doc is distinct from (entry).doc
    ) or exists (
      select from picked cross join lateral search_entries(entry) expected
      where not exists (
        select from pro_search_entry e where e.place = expected.place and e.professional_id = expected.professional_id)
    ) as differs`
  return row?.differs ?? false
}
