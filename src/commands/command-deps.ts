// Configuration and dependencies of commands: from the environment, else from the stack that runs in this folder.
import { type Config, readConfig } from '../config.ts'
import { type Ctx, ctxOf } from '../ctx.ts'
import { openDeps } from '../deps.ts'
import { checkRoutes } from '../platform/postgres/pooler.ts'
import { StoreUnavailable } from '../platform/store-error.ts'
import { readLocalStack } from '../local/stack.ts'
import { readSecret } from './up/secret.ts'
import { localFolder } from './up/settings.ts'

/** The environment, completed by the stack that `npm start` runs in this folder. */
export function commandEnvironment(): Record<string, string | undefined> {
  const folder = localFolder(process.env)
  const stack = readLocalStack(folder)
  return {
    ...(stack ? { HEARTH_SECRET: readSecret(folder) } : {}),
    ...(stack ? { DATABASE_URL: stack.databaseUrl, REDIS_URL: stack.redisUrl, BASE_URL: stack.baseUrl } : {}),
    ...process.env,
  }
}

/** The configuration of a command. It logs errors only, because commands print their own output. */
export const commandConfig = (): Config => readConfig({ LOG_LEVEL: 'error', ...commandEnvironment() })

/** A person waits for the command, and no other request does: it may take longer than one. */
const DATABASE_LIMIT_MS = 10_000

/** Opens the dependencies, runs `work` with the ctx of the command, and closes them. `databaseLimitMs` is for long statements. */
export async function withDeps(work: (deps: Ctx) => Promise<void>, databaseLimitMs = DATABASE_LIMIT_MS): Promise<void> {
  const config = commandConfig()
  await checkRoutes(config).catch((error: unknown) => {
    // The work reports which store is unavailable.
    if (!(error instanceof StoreUnavailable)) throw error
  })
  const deps = openDeps(config, { databaseLimitMs })
  try {
    await work(ctxOf(deps))
  } finally {
    await deps.close()
  }
}
