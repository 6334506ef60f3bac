// `npm test`: a PostgreSQL and a Redis of its own, every test file (or those named) against them, and the count.
import { join } from 'node:path'

import { connect } from '../src/platform/postgres/database.ts'
import { type Claim, claimFolder } from '../src/local/folder-lock.ts'
import { ensureInstalled } from '../src/local/install.ts'
import { openPostgres } from '../src/local/postgres.ts'
import { LocalProblem } from '../src/local/problem.ts'
import { openRedis } from '../src/local/redis.ts'
import { findSecrets, keepEmitted, missingKinds, openEmitted } from './support/emitted.ts'

const ROOT = join(import.meta.dir, '..')
const MAX_FAULTS_SHOWN = 20
const note = (line: string) => process.stderr.write(`hearth: ${line}\n`)

interface Stores {
  /** Where the tests keep what servers emit. */
  outputFolder: string
  databaseUrl: string
  redisUrl: string
  stop: () => Promise<void>
}

/** Stores named by HEARTH_TEST_* are used as they are; the others are started in `.hearth/test`. */
async function openStores(): Promise<Stores> {
  const { HEARTH_TEST_DATABASE_URL: databaseUrl, HEARTH_TEST_REDIS_URL: redisUrl } = process.env
  await ensureInstalled({ postgres: !databaseUrl, redis: !redisUrl }, note)
  const { dir, claim } = claimTestFolder()
  const database = await openPostgres({ dir, profile: 'test', note, url: databaseUrl })
  const redis = await openRedis({ dir, note, url: redisUrl }).catch(async (error: unknown) => {
    await database.stop()
    throw error
  })
  if (!databaseUrl) await sweep(database.url)
  const stop = async () => {
    await Promise.all([redis.stop(), database.stop()])
    claim.release()
  }
  return { outputFolder: join(dir, 'output'), databaseUrl: database.url, redisUrl: redis.url, stop }
}

/** Two test runs at once in one clone: each has stores of its own. */
function claimTestFolder(): { dir: string; claim: Claim } {
  for (let number = 1; number <= 16; number++) {
    const dir = join(ROOT, '.hearth', number === 1 ? 'test' : `test-${number}`)
    const claim = claimFolder(dir)
    if (claim) return { dir, claim }
  }
  throw new LocalProblem('Sixteen test runs are under way in this folder already.')
}

/** Databases left by a run that was killed go, and templates of older schemas, of which the newest few stay. */
async function sweep(url: string) {
  const sql = connect(url, 1, { applicationName: 'hearth-sweep' })
  const left = await sql<{ name: string }[]>`
    select datname as name from pg_database where datname like 'test\\_%' or datname like 'template\\_%\\_draft'
    union all
    (select datname from pg_database where datname like 'template\\_%\\_%' order by oid desc offset 4)`
  for (const { name } of left) await sql`drop database if exists ${sql(name)} with (force)`
  await sql.end()
}

/** Runs `bun test` and gives what its summary counted; its output passes through as it comes. */
async function runTests(stores: Stores, args: string[]): Promise<{ passed: number; failed: number }> {
  const { DATABASE_URL: _, REDIS_URL: __, ...inherited } = process.env
  // Each file in a fresh global object, so that none sees what another left behind.
  const child = Bun.spawn([process.execPath, 'test', '--isolate', '--timeout=30000', ...args], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: {
      ...inherited,
      HEARTH_TEST_DATABASE_URL: stores.databaseUrl,
      HEARTH_TEST_REDIS_URL: stores.redisUrl,
      ...openEmitted(stores.outputFolder),
      ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : {}),
    },
  })
  const passOn = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, passOn)
  let tail = ''
  const passOnStderr = async () => {
    for await (const chunk of child.stderr) {
      process.stderr.write(chunk)
      tail = (tail + new TextDecoder().decode(chunk)).slice(-4000)
    }
  }
  // Applications inside the tests' process log to its standard output.
  const keepLog = keepEmitted('logs', stores.outputFolder)
  const passOnStdout = async () => {
    for await (const line of linesOf(child.stdout)) {
      process.stdout.write(`${line}\n`)
      if (line.startsWith('{"level"')) keepLog(`${line}\n`)
    }
  }
  const reading = Promise.all([passOnStderr(), passOnStdout()])
  const code = await child.exited
  // A process that a failed test left behind may hold the pipe open: it must not keep the run from ending.
  await Promise.race([reading, Bun.sleep(1000)])
  const counted = (word: string) =>
    Number([...plain(tail).matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0)
  const [passed, failed] = [counted('pass'), counted('fail')]
  // A crash, an interruption or a pattern that matches nothing is a failure even where no test was counted as one.
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest) yield rest
}

const plain = (text: string) => Bun.stripANSI(text)

/**
 * One more test, over everything the run's servers wrote, traced and answered as errors: no key, secret, e-mail address
 * or phone number. A run of everything must have something of each kind to search.
 */
function searchForSecrets({ outputFolder }: Stores, isFullRun: boolean): boolean {
  const faults = findSecrets(outputFolder)
  if (isFullRun) faults.push(...missingKinds(outputFolder).map((kind) => `nothing was kept of the ${kind}`))
  const shown = faults.slice(0, MAX_FAULTS_SHOWN).map((fault) => `  ${fault}\n`)
  const verdict = faults.length === 0 ? '(pass)' : '(fail)'
  process.stderr.write(`\n${verdict} no secret or personal data in logs, traces and errors\n${shown.join('')}`)
  return faults.length === 0
}

async function countAndStop(stores: Stores) {
  const args = process.argv.slice(2)
  try {
    const { passed, failed } = await runTests(stores, args)
    const isClean = searchForSecrets(stores, args.length === 0)
    return { passed: passed + (isClean ? 1 : 0), failed: failed + (isClean ? 0 : 1) }
  } finally {
    await stores.stop()
  }
}

async function main(): Promise<number> {
  // The stores are stopped whatever happens: signals end the tests, not this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  try {
    const stores = await openStores()
    const { passed, failed } = await countAndStop(stores)
    process.stdout.write(`${passed} passed, ${failed} failed\n`)
    return failed === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof LocalProblem)) throw error
    process.stderr.write(`${error.message}\n`)
    process.stdout.write('0 passed, 1 failed\n')
    return 1
  }
}

process.exit(await main())
