// The check of what stands between Hearth and PostgreSQL.
import type { Config } from '../../config.ts'
import { POOLED_STATEMENT_LIMIT_MS } from '../../deps.ts'
import { ConfigError } from '../../platform/environment.ts'
import { connect } from '../../platform/postgres/database.ts'
import { poolerOf } from '../../platform/postgres/configured-urls.ts'
import { checkRoutes, inspectRoute } from '../../platform/postgres/pooler.ts'
import { primaryUrl } from '../../platform/postgres/primary.ts'
import { differentSettings, sharedSettings } from '../../platform/postgres/settings.ts'
import { StoreUnavailable } from '../../platform/store-error.ts'
import { type Finding, fault, firstLineOf, ok } from './finding.ts'

const SUBJECT = 'pooler'

/** Whether the URLs lead to PostgreSQL or through a pooler that can work. Nothing when PostgreSQL does not answer. */
export async function checkRoute(config: Config): Promise<Finding[]> {
  try {
    return [await findingOf(config)]
  } catch (error) {
    if (error instanceof StoreUnavailable) return []
    if (error instanceof ConfigError) return [fault(SUBJECT, 'cannot work', error.message)]
    return [fault(SUBJECT, `cannot be inspected: ${firstLineOf(error)}`, 'see its log')]
  }
}

async function findingOf(config: Config): Promise<Finding> {
  await checkRoutes(config)
  const { mode } = await inspectRoute(await primaryUrl(config.databaseUrl))
  if (config.databaseDirectUrl === undefined) return ok(SUBJECT, 'none')
  const different = await settingsToMend(config)
  if (different.length > 0)
    return fault(
      SUBJECT,
      `its connections lack settings: ${different.join(', ')}`,
      'run `hearth migrate`, then reconnect the pooler (RECONNECT in the console of PgBouncer)',
    )
  if (mode === 'none')
    return fault(SUBJECT, 'none, but DATABASE_DIRECT_URL is set', 'unset it: prepared statements are faster')
  return ok(SUBJECT, `${mode} mode, statements ${config.poolerPrepares ? 'prepared' : 'not prepared'}`)
}

async function settingsToMend(config: Config): Promise<string[]> {
  const sql = connect(await primaryUrl(config.databaseUrl), 1, {
    applicationName: 'hearth-doctor',
    pooler: poolerOf(config),
  })
  try {
    return await differentSettings(sql, sharedSettings(POOLED_STATEMENT_LIMIT_MS))
  } finally {
    await sql.end({ timeout: 1 })
  }
}
