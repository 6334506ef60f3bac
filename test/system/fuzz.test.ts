// A running server answers valid and hostile requests to its API, tools and pages, reveals no internals, serves others
// meanwhile and stays healthy. HEARTH_TEST_LONG=1 fuzzes for ten minutes, HEARTH_FUZZ_SEED repeats a run.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { FEATURES } from '../../src/config.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { bystanderP99 } from '../support/bystander.ts'
import { cloneDatabase } from '../support/database.ts'
import { openFuzzer } from '../support/fuzz/fuzzer.ts'
import { readKnownValues } from '../support/fuzz/known-values.ts'
import { createFuzzKeys } from '../support/fuzz/keys.ts'
import { PATIENT, startServer } from '../support/server.ts'
import { longForm } from '../support/long-form.ts'
import { opened } from '../support/fixture.ts'

const MIN_REQUESTS = 5000
/** Kinds of links and forms that each browser finds at least. */
const MIN_FOUND = 20
const VALID_SECONDS = 10
const SECONDS = longForm(30, 600)
const SEED = Number(process.env['HEARTH_FUZZ_SEED'] ?? crypto.getRandomValues(new Uint32Array(1))[0])
const WORKERS = 12
const SLOW_CLIENTS = 24
/** Of a bystander's p99 beside hostile requests to that beside as many valid ones. */
const MAX_RATIO = 3
/** What the bystander reads. */
const READS = ['/api/v1/cities?limit=5', '/', '/api/v1/pros?limit=5', '/api/v1/services']
const BYSTANDER = { 'x-forwarded-for': '198.51.100.7' }
/** During the first part of a run, caches fill and the heap grows to its size. */
const WARM_UP_SHARE = 0.4
/** The growth allowed after that, in MiB, without garbage. Measured: 15 to 24, from caches that fill ever more slowly. */
const MAX_GROWTH_MIB = 40
const MAX_FAULTS = 20
const clone = await opened(cloneDatabase('seeded'), 'drop')
const credentials = await createFuzzKeys(clone.url)
const features = Object.fromEntries(FEATURES.map((feature) => [feature, 'true']))
const script = join(import.meta.dir, '../support/measured-server.ts')
const server = await opened(
  startServer({ databaseUrl: clone.url, script, env: { TRUSTED_PROXIES: '127.0.0.1', ...features, ...PATIENT } }),
  'stop',
)
const known = await readKnownValues(server.url, credentials.keys)
const fuzzer = await openFuzzer({ url: server.url, seed: SEED, credentials, known })

/** The errors in the server's log. */
const serverErrors = () =>
  server
    .log()
    .filter(({ level }) => level === 'error')
    .slice(0, 5)
    .map((line) => `the server logged: ${JSON.stringify(line)}`)

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${server.opsUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
}

/** The memory of the server after garbage collection. */
async function heldMiB(): Promise<number> {
  const memoryLines = () => server.log().filter(({ msg }) => msg === 'memory')
  const before = memoryLines().length
  server.signal('SIGUSR2')
  expect(await waitUntil(() => memoryLines().length > before, 10_000)).toBe(true)
  return Number(memoryLines().at(-1)?.['heldMiB'])
}

/** Runs the fuzzer's workers for some seconds, with a bystander besides. Returns the bystander's p99 in ms. */
async function fuzz(seconds: number, isHostile: boolean, onProgress: (share: number) => void): Promise<number> {
  const startedMs = performance.now()
  const share = () => (performance.now() - startedMs) / 1000 / seconds
  const goesOn = () => share() < 1 && faults.length < MAX_FAULTS
  const work = async (attempt: (number: number) => Promise<string[]>) => {
    while (goesOn()) {
      const number = sent++
      for (const fault of await attempt(number)) faults.push(`request ${number} of seed ${SEED} ${fault}`)
      onProgress(share())
    }
  }
  const attempt = (number: number) => fuzzer.attempt(number, isHostile)
  const slow = isHostile ? SLOW_CLIENTS : 0
  const [p99] = await Promise.all([
    bystanderP99((number) => fetch(server.url + (READS[number % READS.length] ?? '/'), { headers: BYSTANDER }), goesOn),
    ...Array.from({ length: WORKERS }, () => work(attempt)),
    ...Array.from({ length: slow }, () => work((number) => fuzzer.attemptSlowly(number))),
  ])
  return p99
}

const faults: string[] = []
let sent = 0

test(
  'hostile requests get correct responses, others are served meanwhile, and memory stays bounded',
  async () => {
    const validP99 = await fuzz(VALID_SECONDS, false, () => {})
    let warmMiB: Promise<number> | undefined
    const hostileP99 = await fuzz(SECONDS, true, (share) => {
      if (share > WARM_UP_SHARE) warmMiB ??= heldMiB()
    })
    const growthMiB = (await heldMiB()) - ((await warmMiB) ?? 0)
    process.stderr.write(
      `fuzz: seed ${SEED}, ${sent} requests in ${VALID_SECONDS + SECONDS} s; p99 of a bystander ${validP99.toFixed(1)} ms ` +
        `beside valid and ${hostileP99.toFixed(1)} ms beside hostile requests; growth ${growthMiB.toFixed(1)} MiB; ` +
        `kinds of links and forms ${fuzzer.walkers.map(({ found }) => found).join(', ')}; ` +
        `answers ${JSON.stringify(Object.fromEntries(fuzzer.statuses))}\n`,
    )
    if (faults.length > 0) throw new Error([...faults.slice(0, MAX_FAULTS), ...serverErrors()].join('\n\n'))
    expect(sent).toBeGreaterThanOrEqual(MIN_REQUESTS)
    expect(hostileP99 / validP99).toBeLessThan(MAX_RATIO)
    expect(growthMiB).toBeLessThan(MAX_GROWTH_MIB)
  },
  (SECONDS + 240) * 1000,
)

test('each browser finds its way, and keeps its session', () => {
  for (const { email, found, logins } of fuzzer.walkers) {
    expect([email, found > MIN_FOUND]).toEqual([email, true])
    expect([email, logins]).toEqual([email, email ? 1 : 0])
  }
})

test('valid requests are among them, and the server is still ready afterwards', async () => {
  const expected = ['200', '201', '204', '400', '401', '403', '404', '405', '409', '414', '415']
  expect(expected.filter((status) => !fuzzer.statuses.has(status))).toEqual([])
  expect((await fetch(`${server.opsUrl}/readyz`)).status).toBe(200)
  expect((await fetch(`${server.url}/api/v1/services`)).status).toBe(200)
  expect(await metric('http_server_active_requests')).toBe(0)
  expect(serverErrors()).toEqual([])
})
