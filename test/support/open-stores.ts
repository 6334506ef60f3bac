// Opens the PostgreSQL and Redis of a test run, in `.hearth/test`: never those of `npm start`.
import { join } from 'node:path'

import { type FolderLock, lockFolder } from '../../src/platform/folder-lock.ts'
import { ensureInstalled } from '../../src/local/install.ts'
import { openPostgres } from '../../src/local/postgres.ts'
import { LocalSetupError } from '../../src/local/setup-error.ts'
import { openRedis } from '../../src/local/redis.ts'
import { connect } from '../../src/platform/postgres/open-database.ts'
import { emptyEmittedFolder } from './emitted.ts'

export interface TestStores {
  /** The variables that name the stores and the folder for what servers emit. */
  env: Record<string, string>
  /** The folder of what servers emit. */
  outputFolder: string
  stop: () => Promise<void>
}

const ROOT = join(import.meta.dir, '../..')
const MAX_RUNS = 16
const note = (line: string) => process.stderr.write(`hearth: ${line}\n`)

/**
 * Starts private stores, or uses those of HEARTH_TEST_DATABASE_URL and HEARTH_TEST_REDIS_URL.
 * Throws a {@link LocalSetupError} when neither is possible on this machine.
 */
export async function openTestStores(): Promise<TestStores> {
  const { HEARTH_TEST_DATABASE_URL: databaseUrl, HEARTH_TEST_REDIS_URL: redisUrl } = process.env
  await ensureInstalled({ postgres: !databaseUrl, redis: !redisUrl }, note)
  const { dir, claim } = claimTestFolder()
  const database = await openPostgres({ dir, profile: 'test', note, url: databaseUrl })
  const redis = await openRedis({ dir, note, url: redisUrl }).catch(async (error: unknown) => {
    await database.stop()
    throw error
  })
  if (!databaseUrl) await dropLeftovers(database.url)
  const outputFolder = join(dir, 'output')
  return {
    outputFolder,
    env: {
      HEARTH_TEST_DATABASE_URL: database.url,
      HEARTH_TEST_REDIS_URL: redis.url,
      ...emptyEmittedFolder(outputFolder),
    },
    stop: async () => {
      await Promise.all([redis.stop(), database.stop()])
      claim.release()
    },
  }
}

/** Locks a folder, so that concurrent test runs in one clone have their own stores. */
function claimTestFolder(): { dir: string; claim: FolderLock } {
  for (let number = 1; number <= MAX_RUNS; number++) {
    const dir = join(ROOT, '.hearth', number === 1 ? 'test' : `test-${number}`)
    const claim = lockFolder(dir)
    if (claim) return { dir, claim }
  }
  throw new LocalSetupError(`${MAX_RUNS} test runs use this folder already. Wait until one has ended.`)
}

/** Drops the databases of a run that was killed, and the templates of older schemas except the newest few. */
async function dropLeftovers(url: string) {
  const sql = connect(url, 1, { applicationName: 'hearth-sweep' })
  const leftovers = await sql<{ name: string }[]>`
    select datname as name from pg_database where datname like 'test\\_%' or datname like 'template\\_%\\_draft'
    union all
    (select datname from pg_database where datname like 'template\\_%\\_%' order by oid desc offset 4)`
  for (const { name } of leftovers) await sql`drop database if exists ${sql(name)} with (force)`
  await sql.end()
}
