// The PostgreSQL and Redis of this test process. `npm test` starts them; a plain `bun test` starts its own when a file
// first imports this module.
import { join } from 'node:path'

const KEEPER = join(import.meta.dir, 'store-keeper.ts')

/** The variables with the URLs of the stores. If both are set, no store is started. */
export const DATABASE_VARIABLE = 'HEARTH_TEST_DATABASE_URL'
export const REDIS_VARIABLE = 'HEARTH_TEST_REDIS_URL'

if (!process.env[DATABASE_VARIABLE] || !process.env[REDIS_VARIABLE]) Object.assign(process.env, await startKeeper())
process.env[REDIS_VARIABLE] = forThisWorker(variable(REDIS_VARIABLE))

/** The superuser's URL of the PostgreSQL cluster, in which each test file creates its own databases. */
export const adminUrl = variable(DATABASE_VARIABLE)

/** The Redis of this test process. */
export const testRedisUrl = variable(REDIS_VARIABLE)

/** Concurrent test files run in different workers, and each worker has its own Redis database. */
function forThisWorker(text: string): string {
  const url = new URL(text)
  url.pathname = `/${process.env['BUN_TEST_WORKER_ID'] ?? '0'}`
  return url.href
}

/** Starts the process that keeps the stores running while this one lives. Returns the variables that it prints. */
async function startKeeper(): Promise<Record<string, string>> {
  const keeper = Bun.spawn([process.execPath, KEEPER], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  keeper.unref()
  let printed = ''
  const decoder = new TextDecoder()
  for await (const chunk of keeper.stdout) {
    printed += decoder.decode(chunk, { stream: true })
    if (printed.endsWith('\n')) return JSON.parse(printed) as Record<string, string>
  }
  throw new Error('The test stores did not start; the reason is printed above.')
}

function variable(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set.`)
  return value
}

/** The folder of files that all processes of a database share. */
export const filesFolderOf = (databaseUrl: string): string =>
  join(import.meta.dir, '../../.hearth/test/files', String(Bun.hash(databaseUrl)))
