// `npm test`: starts a PostgreSQL and a Redis, runs every test file (or those named) in parallel, and prints the count.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { LocalSetupError } from '../src/local/setup-error.ts'
import { recordEmitted } from './support/emitted.ts'
import { KEEP_MEMORY } from './support/keep-memory.ts'
import { type TestStores, openTestStores } from './support/open-stores.ts'

const ROOT = join(import.meta.dir, '..')
/** Tests that measure time need the machine to themselves, so they run one after the other. */
const ALONE = [
  'test/bench/smoke.test.ts',
  'test/features/booking/bookings/bookings.test.ts',
  'test/features/business/pros/import-oracle.test.ts',
  'test/system/cluster.test.ts',
  'test/system/drain.test.ts',
  'test/system/fuzz.test.ts',
  'test/system/hostile-calendars.test.ts',
  'test/system/outage.test.ts',
  'test/system/overload.test.ts',
  'test/system/phones.test.ts',
  'test/system/replicas.test.ts',
  'test/system/rolling-restart.test.ts',
  'test/system/silent-hosts.test.ts',
  'test/system/slow-bodies.test.ts',
  'test/system/upgrade.test.ts',
  'test/web/crawl.test.ts',
  'test/web/responsiveness.test.ts',
  'test/webhooks/fairness.test.ts',
]
/** Tests that start servers, workers and stores of their own, and mostly wait for them: two at a time. */
const PAIRS = [
  'test/ops/opening.test.ts',
  'test/system/',
  'test/idempotency/idempotency.test.ts',
  'test/webhooks/flaky.test.ts',
  'test/workers/runtime/process.test.ts',
]
/** Searches what all others emitted, so it runs after them. */
const LAST_FILE = 'test/system/emitted.test.ts'
/** Tests wait for processes, timers and stores for about half of their time. Redis has 16 databases, one per worker. */
const WORKERS = Number(process.env['HEARTH_TEST_WORKERS']) || Math.min(availableParallelism() + 1, 8)
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Aborted by a signal, which ends the tests that run and starts no others. The stores stop afterwards. */
const interruption = new AbortController()

interface Count {
  passed: number
  failed: number
  /** What the failed tests printed, for the end of the output: a long output is often cut at its start. */
  failures: readonly string[]
}

/** Runs `bun test`, passes its output on as it comes, and returns what its summary counts. */
async function runTests(stores: TestStores, args: readonly string[], env: Record<string, string>): Promise<Count> {
  const { DATABASE_URL: _, REDIS_URL: __, ...inherited } = process.env
  const child = Bun.spawn([process.execPath, 'test', ...args], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...inherited, ...stores.env, ...env, ...KEEP_MEMORY, ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : {}) },
  })
  const passOn = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, passOn)
  let [tail, seen] = ['', 0]
  const failures = failureReader()
  const readStderr = async () => {
    for await (const line of linesOf(child.stderr)) {
      process.stderr.write(`${line}\n`)
      tail = `${tail}${line}\n`.slice(-4000)
      const text = Bun.stripANSI(line)
      if (text.startsWith('(pass)')) seen++
      failures.read(text)
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
  // A run that was interrupted prints no summary.
  const [passed, failed] = [counted('pass') || seen, counted('fail') || failures.found.length]
  // A crash, an interruption and a pattern that matches nothing are failures even where no test is counted as one.
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed, failures: failures.found }
}

const MAX_FAILURE_LINES = 60

/** What `bun test` prints of a file that could not begin, between two lines of dashes. */
const OUTSIDE_TESTS = '# Unhandled error between tests'

/** Collects each failed test with its file and the lines since the test before it, and each error outside of tests. */
function failureReader() {
  let [file, lines] = ['', [] as string[]]
  const found: string[] = []
  const isOutsideTests = () => lines.includes(OUTSIDE_TESTS) && lines.filter((one) => /^-{20,}$/.test(one)).length === 2
  const read = (line: string) => {
    if (/^-{20,}$/.test(line)) {
      lines.push(line)
      if (!isOutsideTests()) return
      found.push([file, ...lines].join('\n'))
    } else if (/^test\/\S+\.test\.ts:$/.test(line)) file = line
    // `bun test` repeats the lines of failed tests at its end.
    else if (line.startsWith('(fail)') && !found.some((one) => one.endsWith(`\n${line}`)))
      found.push([file, ...lines, line].join('\n'))
    else if (!line.startsWith('(pass)')) return void (lines = [...lines, line].slice(-MAX_FAILURE_LINES))
    lines = []
  }
  return { read, found }
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

/** Runs the test files whose paths contain one of the patterns, or all; `flags` go to `bun test`. */
async function runAll(stores: TestStores, patterns: readonly string[], flags: readonly string[]): Promise<Count> {
  const files = [...new Bun.Glob('test/**/*.test.ts').scanSync(ROOT)].filter(
    (file) => file !== LAST_FILE && (patterns.length === 0 || patterns.some((one) => file.includes(plainPath(one)))),
  )
  const startsWithOne = (paths: readonly string[]) => (file: string) => paths.some((path) => file.startsWith(path))
  const [runsAlone, runsInPairs] = [startsWithOne(ALONE), startsWithOne(PAIRS)]
  const sideBySide = (workers: number) => [
    `--parallel=${workers}`,
    `--timings=${join(ROOT, 'test/timings.json')}`,
    ...flags,
  ]
  const [alone, others] = [files.filter(runsAlone), files.filter((file) => !runsAlone(file))]
  const run = async (options: readonly string[], paths: readonly string[], env = {}): Promise<Count> =>
    paths.length === 0 || interruption.signal.aborted
      ? { passed: 0, failed: 0, failures: [] }
      : await runTests(stores, [...options, ...paths.map((path) => `./${path}`)], env)
  const counts = [
    await run(sideBySide(WORKERS), others.filter((file) => !runsInPairs(file)).toSorted()),
    await run(sideBySide(2), others.filter(runsInPairs).toSorted()),
    await run(['--isolate', ...flags], alone.toSorted()),
    await run([], [LAST_FILE], { HEARTH_TEST_WHOLE_RUN: String(files.length > 0 && patterns.length === 0) }),
  ]
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const failed = sum(counts.map((count) => count.failed)) + (files.length === 0 ? 1 : 0)
  return {
    passed: sum(counts.map((count) => count.passed)),
    failed,
    failures: counts.flatMap((count) => count.failures),
  }
}

const plainPath = (pattern: string) => pattern.replace(/^\.\//, '')

async function main(): Promise<number> {
  for (const signal of SIGNALS) process.on(signal, () => interruption.abort())
  try {
    const stores = await openTestStores()
    let count: Count
    try {
      const args = process.argv.slice(2)
      const isFlag = (arg: string) => arg.startsWith('-')
      count = await runAll(
        stores,
        args.filter((arg) => !isFlag(arg)),
        args.filter(isFlag),
      )
    } finally {
      await stores.stop()
    }
    const { passed, failed, failures } = count
    // The tests that failed, once more: a long output is often cut at its start.
    for (const failure of failures) process.stdout.write(`\nFailed in ${failure}\n`)
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
