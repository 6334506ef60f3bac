// An older build beside this one (`--against <commit>`): its checkout with its own packages, and a database in its own schema
// with the same pros.
import { join } from 'node:path'

import { dropIndexes, restoreIndexes } from '../../src/local/seed/bulk-load.ts'
import { tables } from '../../src/local/seed/tables.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { OWNER_EMAIL } from './account.ts'
import { copyRows } from './copy-rows.ts'
import { type Dataset, openDataset } from './datasets.ts'
import { checkOut, commitId, runCommand } from './checkout.ts'
import { BENCH_FOLDER, type Stores } from './stores.ts'

const CATALOG = ['states', 'categories', 'services', 'cities']
/** Functions that fill derived tables, where the build has them. */
const DERIVE = ['rebuild_search()', 'rebuild_review_stats()', 'refresh_pricing(now())']

export interface OldBuild {
  /** The short commit id. */
  readonly commit: string
  readonly folder: string
  readonly data: Dataset
}

type Log = (line: string) => void

/** Opens the build of a commit. The first time it checks it out, installs its packages and copies the pros of `source`. */
export async function openOldBuild(stores: Stores, source: Dataset, commit: string, log: Log): Promise<OldBuild> {
  const id = await commitId(commit)
  const folder = await checkOut(id, join(BENCH_FOLDER, 'against', id), log)
  const contents = {
    pros: source.pros,
    migrateBy: async (url: string) => void (await runCommand(folder, url, 'migrate')),
    notBefore: source.madeAt,
    fill: (sql: Sql) => copyPros(source.sql, sql, log),
  }
  return { commit: id, folder, data: await openDataset(stores, `${source.name}_at_${id}`, contents, log) }
}

/** Gives the older build the benchmarks' account and its keys. */
export async function copyKeys(from: Sql, { data }: OldBuild): Promise<void> {
  await data.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`delete from api_keys where account_id in (select id from accounts where email = ${OWNER_EMAIL})`
    await tx`delete from accounts where email = ${OWNER_EMAIL}`
    await copyRows(from, tx, 'accounts', `email = '${OWNER_EMAIL}'`)
    const owners = `select id from accounts where email = '${OWNER_EMAIL}'`
    await copyRows(from, tx, 'api_keys', `account_id in (${owners})`)
  })
}

/** Copies the catalog and the pros with their history, and derives the rest by the functions of the older build. */
async function copyPros(from: Sql, sql: Sql, log: Log): Promise<void> {
  await sql.begin(async (tx) => {
    // Skips triggers and foreign keys: the source rows already satisfy them.
    await tx`set local session_replication_role = replica`
    await tx`set local maintenance_work_mem = '256MB'`
    for (const table of CATALOG) await copyRows(from, tx, table)
    const definitions = await dropIndexes(tx, tables)
    for (const table of tables) {
      log(`copying ${table}`)
      await copyRows(from, tx, table)
    }
    await restoreIndexes(tx, tables, definitions, () => undefined)
  })
  await sql`analyze`
  for (const call of DERIVE) {
    const [name] = call.split('(')
    const [found] = await sql<{ exists: boolean }[]>`select to_regproc(${name ?? ''}) is not null as exists`
    if (!found?.exists) continue
    log(`running ${call}`)
    await sql.unsafe(`select ${call}`)
  }
  await sql`vacuum (analyze)`
}
