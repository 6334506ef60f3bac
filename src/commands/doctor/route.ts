// The check of what stands between Hearth and PostgreSQL.
import type { Config } from '../../config.ts'
import { pooledStatementLimitMs } from '../../deps.ts'
import { ConfigError } from '../../platform/environment.ts'
import { checkRoutes, inspectRoute } from '../../platform/postgres/pooler.ts'
import { primaryUrl } from '../../platform/postgres/primary.ts'
import { ROLE_SETTINGS_REMEDY, missingRoleSettings } from '../../platform/postgres/role-settings.ts'
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
  const different = await missingRoleSettings(config, pooledStatementLimitMs(config), 'hearth-doctor')
  if (different.length > 0)
    return fault(SUBJECT, `its connections lack settings: ${different.join(', ')}`, ROLE_SETTINGS_REMEDY)
  if (mode === 'none')
    return fault(SUBJECT, 'none, but DATABASE_DIRECT_URL is set', 'unset it: prepared statements are faster')
  return ok(SUBJECT, `${mode} mode, statements ${config.poolerPrepares ? 'prepared' : 'not prepared'}`)
}
