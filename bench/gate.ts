// What the gate (identity, scope, limits, headers) adds to the CPU of a cached catalog read: two servers side by side, one
// with it taken out, in alternating rounds. Exits with 1 when it adds more than a quarter, noise set aside.
//   node bin/with-bun.mjs bench/gate.ts
import { join } from 'node:path'

import { readConfig } from '../src/config.ts'
import { openDeps } from '../src/deps.ts'
import { createKey } from '../src/features/keys/service.ts'
import { openPostgres } from '../src/platform/local/postgres.ts'
import { freePort } from '../src/platform/local/ports.ts'
import { until } from '../src/platform/local/processes.ts'
import { openRedis } from '../src/platform/local/redis.ts'
import { migrate } from '../src/platform/migrate.ts'
import { seed } from '../src/seed/seed.ts'
import type { Load } from './support/load.ts'

const ROOT = join(import.meta.dir, '..')
const ALLOWED = 0.25
const ROUNDS = Number(process.argv[2] ?? 7)
const ROUND_SECONDS = 1.5
/** Until the compiler has settled: before, its own threads are a third of all CPU time. */
const WARM_ROUNDS = 4
const CONNECTIONS = 100
/** Different callers at once: limits that are asked together share the asking, and the same caller's all of it. */
const CALLERS = 20

const note = (line: string) => process.stderr.write(`${line}\n`)

interface Server {
  readonly url: string
  /** User and system time of the process so far. */
  cpuSeconds(): Promise<number>
  stop(): Promise<unknown>
}

async function startServer(env: Record<string, string>, preload?: string): Promise<Server> {
  const [port, opsPort] = [await freePort(), await freePort()]
  const child = Bun.spawn([process.execPath, ...(preload ? ['--preload', preload] : []), 'src/server.ts'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', ...env, PORT: String(port), OPS_PORT: String(opsPort), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const metrics = () => fetch(`http://127.0.0.1:${opsPort}/metrics`).then((answer) => answer.text())
  const isReady = () =>
    fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  if (!(await until(isReady, 20_000))) throw new Error('A server did not become ready.')
  return {
    url: `http://127.0.0.1:${port}`,
    cpuSeconds: async () => Number(/^process_cpu_seconds_total (\S+)/m.exec(await metrics())?.[1]),
    stop: () => {
      child.kill('SIGTERM')
      return child.exited
    },
  }
}

/** CPU time of the server per answered request, in µs. */
async function measure(server: Server, path: string, headers: Load['headers']): Promise<number> {
  const load: Load = { url: server.url + path, connections: CONNECTIONS, seconds: ROUND_SECONDS, headers }
  const before = await server.cpuSeconds()
  const child = Bun.spawn([process.execPath, 'bench/support/load.ts', JSON.stringify(load)], { cwd: ROOT })
  const { ok, failed } = (await child.stdout.json()) as { ok: number; failed: number }
  if (failed > 0 || ok === 0) throw new Error(`${path}: ${failed} requests failed, ${ok} were answered.`)
  return (((await server.cpuSeconds()) - before) * 1e6) / ok
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

interface Comparison {
  without: number
  with: number
  added: number
  /** The median distance of a round's ratio from the median of all. */
  noise: number
}

async function compare(gated: Server, open: Server, path: string, headers: Load['headers']): Promise<Comparison> {
  const pairs: [without: number, with_: number][] = []
  for (const server of [open, gated]) for (let n = 0; n < WARM_ROUNDS; n++) await measure(server, path, headers)
  for (let round = 0; round < ROUNDS; round++) {
    // Each goes first half of the time.
    const [first, second] = round % 2 === 0 ? [open, gated] : [gated, open]
    const one = await measure(first, path, headers)
    const other = await measure(second, path, headers)
    pairs.push(round % 2 === 0 ? [one, other] : [other, one])
  }
  const ratios = pairs.map(([without, with_]) => with_ / without - 1)
  const added = median(ratios)
  return {
    without: median(pairs.map(([without]) => without)),
    with: median(pairs.map(([, with_]) => with_)),
    added,
    noise: median(ratios.map((ratio) => Math.abs(ratio - added))),
  }
}

/** The stores of the benchmark, with some pros in them, and a key of each caller. */
async function openStores() {
  const dir = join(ROOT, '.hearth/bench')
  const database = await openPostgres({ dir, profile: 'test', note, url: process.env['DATABASE_URL'] })
  const redis = await openRedis({ dir, note, url: process.env['REDIS_URL'] })
  const env = { DATABASE_URL: database.url, REDIS_URL: redis.url }
  const deps = openDeps(readConfig({ ...env, LOG_LEVEL: 'error' }))
  await migrate(deps.write.pool)
  const [{ count } = { count: 0 }] = await deps.write.run<{ count: number }>(
    'countPros',
    (sql) => sql`select count(*)::int as count from professionals`,
  )
  if (count === 0) await seed(deps.write.pool, { pros: 2000, seed: 1, now: new Date(), note })
  const request = { ownerEmail: 'bench@example.com', name: 'bench', rateMultiplier: 1_000_000 }
  const keys: string[] = []
  while (keys.length < CALLERS)
    keys.push((await createKey(deps, { ...request, scopes: ['services:read', 'pros:read', 'pricing:read'] })).secret)
  await deps.close()
  return { env, keys, stop: () => Promise.all([redis.stop(), database.stop()]) }
}

async function main(): Promise<boolean> {
  const stores = await openStores()
  const env = { ...stores.env, PUBLIC_RATE_PER_MINUTE: '100000000', TRUSTED_PROXIES: '127.0.0.1' }
  const [gated, open] = await Promise.all([startServer(env), startServer(env, './bench/support/without-gate.ts')])
  const anonymous = stores.keys.map((_, n) => ({ 'x-forwarded-for': `198.51.100.${n}` }))
  const keyed = stores.keys.map((key) => ({ authorization: `Bearer ${key}` }))
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  let isWithin = true
  process.stdout.write('| cached read | caller | µs without | µs with | added | noise |\n|---|---|---|---|---|---|\n')
  try {
    for (const path of ['/api/v1/services', '/api/v1/cities', '/api/v1/pricing?service=plumber'])
      for (const [caller, headers] of [['address', anonymous] as const, ['key', keyed] as const]) {
        const { without, with: with_, added, noise } = await compare(gated, open, path, headers)
        process.stdout.write(
          `| ${path} | ${caller} | ${without.toFixed(1)} | ${with_.toFixed(1)} | ${percent(added)} | ±${percent(noise)} |\n`,
        )
        isWithin &&= added - noise <= ALLOWED
      }
  } finally {
    await Promise.all([gated.stop(), open.stop()])
    await stores.stop()
  }
  return isWithin
}

process.exit((await main()) ? 0 : 1)
