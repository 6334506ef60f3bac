// The PostgreSQL and Redis that the tests of this process use. `npm test` starts them; a plain `bun test` starts its own
// the first time a file imports this module.
import { join } from 'node:path'

const KEEPER = join(import.meta.dir, 'store-keeper.ts')

/** The variables that name the stores; where both are set, nothing is started. */
export const DATABASE_VARIABLE = 'HEARTH_TEST_DATABASE_URL'
export const REDIS_VARIABLE = 'HEARTH_TEST_REDIS_URL'

if (!process.env[DATABASE_VARIABLE] || !process.env[REDIS_VARIABLE]) Object.assign(process.env, await startKeeper())
process.env[REDIS_VARIABLE] = forThisWorker(variable(REDIS_VARIABLE))

/** The superuser's URL of the PostgreSQL cluster; test files create databases of their own in it. */
export const adminUrl = variable(DATABASE_VARIABLE)

/** The Redis of this test process. */
export const testRedisUrl = variable(REDIS_VARIABLE)

/** Test files that run at the same time do so in different workers: each worker has its own Redis database. */
function forThisWorker(text: string): string {
  const url = new URL(text)
  url.pathname = `/${process.env['BUN_TEST_WORKER_ID'] ?? '0'}`
  return url.href
}

/** Starts the process that holds the stores for as long as this one lives; returns the variables that it prints. */
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
