// `hearth migrate`: applies database migrations, and the settings of connections that a pooler opens.
import type { Config } from '../config.ts'
import { pooledStatementLimitMs } from '../deps.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { connect } from '../platform/postgres/open-database.ts'
import { migrate } from '../platform/postgres/migrate.ts'
import { primaryUrl } from '../platform/postgres/primary.ts'
import { directUrlOf, poolerOf } from '../platform/postgres/configured-urls.ts'
import { sharedSettings } from '../platform/postgres/role-settings.ts'
import { saveRoleSettings } from '../platform/postgres/settings.ts'
import { count } from '../platform/text/format.ts'
import { StoreUnavailable, asStoreError } from '../platform/store-error.ts'
import { commandConfig } from './command-deps.ts'

const APPLICATION_NAME = 'hearth-migrate'

/** Applies pending migrations and prints their names; with `plan` only says what it would do. */
export async function runMigrate({ plan }: { plan?: boolean }): Promise<void> {
  const config = commandConfig()
  const sql = connect(await primaryUrl(directUrlOf(config)), 2, { applicationName: APPLICATION_NAME })
  try {
    if (plan) {
      // Loads the parser of SQL, which nothing else needs.
      const { planMigration } = await import('../platform/postgres/migration-plan.ts')
      for (const line of await planMigration(sql)) console.log(line)
      return
    }
    const { applied, newerVersion } = await migrate(sql, { note: (line) => console.error(line) })
    for (const name of applied) console.log(`applied ${name}`)
    if (newerVersion !== undefined)
      console.log(`The database has functions of the newer version ${newerVersion}, which stay.`)
    if (applied.length === 0) console.log('The database is up to date.')
    await addPlaces(sql)
  } finally {
    await sql.end()
  }
  if (config.databaseDirectUrl !== undefined) await applySharedSettings(config)
}

/** A marketplace begins with places, and with a catalog that its operators fill. */
async function addPlaces(sql: Sql): Promise<void> {
  if ((await sql`select from cities limit 1`).length > 0) return
  // Reads all cities of the world, which nothing else needs.
  const { ensurePlaces } = await import('../local/seed/load-catalog.ts')
  console.log(`added ${count(await ensurePlaces(sql))} cities of the United States`)
}

/** Through the pooler, which may connect with another role than we do. */
async function applySharedSettings(config: Config): Promise<void> {
  const pooled = connect(await primaryUrl(config.databaseUrl), 1, {
    applicationName: APPLICATION_NAME,
    pooler: poolerOf(config),
  })
  try {
    const changed = await saveRoleSettings(pooled, sharedSettings(pooledStatementLimitMs(config)))
    if (changed.length === 0) return
    console.log(`set defaults of the role in this database: ${changed.join(', ')}. Reconnect the pooler (RECONNECT).`)
    await endServerConnection(pooled)
  } finally {
    await pooled.end()
  }
}

/** The pooler would lend its connection of this command, which is older than the defaults, to the servers that start next. */
async function endServerConnection(pooled: Sql): Promise<void> {
  try {
    await pooled`select pg_terminate_backend(pg_backend_pid())`
  } catch (error) {
    // The statement ends with its connection.
    if (!(asStoreError(error) instanceof StoreUnavailable)) throw error
  }
}
