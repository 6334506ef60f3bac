// From committed events to the receiver's 200: Hearth's relay and one delivery worker, compared with Graphile Worker running
// one job per event.
import { readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import { createWebhook } from '../../src/webhooks/endpoints/verbs/endpoints.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { Bench, Scenario } from '../support/bench.ts'
import { cpuMsWithChildren, cpuMs } from '../support/cpu.ts'
import type { Dataset } from '../support/datasets.ts'
import { type Latency, measureLatency } from '../support/delivery-latency.ts'
import { peerCommand } from '../support/peers.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { type Contender, cpuOf, measureInTurns, rateOf, ratio } from '../support/rounds.ts'
import type { TestedServer } from '../support/servers.ts'
import { estimate } from '../support/statistics.ts'
import { ROOT } from '../support/stores.ts'

const ENDPOINTS = 50
const EVENTS_PER_SECOND = 2500
const PER_COMMIT = 500
const MAX_WAIT_MS = 120_000
const FILLER_BYTES = 800
/** The rate of events at which latency is measured. */
const STEADY_PER_SECOND = 100

export const deliveries: Scenario = {
  name: 'deliveries',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    await data.sql`truncate webhook_endpoints, webhook_events, outbox_events cascade`
    const receiver = await bench.server('receiver', [process.execPath, 'bench/support/receiver.ts'], '/')
    const pros = await addEndpoints(bench, receiver.url)
    const command = await peerCommand('graphile-worker/deliver.ts', (line) => bench.log(line))
    const hearth = startWorkers(bench, [
      [process.execPath, 'workers/actors/relay-outbox.ts'],
      [process.execPath, 'workers/actors/deliver-webhooks.ts'],
    ])
    const graphile = startWorkers(bench, [command])
    try {
      await waitUntil(
        async () =>
          (await data.sql`select to_regclass('graphile_worker._private_jobs') is not null as exists`)[0]?.['exists'] ===
          true,
        20_000,
      )
      const samples = await measureInTurns(
        [
          contender(bench, 'Hearth', receiver, hearth, (count) => writeEvents(data, pros, count)),
          contender(bench, 'Graphile Worker', receiver, graphile, (count) => addJobs(data, receiver.url, count)),
        ],
        options.rounds,
      )
      const { Hearth: ours = [], 'Graphile Worker': theirs = [] } = samples
      const latencies = await measureLatencies(bench, receiver.url, pros)
      return [
        {
          id: 'deliveries',
          title: 'Webhooks, from a backlog of committed events to a receiver',
          metrics: metricsOfAll(samples),
          aims: [
            { name: 'deliveries per second', value: estimate(ours.map(rateOf)), unit: '/s', isListed: true },
            { name: '× Graphile Worker with one job per event', value: ratio(ours, theirs, rateOf), isListed: true },
            {
              name: '× the CPU of Graphile Worker per delivery',
              value: ratio(ours, theirs, cpuOf),
              lessIsBetter: true,
            },
            ...(['p50', 'p99'] as const).map((name) => ({
              name: `${name} from commit to receiver, ${STEADY_PER_SECOND} events a second`,
              value: estimate(latencies.map((latency) => latency[`${name}Ms`])),
              unit: ' ms',
              lessIsBetter: true,
              isListed: true,
            })),
          ],
          remark:
            'Hearth claims each delivery, logs each attempt and shares capacity fairly among 50 endpoints. Graphile Worker runs plain jobs.',
        },
      ]
    } finally {
      for (const child of [...hearth, ...graphile]) child.kill('SIGTERM')
      await Promise.all([...hearth, ...graphile].map(({ exited }) => exited))
      await data.sql`truncate webhook_endpoints, webhook_events, outbox_events cascade`
      await data.sql`drop schema if exists graphile_worker cascade`
    }
  },
}

type Worker = Bun.Subprocess

function startWorkers({ data, options }: Bench, commands: readonly (readonly string[])[]): Worker[] {
  const env = {
    DATABASE_URL: data.url,
    REDIS_URL: options.stores.redisUrl,
    WEBHOOK_ALLOW_PRIVATE: '1',
    LOG_LEVEL: 'warn',
  }
  return commands.map((command) =>
    Bun.spawn([...command], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  )
}

/** Creates one endpoint at the receiver for each of 50 pros. Returns the pros' ids. */
async function addEndpoints({ data, options }: Bench, url: string): Promise<string[]> {
  const env = {
    DATABASE_URL: data.url,
    REDIS_URL: options.stores.redisUrl,
    WEBHOOK_ALLOW_PRIVATE: '1',
    LOG_LEVEL: 'error',
  }
  const deps = openDeps(readConfig(env), { databaseLimitMs: 60_000 })
  try {
    const pros = await data.sql<{ id: string; accountId: string }[]>`
      select id, account_id from professionals where active order by id limit ${ENDPOINTS}`
    for (const [place, { accountId }] of pros.entries())
      await createWebhook(deps, accountId, { name: 'bench', url: `${url}/${place}`, events: ['availability.updated'] })
    return pros.map(({ id }) => id)
  } finally {
    await deps.close()
  }
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

async function writeEvents({ sql }: Dataset, pros: readonly string[], count: number): Promise<void> {
  for (let written = 0; written < count; written += PER_COMMIT)
    await sql`
      insert into outbox_events (id, type, professional_id, aggregate_type, aggregate_id, sequence, data, created_at)
      select gen_random_uuid(), 'availability.updated', pro, 'professional', gen_random_uuid(), 1,
        jsonb_build_object('object', jsonb_build_object('professionalId', pro, 'filler', repeat('x', ${FILLER_BYTES}::integer))), now()
      from (
        select (${pros as string[]}::uuid[])[1 + n % ${ENDPOINTS}::integer] as pro
        from generate_series(1, ${Math.min(PER_COMMIT, count - written)}::integer) n
      ) events`
}

async function measureLatencies({ data, options }: Bench, url: string, pros: readonly string[]): Promise<Latency[]> {
  const { rounds, seconds } = options.rounds
  let n = 0
  const write = (id: string) => writeEvent(data, id, pros[n++ % pros.length] ?? '')
  const latencies: Latency[] = []
  while (latencies.length < rounds)
    latencies.push(await measureLatency(url, write, { perSecond: STEADY_PER_SECOND, seconds }))
  return latencies
}

const writeEvent = ({ sql }: Dataset, id: string, pro: string) => sql`
  insert into outbox_events (id, type, professional_id, aggregate_type, aggregate_id, sequence, data, created_at)
  values (${id}, 'availability.updated', ${pro}, 'professional', gen_random_uuid(), 1,
    jsonb_build_object('object', jsonb_build_object('professionalId', ${pro}::text)), now())`

async function addJobs({ sql }: Dataset, url: string, count: number): Promise<void> {
  for (let written = 0; written < count; written += PER_COMMIT)
    await sql`
      select graphile_worker.add_job('deliver', json_build_object('url', ${url}::text || '/' || n % ${ENDPOINTS}::integer,
        'id', gen_random_uuid(), 'body', json_build_object('professionalId', n, 'filler', repeat('x', ${FILLER_BYTES}::integer))::text))
      from generate_series(1, ${Math.min(PER_COMMIT, count - written)}::integer) n`
}
