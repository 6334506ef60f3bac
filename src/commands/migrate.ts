// `hearth migrate`: applies database migrations.
import { connect } from '../platform/postgres/database.ts'
import { migrate } from '../platform/postgres/migrate.ts'
import { primaryUrl } from '../platform/postgres/primary.ts'
import { commandConfig } from './command-deps.ts'

/** Applies pending migrations and prints their names. */
export async function runMigrate(): Promise<void> {
  const sql = connect(await primaryUrl(commandConfig().databaseUrl), 2, { applicationName: 'hearth-migrate' })
  try {
    const { applied } = await migrate(sql)
    for (const name of applied) console.log(`applied ${name}`)
    if (applied.length === 0) console.log('The database is up to date.')
  } finally {
    await sql.end()
  }
}
