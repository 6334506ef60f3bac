// `npm run check`: everything that can be checked without running the tests. Prints a line for each step, and details of
// the steps that failed.
import { join } from 'node:path'

import { COLLECT_RARELY, KEEP_MEMORY } from './support/keep-memory.ts'

const ROOT = join(import.meta.dir, '..')
const bun = process.execPath
/** The command line of a development tool. Bun runs it, so that no certain version of Node is needed. */
const tool = (name: string, ...args: string[]) => [bun, '--bun', join(ROOT, 'node_modules/.bin', name), ...args]

const LINT = ['--deny-warnings', '--format=unix']
const WORDS = [
  ...'--no-progress --no-summary --unique --cache --cache-strategy=content'.split(' '),
  '--cache-location=.hearth/words',
]
const PEERS = 'bench/peers'

const STEPS: readonly { name: string; command: readonly string[]; fix?: string }[] = [
  { name: 'format', command: tool('oxfmt', '--check', '.'), fix: 'npm run format' },
  // The rules need the types anyway: one program reports both, in half of the time of two.
  { name: 'lint, types', command: tool('oxlint', ...LINT, '--type-check', '--ignore-pattern', PEERS) },
  // Peers have packages of their own, which are not installed here.
  { name: 'lint of peers', command: tool('oxlint', ...LINT, PEERS) },
  { name: 'styles', command: [bun, 'test', './test/web/ui/style-sheets.test.ts', './test/web/ui/tokens.test.ts'] },
  {
    name: 'words',
    command: tool('cspell', ...WORDS),
    fix: 'a plainer word, or words.txt',
  },
  { name: 'architecture', command: [bun, 'test', './test/architecture.test.ts', './test/architecture-rules.test.ts'] },
  { name: 'supply chain', command: [bun, 'test', './test/supply-chain.test.ts'], fix: 'npm run licenses' },
  { name: 'audit', command: [bun, 'test/audit.ts'] },
  { name: 'mutants', command: [bun, 'test', './test/mutants/mutants.test.ts'] },
  { name: 'upgrades', command: [bun, 'test', './test/platform/postgres/upgrade-rules.test.ts'] },
  { name: 'openapi', command: [bun, 'test', './test/http/openapi.test.ts'] },
  { name: 'schema', command: [bun, 'test/database-files.ts'], fix: 'npm run schema' },
  { name: 'settings', command: [bun, 'test/write-configuration.ts'], fix: 'npm run configuration' },
  { name: 'directories', command: [bun, 'test/write-directories.ts'], fix: 'npm run directories' },
]

/** The number of lines shown of a failed step. */
const MAX_DETAILS = 60

/** What a step could not check, for the end of the output. */
const notes: string[] = []

/** Runs one step, prints its result and returns whether it passed. A step that notes what it could not check gets no tick. */
async function run({ name, command, fix }: (typeof STEPS)[number]): Promise<boolean> {
  const startedMs = performance.now()
  const env = { ...process.env, ...KEEP_MEMORY, ...COLLECT_RARELY }
  const child = Bun.spawn([...command], { cwd: ROOT, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  const noted = stdout.split('\n').filter((line) => line.startsWith('note: '))
  notes.push(...noted.map((line) => `${name}: ${line.slice('note: '.length)}`))
  const mark = code !== 0 ? '✗' : noted.length > 0 ? '?' : '✓'
  process.stdout.write(`${mark} ${name.padEnd(13)} ${seconds.padStart(5)} s\n`)
  if (code === 0) return true
  const lines = Bun.stripANSI(`${stdout}\n${stderr}`).trim().split('\n')
  const details = lines.filter((line) => !line.startsWith('(pass)'))
  const more = details.length > MAX_DETAILS ? [`… and ${details.length - MAX_DETAILS} more lines`] : []
  for (const line of [...details.slice(0, MAX_DETAILS), ...more, ...(fix ? [`→ ${fix}`] : [])])
    process.stdout.write(`    ${line}\n`)
  return false
}

const passed = await Promise.all(STEPS.map(run))
for (const note of notes) process.stdout.write(`NOT CHECKED ${note}\n`)
process.exitCode = passed.every(Boolean) ? 0 : 1
