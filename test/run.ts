// `npm test`: starts a PostgreSQL and a Redis, runs every test file (or those named) in parallel, and prints the count.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { LocalSetupError } from '../src/local/setup-error.ts'
import { recordEmitted } from './support/emitted.ts'
import { type TestStores, openTestStores } from './support/open-stores.ts'

const ROOT = join(import.meta.dir, '..')
/** Searches what all others emitted, so it runs after them. */
const LAST_FILE = 'test/system/emitted.test.ts'
/** Tests wait for processes, timers and stores for about half of their time. */
const WORKERS = Number(process.env['HEARTH_TEST_WORKERS']) || availableParallelism() + 1
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

interface Count {
  passed: number
  failed: number
}

/** Runs `bun test`, passes its output on as it comes, and returns what its summary counts. */
async function runTests(stores: TestStores, args: readonly string[], env: Record<string, string>): Promise<Count> {
  const { DATABASE_URL: _, REDIS_URL: __, ...inherited } = process.env
  const child = Bun.spawn([process.execPath, 'test', ...args], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...inherited, ...stores.env, ...env, ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : {}) },
  })
  const passOn = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, passOn)
  let tail = ''
  const readStderr = async () => {
    for await (const chunk of child.stderr) {
      process.stderr.write(chunk)
      tail = (tail + new TextDecoder().decode(chunk)).slice(-4000)
    }
  }
  // Applications in the tests' own processes log to standard output.
  const keepLog = recordEmitted('logs', stores.outputFolder)
  const readStdout = async () => {
    for await (const line of linesOf(child.stdout)) {
      process.stdout.write(`${line}\n`)
      if (line.startsWith('{"level"')) keepLog(`${line}\n`)
    }
  }
  const reading = Promise.all([readStderr(), readStdout()])
  const code = await child.exited
  for (const signal of SIGNALS) process.off(signal, passOn)
  // A process left behind by a failed test may hold the pipe open.
  await Promise.race([reading, Bun.sleep(1000)])
  const counted = (word: string) =>
    Number([...Bun.stripANSI(tail).matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0)
  const [passed, failed] = [counted('pass'), counted('fail')]
  // A crash, an interruption and a pattern that matches nothing are failures even where no test is counted as one.
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

async function runAll(stores: TestStores, patterns: readonly string[]): Promise<Count> {
  const timings = `--timings=${join(ROOT, 'test/timings.json')}`
  const parallel = ['--isolate', `--parallel=${WORKERS}`, timings, `--path-ignore-patterns=${LAST_FILE}`]
  const tests = await runTests(stores, [...parallel, ...patterns], {})
  const isWholeRun = patterns.length === 0
  const search = await runTests(stores, [`./${LAST_FILE}`], { HEARTH_TEST_WHOLE_RUN: String(isWholeRun) })
  return { passed: tests.passed + search.passed, failed: tests.failed + search.failed }
}

async function main(): Promise<number> {
  // The stores stop after the tests: signals end the tests, not this process.
  for (const signal of SIGNALS) process.on(signal, () => undefined)
  try {
    const stores = await openTestStores()
    let count: Count
    try {
      count = await runAll(stores, process.argv.slice(2))
    } finally {
      await stores.stop()
    }
    const { passed, failed } = count
    process.stdout.write(`${passed} passed, ${failed} failed\n`)
    return failed === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof LocalSetupError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.stdout.write('0 passed, 1 failed\n')
    return 1
  }
}

process.exit(await main())
