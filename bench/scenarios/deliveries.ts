// From committed events to the receiver's 200: Hearth's relay and one delivery worker, compared with Graphile Worker running
// one job per event.
import { readConfig } from '../../src/config.ts'
import { type Deps, openDeps } from '../../src/deps.ts'
import { createWebhook } from '../../src/webhooks/endpoints/verbs/endpoints.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { Bench, Scenario } from '../support/bench.ts'
import { cpuMsWithChildren, cpuMs } from '../support/cpu.ts'
import type { Dataset } from '../support/datasets.ts'
import { type Latency, measureLatency } from '../support/delivery-latency.ts'
import { peerCommand } from '../support/peers.ts'
import { type Aim, type Row, metricsOfAll } from '../support/result.ts'
import { type Contender, cpuOf, measureInTurns, rateOf, ratioTo } from '../support/rounds.ts'
import type { TestedServer } from '../support/servers.ts'
import { estimate } from '../support/statistics.ts'
import { ROOT } from '../support/stores.ts'
import { ctxOf } from '../../src/ctx.ts'

const ENDPOINTS = 50
const EVENTS_PER_SECOND = 2500
const PER_COMMIT = 500
const MAX_WAIT_MS = 120_000
const FILLER_BYTES = 800
/** The rates of events at which latency is measured. */
const STEADY_PER_SECOND = [100, 5]
const LATENCY_SECONDS = { full: 30, quick: 11, smoke: 0.3 }
const REMARK =
  'Hearth claims each delivery, logs each attempt and shares capacity fairly among 50 endpoints. Graphile Worker runs plain jobs.'
const PEER = 'Graphile Worker'

export const deliveries: Scenario = {
  name: 'deliveries',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    await data.sql`truncate webhook_endpoints, webhook_events, outbox_events cascade`
    const receiver = await bench.server('receiver', [process.execPath, 'bench/support/receiver.ts'], '/')
    const deps = openDeps(readConfig(environmentOf(bench, 'error')), { databaseLimitMs: 60_000 })
    const pros = await addEndpoints(deps, data, receiver.url)
    const hearth = startWorkers(bench, [
      [process.execPath, 'workers/actors/relay-outbox.ts'],
      [process.execPath, 'workers/actors/deliver-webhooks.ts'],
    ])
    const graphile = bench.hasPeers ? await startGraphile(bench) : []
    try {
      const samples = await measureInTurns(
        [
          contender(bench, 'Hearth', receiver, hearth, (count) => writeEvents(deps, pros, count)),
          ...(bench.hasPeers
            ? [contender(bench, PEER, receiver, graphile, (count) => addJobs(data, receiver.url, count))]
            : []),
        ],
        options.rounds,
      )
      const { Hearth: ours = [] } = samples
      const latencies = await measureLatencies(bench, receiver.url, { deps, pros })
      return [
        {
          id: 'deliveries',
          title: 'Webhooks, from a backlog of committed events to a receiver',
          metrics: metricsOfAll(samples),
          aims: [
            { name: 'deliveries per second', value: estimate(ours.map(rateOf)), unit: '/s', isListed: true },
            ...ratioTo(samples, PEER, rateOf).map((value) => ({
              name: `× ${PEER} with one job per event`,
              value,
              isListed: true,
            })),
            ...ratioTo(samples, PEER, cpuOf).map((value) => ({
              name: `× the CPU of ${PEER} per delivery`,
              value,
              lessIsBetter: true,
            })),
            ...latencyAims(latencies),
          ],
          remark: `${countSamples(latencies)} ${REMARK}`,
        },
      ]
    } finally {
      await deps.close()
      for (const child of [...hearth, ...graphile]) child.kill('SIGTERM')
      await Promise.all([...hearth, ...graphile].map(({ exited }) => exited))
      await data.sql`truncate webhook_endpoints, webhook_events, outbox_events cascade`
      await data.sql`drop schema if exists graphile_worker cascade`
    }
  },
}

type Worker = Bun.Subprocess

/** Starts Graphile Worker, which creates its tables. */
async function startGraphile(bench: Bench): Promise<Worker[]> {
  const started = startWorkers(bench, [await peerCommand('graphile-worker/deliver.ts', (line) => bench.log(line))])
  const hasTables = async () => {
    const [row] = await bench.data.sql`select to_regclass('graphile_worker._private_jobs') is not null as exists`
    return row?.['exists'] === true
  }
  await waitUntil(hasTables, 20_000)
  return started
}

const environmentOf = ({ data, options }: Bench, logLevel: string) => ({
  DATABASE_URL: data.url,
  REDIS_URL: options.stores.redisUrl,
  WEBHOOK_ALLOW_PRIVATE: '1',
  LOG_LEVEL: logLevel,
})

function startWorkers(bench: Bench, commands: readonly (readonly string[])[]): Worker[] {
  return commands.map((command) =>
    Bun.spawn([...command], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', ...environmentOf(bench, 'warn') },
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  )
}

/** Creates one endpoint at the receiver for each of 50 pros. Returns the pros' ids. */
async function addEndpoints(deps: Deps, { sql }: Dataset, url: string): Promise<string[]> {
  const pros = await sql<{ id: string; accountId: string }[]>`
    select id, account_id from professionals where active order by id limit ${ENDPOINTS}`
  for (const [place, { accountId }] of pros.entries())
    await createWebhook(ctxOf(deps, { accountId }), {
      name: 'bench',
      url: `${url}/${place}`,
      events: ['availability.updated'],
    })
  return pros.map(({ id }) => id)
}

/** Writes a backlog and measures how quickly the receiver gets it. */
function contender(
  { options }: Bench,
  name: string,
  receiver: TestedServer,
  workers: readonly Worker[],
  write: (count: number) => Promise<void>,
): Contender {
  const arrived = async () => (await (await fetch(receiver.url)).json()) as { count: number; seconds: number }
  return {
    name,
    measure: async (seconds) => {
      const count = Math.ceil(seconds * EVENTS_PER_SECOND)
      const cpu = () =>
        [
          workers.reduce((sum, { pid }) => sum + cpuMs(pid), 0),
          cpuMsWithChildren(options.stores.pids.postgres),
          cpuMs(options.stores.pids.redis),
        ] as const
      await fetch(receiver.url, { method: 'DELETE' })
      const before = cpu()
      await write(count)
      if (!(await waitUntil(async () => (await arrived()).count >= count, MAX_WAIT_MS, 50)))
        throw new Error(`${name}: ${(await arrived()).count} of ${count} arrived`)
      const after = cpu()
      const used = (part: 0 | 1 | 2) => ((after[part] - before[part]) * 1000) / count
      return {
        perSecond: count / (await arrived()).seconds,
        cpuUs: { server: used(0), postgres: used(1), redis: used(2) },
      }
    },
  }
}

async function writeEvents({ write }: Deps, pros: readonly string[], count: number): Promise<void> {
  for (let written = 0; written < count; written += PER_COMMIT)
    await write.run(
      'writeEvents',
      (sql) => sql`
      insert into outbox_events (id, type, professional_id, aggregate_type, aggregate_id, sequence, data, created_at)
      select gen_random_uuid(), 'availability.updated', pro, 'professional', gen_random_uuid(), 1,
        jsonb_build_object('object', jsonb_build_object('professionalId', pro, 'filler', repeat('x', ${FILLER_BYTES}::integer))), now()
      from (
        select (${pros as string[]}::uuid[])[1 + n % ${ENDPOINTS}::integer] as pro
        from generate_series(1, ${Math.min(PER_COMMIT, count - written)}::integer) n
      ) events`,
    )
}

const latencyAims = (latencies: ReadonlyMap<number, Latency>): Aim[] =>
  Array.from(latencies, ([perSecond, { percentiles }]) =>
    Object.entries(percentiles).map(([name, ms]) => ({
      name: `${name} from commit to receiver, ${perSecond} events a second`,
      value: estimate([ms]),
      unit: ' ms',
      lessIsBetter: true,
      isListed: true,
    })),
  ).flat()

/** What the percentiles rest on. */
const countSamples = (latencies: ReadonlyMap<number, Latency>): string =>
  `Percentiles rest on ${Array.from(latencies, ([perSecond, { samples }]) => `${samples.toLocaleString('en-US')} arrivals at ${perSecond} a second`).join(', ')}.`

/** By the rate of events. One measurement each instead of rounds, because a percentile needs many events. */
async function measureLatencies(
  bench: Bench,
  url: string,
  { deps, pros }: { deps: Deps; pros: readonly string[] },
): Promise<Map<number, Latency>> {
  let n = 0
  const write = (id: string) => writeEvent(deps, id, pros[n++ % pros.length] ?? '')
  const latencies = new Map<number, Latency>()
  for (const perSecond of STEADY_PER_SECOND) {
    const latency = await measureLatency(url, write, { perSecond, seconds: bench.amount(LATENCY_SECONDS) })
    latencies.set(perSecond, latency)
  }
  return latencies
}

const writeEvent = ({ write }: Deps, id: string, pro: string) =>
  write.run(
    'writeEvent',
    (sql) => sql`
      insert into outbox_events (id, type, professional_id, aggregate_type, aggregate_id, sequence, data, created_at)
      values (${id}, 'availability.updated', ${pro}, 'professional', gen_random_uuid(), 1,
        jsonb_build_object('object', jsonb_build_object('professionalId', ${pro}::text)), now())`,
  )

async function addJobs({ sql }: Dataset, url: string, count: number): Promise<void> {
  for (let written = 0; written < count; written += PER_COMMIT)
    await sql`
      select graphile_worker.add_job('deliver', json_build_object('url', ${url}::text || '/' || n % ${ENDPOINTS}::integer,
        'id', gen_random_uuid(), 'body', json_build_object('professionalId', n, 'filler', repeat('x', ${FILLER_BYTES}::integer))::text))
      from generate_series(1, ${Math.min(PER_COMMIT, count - written)}::integer) n`
}
