// Which stores a command works on: those of the environment, else the stack that runs in this folder.
import { type Config, readConfig } from '../config.ts'
import { type Deps, openDeps } from '../deps.ts'
import { readLocalStack } from '../platform/local/stack.ts'
import { readSecret } from './up/secret.ts'
import { localFolder } from './up/settings.ts'

/** The configuration for a command: the environment first, then what `npm start` left for this folder. */
export async function commandConfig(): Promise<Config> {
  const folder = localFolder(process.env)
  const stack = readLocalStack(folder)
  return readConfig({
    LOG_LEVEL: 'error',
    ...(stack ? { HEARTH_SECRET: readSecret(folder) } : {}),
    ...(stack ? { DATABASE_URL: stack.databaseUrl, REDIS_URL: stack.redisUrl, BASE_URL: stack.baseUrl } : {}),
    ...process.env,
  })
}

/** Runs `work` with the stores open, and closes them. */
export async function withDeps(work: (deps: Deps) => Promise<void>): Promise<void> {
  const deps = openDeps(await commandConfig())
  try {
    await work(deps)
  } finally {
    await deps.close()
  }
}
