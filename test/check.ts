// `npm run check`: everything about the code that can be known without running the tests. A line for each step, details
// only of what failed.
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')
const bun = process.execPath
/** A development tool by the name of its command, run by Bun so that no Node of a certain version is needed. */
const tool = (name: string, ...args: string[]) => [bun, '--bun', join(ROOT, 'node_modules/.bin', name), ...args]

const STEPS: readonly { name: string; command: readonly string[]; mend?: string }[] = [
  { name: 'format', command: tool('oxfmt', '--check', '.'), mend: 'npm run format' },
  { name: 'lint', command: tool('oxlint', '--deny-warnings', '--format=unix') },
  { name: 'types', command: tool('tsc', '--noEmit') },
  {
    name: 'words',
    command: tool('cspell', '--no-progress', '--no-summary', '--unique'),
    mend: 'a plainer word, or words.txt',
  },
  { name: 'architecture', command: [bun, 'test', '--timeout=30000', './test/architecture.test.ts'] },
  { name: 'openapi', command: [bun, 'test', '--timeout=30000', './test/http/openapi.test.ts'] },
  { name: 'schema', command: [bun, 'test/schema-dump.ts'], mend: 'npm run schema' },
]

/** Lines shown of what failed. */
const MAX_DETAILS = 60

/** Runs one step, says how it went, and gives whether it passed. */
async function run({ name, command, mend }: (typeof STEPS)[number]): Promise<boolean> {
  const startedMs = performance.now()
  const child = Bun.spawn([...command], { cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [code, said, complained] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name.padEnd(12)} ${seconds.padStart(5)} s\n`)
  if (code === 0) return true
  const details = Bun.stripANSI(`${said}\n${complained}`).trim().split('\n')
  const more = details.length > MAX_DETAILS ? [`… and ${details.length - MAX_DETAILS} lines more`] : []
  for (const line of [...details.slice(0, MAX_DETAILS), ...more, ...(mend ? [`→ ${mend}`] : [])])
    process.stdout.write(`    ${line}\n`)
  return false
}

const passed = await Promise.all(STEPS.map(run))
process.exitCode = passed.every(Boolean) ? 0 : 1
