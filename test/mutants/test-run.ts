// Runs the test of a mutant in a copy of the repository.
import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { connect } from '../../src/platform/postgres/open-database.ts'
import type { TestStores } from '../support/open-stores.ts'
import type { Mutant } from './mutant.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** A private copy of the repository in which one mutant at a time is applied. */
export interface Copy {
  readonly folder: string
  readonly number: number
}

/** The slowest of the named tests takes a fraction of this. */
const LIMIT_MS = 180_000
/** BASE_TEMPLATES_VARIABLE of test/support/database.ts, whose import would start stores. */
const BASE_TEMPLATES = 'HEARTH_TEST_BASE_TEMPLATES'

/**
 * Runs the test up to its first failure, and the whole of it where that failure was no assertion. The test databases are
 * made from the copy's SQL files; where one function differs, from `templates`.
 */
export async function runTest(
  stores: TestStores,
  copy: Copy,
  mutant: Mutant,
  templates: readonly string[],
): Promise<Verdict> {
  const bases = mutant.file.startsWith('sql/functions/')
    ? Object.fromEntries(templates.map((name) => [name.split('_')[1], name]))
    : {}
  const env = { ...stores.env, [BASE_TEMPLATES]: JSON.stringify(bases) }
  const verdict = await runOnce(copy, mutant, { env, flags: ['--bail=1'] })
  return verdict.kind === 'invalid' && verdict.hasRun ? await runOnce(copy, mutant, { env, flags: [] }) : verdict
}

async function runOnce(
  { folder, number }: Copy,
  { killedBy, tests, hangs }: Mutant,
  { env, flags }: { env: Record<string, string>; flags: readonly string[] },
): Promise<Verdict> {
  const report = join(folder, 'report.xml')
  rmSync(report, { force: true })
  const { DATABASE_URL: _, REDIS_URL: __, ...inherited } = process.env
  const reporter = ['--reporter=junit', `--reporter-outfile=${report}`]
  const chosen = tests ? ['-t', tests] : []
  const child = Bun.spawn([process.execPath, 'test', '--isolate', ...flags, ...reporter, ...chosen, `./${killedBy}`], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    // Each copy has a Redis database of its own.
    env: { ...inherited, ...env, BUN_TEST_WORKER_ID: String(number) },
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const written = Bun.file(report)
  const xml = (await written.exists()) ? await written.text() : undefined
  return verdictOf({ xml, output: stdout + stderr, isLate: child.signalCode === 'SIGKILL', hangs: hangs === true })
}

/** The template databases of the tests. */
export const listTemplates = (stores: TestStores): Promise<string[]> =>
  withAdmin(stores, async (admin) => {
    const rows = await admin<{ name: string }[]>`
      select datname as name from pg_database where datname like 'template\\_%\\_%'`
    return rows.map(({ name }) => name)
  })

/** Drops the other templates, which SQL mutants made; with `andTests` the databases of ended tests, too. */
export const dropTemplatesExcept = (
  stores: TestStores,
  kept: readonly string[],
  { andTests = false } = {},
): Promise<void> =>
  withAdmin(stores, async (admin) => {
    const rows = await admin<{ name: string }[]>`
      select datname as name from pg_database
      where datname like 'template\\_%\\_%' or (${andTests} and datname like 'test\\_%')`
    for (const { name } of rows.filter((row) => !kept.includes(row.name)))
      await admin`drop database if exists ${admin(name)} with (force)`
  })

async function withAdmin<T>(stores: TestStores, work: (admin: ReturnType<typeof connect>) => Promise<T>): Promise<T> {
  const admin = connect(stores.env['HEARTH_TEST_DATABASE_URL'] ?? '', 1, { applicationName: 'hearth-mutants' })
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}
