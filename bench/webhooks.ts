// Latency of webhooks from commit to the receiver's 200 at steady rates, and the highest rate, with one relay and one delivery
// worker on one machine. Run it with `node bin/with-bun.mjs bench/webhooks.ts [--seconds 10]`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { readConfig } from '../src/config.ts'
import { type Deps, openDeps } from '../src/deps.ts'
import { publicEventId } from '../src/webhooks/endpoints/events.ts'
import { createWebhook } from '../src/webhooks/endpoints/verbs/endpoints.ts'
import { openPostgres } from '../src/local/postgres.ts'
import { waitUntil } from '../src/platform/clock/deadlines.ts'
import { openRedis } from '../src/local/redis.ts'
import { migrate } from '../src/platform/postgres/migrate.ts'
import { seed } from '../src/local/seed/seed.ts'

const ROOT = join(import.meta.dir, '..')
const ENDPOINTS = 50
const RATES = [100, 1000]
const BACKLOG = 20_000

interface Latencies {
  count: number
  p50: number
  p99: number
  longest: number
  /** Arrivals per second between the first and the last. */
  perSecond: number
}

/** The receiver process responds immediately and records the arrival time of each event. */
function runReceiver(): void {
  let arrivals: [id: string, atMs: number][] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const id = request.headers.get('x-webhook-id')
      if (id) {
        await request.arrayBuffer()
        arrivals.push([id, Date.now()])
        return new Response('ok')
      }
      if (request.method === 'DELETE') arrivals = []
      return new URL(request.url).pathname === '/count' ? Response.json(arrivals.length) : Response.json(arrivals)
    },
  })
  process.stdout.write(`${server.url.href}\n`)
}

/** When the commit of each event's transaction was acknowledged, in ms since the epoch, by public event id. */
const committedAt = new Map<string, number>()

function latenciesOf(arrivals: readonly [string, number][]): Latencies {
  const first = new Map<string, number>()
  for (const [id, atMs] of arrivals) if (!first.has(id)) first.set(id, atMs)
  const times = [...first.values()]
  const sorted = [...first]
    .map(([id, atMs]) => Math.max(0, atMs - (committedAt.get(id) ?? 0)))
    .toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const seconds = (times.reduce((a, b) => Math.max(a, b), 0) - times.reduce((a, b) => Math.min(a, b), Infinity)) / 1000
  return {
    count: first.size,
    p50: at(0.5),
    p99: at(0.99),
    longest: at(1),
    perSecond: Math.round(first.size / Math.max(seconds, 0.001)),
  }
}

/** Writes `count` events about the pros in turn, in one transaction. */
async function writeEvents({ write, ids }: Deps, pros: readonly string[], count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, place) => ({
    id: ids.uuid(),
    pro: pros[place % pros.length],
    aggregate: ids.uuid(),
  }))
  const now = new Date().toISOString()
  await write.run(
    'writeEvents',
    (sql) => sql`
      insert into outbox_events (id, type, professional_id, aggregate_type, aggregate_id, sequence, data, created_at)
      select e.id, 'availability.updated', e.pro, 'professional', e.aggregate, 1,
        jsonb_build_object('object', jsonb_build_object('professionalId', e.pro, 'filler', repeat('x', 800))), ${now}
      from jsonb_to_recordset(${JSON.stringify(events)}::text::jsonb) as e (id uuid, pro uuid, aggregate uuid)`,
  )
  const atMs = Date.now()
  for (const { id } of events) committedAt.set(publicEventId(id), atMs)
}

/** Writes events at a steady rate, each in its own transaction. Returns how many. */
async function writeSteadily(deps: Deps, pros: readonly string[], perSecond: number, seconds: number): Promise<number> {
  const started = performance.now()
  const pending = new Set<Promise<void>>()
  let written = 0
  while (performance.now() - started < seconds * 1000) {
    const due = Math.floor(((performance.now() - started) / 1000) * perSecond)
    for (; written < due; written++) {
      const work = writeEvents(deps, [pros[written % pros.length] ?? ''], 1).finally(() => pending.delete(work))
      pending.add(work)
    }
    await Bun.sleep(2)
  }
  await Promise.all(pending)
  return written
}

async function startAll() {
  const log = (line: string) => process.stderr.write(`${line}\n`)
  const dir = join(ROOT, '.hearth/bench-webhooks')
  const database = await openPostgres({ dir, profile: 'bench', note: log })
  const redis = await openRedis({ dir, note: log })
  const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, WEBHOOK_ALLOW_PRIVATE: '1', LOG_LEVEL: 'warn' }
  const deps = openDeps(readConfig({ ...env, DATABASE_CONNECTIONS: '4' }), { databaseLimitMs: 60_000 })
  await migrate(deps.write.pool)
  await deps.write.pool.unsafe('truncate webhook_endpoints, webhook_events, outbox_events cascade')
  const [row] = await deps.write.pool`select count(*)::int as pros from professionals`
  if (!row?.['pros']) await seed(deps.write.pool, { pros: 500, seed: 1, now: new Date(), note: () => undefined })
  const receiver = Bun.spawn([process.execPath, import.meta.path, '--receiver'], { stdout: 'pipe' })
  const { value } = await receiver.stdout.getReader().read()
  const url = new TextDecoder().decode(value).trim()
  const pros = await deps.write.run<{ id: string; accountId: string }>(
    'pros',
    (sql) => sql`select id, account_id from professionals where active order by id limit ${ENDPOINTS}`,
  )
  for (const [place, { accountId }] of pros.entries())
    await createWebhook(deps, accountId, { name: 'bench', url: `${url}${place}`, events: ['availability.updated'] })
  const workers = ['relay-outbox', 'deliver-webhooks'].map((name) =>
    Bun.spawn([process.execPath, join(ROOT, `workers/actors/${name}.ts`)], {
      env: { ...process.env, ...env },
      stdout: 'inherit',
    }),
  )
  const stop = async () => {
    for (const child of [...workers, receiver]) child.kill()
    await Promise.all([...workers, receiver].map(({ exited }) => exited))
    await deps.close()
    await Promise.all([database.stop(), redis.stop()])
  }
  const postmaster = Number(readFileSync(join(dir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
  const usage = () => ({
    relay: cpuMs(workers[0]?.pid ?? 0),
    worker: cpuMs(workers[1]?.pid ?? 0),
    receiver: cpuMs(receiver.pid),
    postgres: postgresMs(postmaster),
  })
  return { deps, target: { url, usage }, pros: pros.map(({ id }) => id), stop }
}

type Measured = Latencies & { written: number; cpu: Record<string, number> }

/** CPU time that a process has used, in ms; 0 where /proc is missing. It depends on machine load much less than rates do. */
function cpuMs(pid: number): number {
  const stat = `/proc/${pid}/stat`
  if (!existsSync(stat)) return 0
  const fields = readFileSync(stat, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** CPU time of the postmaster's children, one per connection, in ms. */
function postgresMs(postmaster: number): number {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(postmaster)])
  const pids = stdout.toString().trim().split(/\s+/).map(Number)
  return pids.reduce((sum, pid) => sum + cpuMs(pid), 0)
}

async function measure(
  { url, usage }: { url: string; usage: () => Record<string, number> },
  write: () => Promise<number>,
): Promise<Measured> {
  await fetch(url, { method: 'DELETE' })
  const before = usage()
  const written = await write()
  await waitUntil(async () => Number(await (await fetch(`${url}count`)).text()) >= written, 120_000, 200)
  const cpu = Object.fromEntries(Object.entries(usage()).map(([name, ms]) => [name, ms - (before[name] ?? 0)]))
  return { written, cpu, ...latenciesOf((await (await fetch(url)).json()) as [string, number][]) }
}

async function main(): Promise<void> {
  const seconds = Number(process.argv[process.argv.indexOf('--seconds') + 1] || 10) || 10
  const { deps, target, pros, stop } = await startAll()
  const print = (title: string, f: Measured) =>
    process.stdout.write(
      `${title}: ${f.count} of ${f.written} arrived, ${f.perSecond}/s, p50 ${f.p50} ms, p99 ${f.p99} ms, longest ${f.longest} ms; ` +
        `CPU per event: ${Object.entries(f.cpu)
          .map(([name, ms]) => `${name} ${(ms / f.count).toFixed(2)} ms`)
          .join(', ')}\n`,
    )
  try {
    // Warm-up: opens connections and confirms that every endpoint responds.
    await measure(target, () => writeSteadily(deps, pros, 200, 3))
    for (const rate of RATES)
      print(`${rate}/s, one commit per event`, await measure(target, () => writeSteadily(deps, pros, rate, seconds)))
    const drain = await measure(target, async () => {
      for (let written = 0; written < BACKLOG; written += 1000) await writeEvents(deps, pros, 1000)
      return BACKLOG
    })
    print(`backlog of ${BACKLOG}, one delivery worker`, drain)
  } finally {
    await stop()
  }
}

if (process.argv.includes('--receiver')) runReceiver()
else await main()
