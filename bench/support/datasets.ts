// Databases full of demo pros, made once and kept: by their number of pros, brought to the schema of this build.
import { type Sql, connect } from '../../src/platform/postgres/database.ts'
import { MigrationChanged, migrate } from '../../src/platform/postgres/migrate.ts'
import { seed } from '../../src/local/seed/seed.ts'
import type { Stores } from './stores.ts'

/** The calendars of a seed reach two weeks ahead of it: an older database has nothing in them any more. */
const MAX_AGE_DAYS = 45
const SEARCH_TABLES = 'pro_search, pro_search_entry, pro_search_cell, pro_search_area'

/** What a database was made from; kept as its comment. */
interface Origin {
  pros: number
  madeAt: string
}

/** A database of the benchmarks. */
export interface Dataset {
  readonly name: string
  readonly url: string
  readonly pros: number
  /** A connection for the scenarios' own questions. */
  readonly sql: Sql
}

type Note = (line: string) => void

/**
 * The database with so many seeded pros. One that is there is migrated, as an installation would be; one that this build
 * cannot migrate, or whose calendars are past, is made anew.
 */
export async function openSeeded(stores: Stores, pros: number, note: Note): Promise<Dataset> {
  return openDataset(stores, `bench_${pros}`, pros, note, async (sql) => {
    await seed(sql, { pros, seed: 1, now: new Date(), note })
  })
}

/** The database `name`, which `fill` fills after the migrations where there is none that can be used. */
export async function openDataset(
  stores: Stores,
  name: string,
  pros: number,
  note: Note,
  fill: (sql: Sql) => Promise<void>,
): Promise<Dataset> {
  const { admin } = stores
  const url = stores.databaseUrl(name)
  const origin = await originOf(admin, name)
  const open = () => connect(url, 2, { applicationName: 'hearth-bench' })
  if (origin && (await isUsable(origin, pros, note))) {
    const sql = open()
    if (await bringUpToDate(sql, name, note)) return { name, url, pros, sql }
    await sql.end()
  }
  note(`making the database ${name}: ${pros.toLocaleString('en-US')} pros, kept for the next run`)
  const draft = `${name}_draft`
  for (const old of [name, draft]) await admin.unsafe(`drop database if exists ${old} with (force)`)
  await admin.unsafe(`create database ${draft}`)
  const making = connect(stores.databaseUrl(draft), 1, { applicationName: 'hearth-bench' })
  await migrate(making)
  await fill(making)
  await making.end()
  await admin.unsafe(`alter database ${draft} rename to ${name}`)
  await noteOrigin(admin, name, { pros, madeAt: new Date().toISOString() })
  await admin`checkpoint`
  return { name, url, pros, sql: open() }
}

/**
 * Reads tables of a schema, with their indexes, into PostgreSQL's memory, as hours of traffic would: a measurement of some
 * seconds would be one of cold pages.
 */
export async function prewarm(sql: Sql, schema: string, pattern: string): Promise<void> {
  await sql`create extension if not exists pg_prewarm`
  await sql`
    select sum(pg_prewarm(c.oid::regclass)) from pg_class c
    where c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'i') and c.relname like ${pattern}`
}

/** The comment of the database, or undefined when there is no such database. */
async function originOf(admin: Sql, name: string): Promise<Origin | undefined> {
  const [found] = await admin<{ comment: string | null }[]>`
    select shobj_description(oid, 'pg_database') as comment from pg_database where datname = ${name}`
  return found?.comment ? (JSON.parse(found.comment) as Origin) : undefined
}

async function noteOrigin(admin: Sql, name: string, origin: Origin): Promise<void> {
  await admin.unsafe(`comment on database ${name} is '${JSON.stringify(origin)}'`)
}

async function isUsable({ madeAt, pros: has }: Origin, pros: number, note: Note): Promise<boolean> {
  const ageDays = (Date.now() - Date.parse(madeAt)) / 86_400_000
  if (ageDays > MAX_AGE_DAYS) note(`the database is ${Math.floor(ageDays)} days old: its calendars are past`)
  return has === pros && ageDays <= MAX_AGE_DAYS
}

/** Applies what this build adds. False when it cannot: an applied migration was changed, or is gone. */
async function bringUpToDate(sql: Sql, name: string, note: Note): Promise<boolean> {
  try {
    const { applied } = await migrate(sql)
    if (applied.length > 0) {
      note(`${name}: applied ${applied.length} files of SQL`)
      // What a migration wrote anew has no visibility map yet, which index-only scans need.
      await sql.unsafe(`vacuum (analyze) ${SEARCH_TABLES}`)
    }
  } catch (error) {
    if (!(error instanceof MigrationChanged)) throw error
    note(`${name} has an older schema: ${error.message}`)
    return false
  }
  if (!(await isDerivedAnew(sql))) return true
  note(`${name}: rebuilding the search tables`)
  await sql`select rebuild_search()`
  await sql.unsafe(`vacuum (analyze) ${SEARCH_TABLES}`)
  return true
}

/** Whether this build derives the search tables otherwise than they are, as a look at some pros shows. */
async function isDerivedAnew(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ differs: boolean }[]>`
    with picked as materialized (
      select s as found from pro_search s where slot in (select (random() * 1000)::integer from generate_series(1, 50))
    ), source as materialized (
      select * from search_source(array(select (found).professional_id from picked))
    )
    select exists (
      select from picked left join source on source.professional_id = (found).professional_id
      where source.doc is distinct from (found).doc
    ) or exists (
      select from picked cross join lateral search_entries(found) made
      where not exists (
        select from pro_search_entry e where e.place = made.place and e.professional_id = made.professional_id)
    ) as differs`
  return row?.differs ?? false
}
