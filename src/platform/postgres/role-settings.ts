// Whether the connections of a pooler have the settings that its clients cannot set.
import { CONNECTION_LIMITS } from './client.ts'
import { type Routes, poolerOf } from './configured-urls.ts'
import { connect } from './open-database.ts'
import { primaryUrl } from './primary.ts'
import { PREFER_INDEXES, differentSettings, sessionSettings } from './settings.ts'

/** The settings of a role whose connections all pools share. */
export const sharedSettings = (statementTimeoutMs: number) => ({
  ...CONNECTION_LIMITS,
  ...sessionSettings(statementTimeoutMs, PREFER_INDEXES),
  TimeZone: 'UTC',
})

/**
 * The names of the settings that connections through the pooler lack, because they are no defaults of the role, or because the
 * pooler's connections are older than these. None without a pooler. Throws {@link StoreUnavailable}.
 */
export async function missingRoleSettings(
  routes: Routes,
  statementTimeoutMs: number,
  applicationName: string,
): Promise<string[]> {
  if (routes.databaseDirectUrl === undefined) return []
  const sql = connect(await primaryUrl(routes.databaseUrl), 1, { applicationName, pooler: poolerOf(routes) })
  try {
    return await differentSettings(sql, sharedSettings(statementTimeoutMs))
  } finally {
    await sql.end({ timeout: 1 })
  }
}

export const ROLE_SETTINGS_REMEDY =
  'run `hearth migrate`, then reconnect the pooler (RECONNECT in the console of PgBouncer)'
