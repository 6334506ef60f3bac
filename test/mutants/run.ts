// `npm run mutants`: applies each mutant of the list to a copy of this folder and runs the test that must fail.
// `npm run mutants -- sql/ refund` runs the mutants whose guarantee, file or test contains one of the words.
// `--jobs=2` runs two at a time.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { type TestStores, openTestStores } from '../support/open-stores.ts'
import { MUTANTS } from './list.ts'
import { type Mutant, lineOf } from './mutant.ts'
import { type Copy, dropTemplatesExcept, listTemplates, runTest } from './test-run.ts'
import type { Verdict } from './verdict.ts'

const ROOT = join(import.meta.dir, '../..')
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Redis has 16 databases, one per copy. */
const MAX_JOBS = 15
const say = (line: string) => void process.stdout.write(`${line}\n`)
const secondsSince = (startedMs: number) => ((performance.now() - startedMs) / 1000).toFixed(1)

async function main(args: readonly string[]): Promise<number> {
  const words = args.filter((arg) => !arg.startsWith('--')).map((word) => word.toLowerCase())
  const jobs = Number(args.find((arg) => arg.startsWith('--jobs='))?.slice('--jobs='.length) ?? 1)
  const text = ({ guarantee, file, killedBy }: Mutant) => `${guarantee} ${file} ${killedBy}`.toLowerCase()
  const chosen = MUTANTS.filter((one) => words.length === 0 || words.some((word) => text(one).includes(word)))
  const parent = mkdtempSync(join(tmpdir(), 'hearth-mutants-'))
  const stores = await openTestStores()
  // A signal ends the tests, which get it as well; the stores stop and the copies are deleted afterwards.
  let isStopped = false
  for (const signal of SIGNALS) process.on(signal, () => (isStopped = true))
  try {
    const numbers = Array.from({ length: Math.max(1, Math.min(jobs, MAX_JOBS)) }, (_, number) => number)
    const copies = await Promise.all(numbers.map((number) => copyRepository(parent, number)))
    return await runAll(stores, copies, chosen, () => isStopped)
  } finally {
    await stores.stop()
    rmSync(parent, { recursive: true, force: true })
  }
}

/** Runs every test once without a mutant, then the mutants. Returns 0 if all were killed. */
async function runAll(
  stores: TestStores,
  copies: readonly Copy[],
  mutants: readonly Mutant[],
  isStopped: () => boolean,
): Promise<number> {
  const startedMs = performance.now()
  const inTurn = async <T>(items: readonly T[], work: (item: T, copy: Copy) => Promise<void>) => {
    const rest = [...items]
    const takeTurns = async (copy: Copy) => {
      for (let item = rest.shift(); item && !isStopped(); item = rest.shift()) await work(item, copy)
    }
    await Promise.all(copies.map(takeTurns))
  }
  // The tests below create those of the present schema.
  await dropTemplatesExcept(stores, [])
  const broken = new Set<string>()
  await inTurn([...new Map(mutants.map((one) => [runId(one), one])).values()], async (one, copy) => {
    const { kind, detail } = await runTest(stores, copy, one, [])
    if (kind === 'survived') return
    broken.add(runId(one))
    say(`✗ ${runId(one)} fails without a mutant: ${detail}`)
  })
  const templates = await listTemplates(stores)
  const counts = { killed: 0, survived: 0, invalid: mutants.filter((one) => broken.has(runId(one))).length }
  const sound = mutants.filter((one) => !broken.has(runId(one)))
  await inTurn(sound, async (one, copy) => {
    const oneStartedMs = performance.now()
    const { line, verdict } = await runMutant(stores, copy, one, templates)
    counts[verdict.kind]++
    const took = `${secondsSince(oneStartedMs).padStart(5)} s`
    const isKilled = verdict.kind === 'killed'
    say(`${isKilled ? '✓' : '✗'} ${verdict.kind.padEnd(8)} ${took}  ${one.file}:${line}  ${one.guarantee}`)
    if (!isKilled) say(`    ${one.killedBy}: ${verdict.detail}`)
    // Other copies may be using theirs.
    if (copies.length === 1) await dropTemplatesExcept(stores, templates, { andTests: true })
  })
  await dropTemplatesExcept(stores, templates, { andTests: true })
  const { killed, survived, invalid } = counts
  const total = `${killed} killed, ${survived} survived, ${invalid} invalid`
  say(`${mutants.length} mutants: ${total}, in ${secondsSince(startedMs)} s`)
  return killed === mutants.length && killed > 0 ? 0 : 1
}

/** Mutants with the same id share the run without a mutant. */
const runId = ({ killedBy, tests }: Mutant) => (tests ? `${killedBy} -t '${tests}'` : killedBy)

/** Copies what Git knows or would add; the dependencies are shared. */
async function copyRepository(parent: string, number: number): Promise<Copy> {
  const folder = join(parent, String(number))
  const listed = await Bun.$`git ls-files --cached --others --exclude-standard -z`.cwd(ROOT).quiet().text()
  for (const path of listed.split('\0').filter(Boolean)) {
    if (!(await Bun.file(join(ROOT, path)).exists())) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(ROOT, path), join(folder, path))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return { folder, number }
}

/** Applies a mutant, runs its test and takes it back. */
async function runMutant(
  stores: TestStores,
  copy: Copy,
  mutant: Mutant,
  templates: readonly string[],
): Promise<{ line: number | undefined; verdict: Verdict }> {
  const path = join(copy.folder, mutant.file)
  const text = readFileSync(path, 'utf8')
  const line = lineOf(mutant, text)
  const invalid = (detail: string): Verdict => ({ kind: 'invalid', detail, hasRun: false })
  if (line === undefined) return { line, verdict: invalid('its text does not occur exactly once') }
  const mutated = text.replace(mutant.from, () => mutant.to)
  const [, loader] = /\.(tsx?)$/.exec(path) ?? []
  const fault = loader === 'ts' || loader === 'tsx' ? syntaxFault(mutated, loader) : undefined
  if (fault !== undefined) return { line, verdict: invalid(`does not compile: ${fault}`) }
  writeFileSync(path, mutated)
  try {
    return { line, verdict: await runTest(stores, copy, mutant, templates) }
  } finally {
    writeFileSync(path, text)
  }
}

function syntaxFault(text: string, loader: 'ts' | 'tsx'): string | undefined {
  try {
    new Bun.Transpiler({ loader }).transformSync(text)
    return undefined
  } catch (error) {
    return String(error)
  }
}

process.exit(await main(process.argv.slice(2)))
