// A running server answers valid and hostile requests, reveals no internals and stays healthy. HEARTH_TEST_LONG=1 fuzzes
// for five minutes, HEARTH_FUZZ_SEED repeats a run.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { FEATURES } from '../../src/config.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { cloneDatabase } from '../support/database.ts'
import { type Fuzzer, openFuzzer } from '../support/fuzz/fuzzer.ts'
import { readKnownValues } from '../support/fuzz/known-values.ts'
import { createFuzzKeys } from '../support/fuzz/keys.ts'
import { type TestServer, startServer } from '../support/server.ts'
import { longForm } from '../support/long-form.ts'

const REQUESTS = 20_000
const SECONDS = longForm(5, 300)
const SEED = Number(process.env['HEARTH_FUZZ_SEED'] ?? crypto.getRandomValues(new Uint32Array(1))[0])
const WORKERS = 12
/** During the first part of a run, caches fill and the heap grows to its size. */
const WARM_UP_SHARE = 0.4
/** The growth allowed after that, in MiB, without garbage. Measured: 10 to 14, from caches that fill ever more slowly. */
const MAX_GROWTH_MIB = 24
const MAX_FAULTS = 20

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let server: TestServer
let fuzzer: Fuzzer

beforeAll(async () => {
  clone = await cloneDatabase('seeded')
  const credentials = await createFuzzKeys(clone.url)
  const features = Object.fromEntries(FEATURES.map((feature) => [feature, 'true']))
  const script = join(import.meta.dir, '../support/measured-server.ts')
  server = await startServer({ databaseUrl: clone.url, script, env: { TRUSTED_PROXIES: '127.0.0.1', ...features } })
  const known = await readKnownValues(server.url, credentials.keys)
  fuzzer = await openFuzzer({ url: server.url, seed: SEED, credentials, known })
}, 60_000)

afterAll(async () => {
  await server.stop()
  await clone.drop()
})

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

test(
  `at least ${REQUESTS} valid, mutated and broken requests get correct responses`,
  async () => {
    const startedMs = performance.now()
    const elapsed = () => (performance.now() - startedMs) / 1000
    const progress = () => Math.min(next / REQUESTS, elapsed() / SECONDS)
    const faults: string[] = []
    let next = 0
    let warmMiB: number | undefined
    const work = async () => {
      while (progress() < 1 && faults.length < MAX_FAULTS) {
        const number = next++
        for (const fault of await fuzzer.attempt(number)) faults.push(`request ${number} of seed ${SEED} ${fault}`)
        if (progress() > WARM_UP_SHARE && warmMiB === undefined) {
          warmMiB = 0
          warmMiB = await heldMiB()
        }
      }
    }
    await Promise.all(Array.from({ length: WORKERS }, work))
    const endMiB = await heldMiB()
    process.stderr.write(
      `fuzz: seed ${SEED}, ${next} requests in ${elapsed().toFixed(1)} s, ${Math.round(warmMiB ?? 0)} MiB held warm, ` +
        `${Math.round(endMiB)} MiB at the end, answers ${JSON.stringify(Object.fromEntries(fuzzer.statuses))}\n`,
    )
    if (faults.length > 0) throw new Error([...faults.slice(0, MAX_FAULTS), ...serverErrors()].join('\n\n'))
    expect(next).toBeGreaterThanOrEqual(REQUESTS)
    expect(endMiB - (warmMiB ?? 0)).toBeLessThan(MAX_GROWTH_MIB)
  },
  (SECONDS + 240) * 1000,
)

test('valid requests are among them, and the server is still ready afterwards', async () => {
  const expected = ['200', '201', '204', '400', '401', '403', '404', '405', '409', '414', '415']
  expect(expected.filter((status) => !fuzzer.statuses.has(status))).toEqual([])
  expect((await fetch(`${server.opsUrl}/readyz`)).status).toBe(200)
  expect((await fetch(`${server.url}/api/v1/services`)).status).toBe(200)
  expect(await metric('http_server_active_requests')).toBe(0)
  expect(serverErrors()).toEqual([])
})
