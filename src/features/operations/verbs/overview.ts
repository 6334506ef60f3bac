// How things stand: what the processes' last reports say, and rates of the last minutes.
import type { Deps } from '../../../deps.ts'
import type { MetricDeltas } from '../../../platform/telemetry/metrics.ts'
import { Collection, collect } from './collection.ts'
import { quantile } from '../histogram.ts'
import type { Overview, ProcessLine, ProcessReport } from '../schemas.ts'
import { selectFigures, selectProcesses } from '../queries.ts'
import { REPORT_EVERY_MS } from './reporting.ts'
import { REQUESTS, routesOf } from './traffic.ts'

const MINUTE_MS = 60_000
/** Deliveries come in bursts: a minute says little of them. */
const DELIVERIES_MS = 15 * MINUTE_MS
/** How long a process that is gone is shown as gone. */
const REMEMBERED_MS = 15 * MINUTE_MS
/** A process that has not told of itself for so long is gone, or stands still. */
const SILENT_MS = 3 * REPORT_EVERY_MS + 1000

const ATTEMPTS = 'hearth_webhook_attempts_total'
const LATENCY = 'hearth_webhook_latency_seconds'
const STATEMENTS = 'hearth_postgres_duration_seconds'
const LIMITED = 'hearth_rate_limited_total'
const MESSAGES = 'hearth_actor_queue_messages'

/** How things stand. Rates are of the last minute, deliveries of the last fifteen. */
export async function getOverview({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<Overview> {
  const now = clock.now().getTime()
  const since = (ms: number) => new Date(now - ms)
  const [reports, minute, quarter] = await Promise.all([
    selectProcesses(write, since(REMEMBERED_MS)),
    selectFigures(write, [REQUESTS, STATEMENTS, LIMITED], since(MINUTE_MS)),
    selectFigures(write, [ATTEMPTS, LATENCY], since(DELIVERIES_MS)),
  ])
  const isUp = ({ at }: ProcessReport) => Date.parse(at) >= now - SILENT_MS
  const standing = collect(reports.filter(isUp))
  const lately = new Collection(minute)
  return {
    routes: routesOf(minute, MINUTE_MS / 1000),
    limited: limitedOf(lately),
    processes: processesOf(reports, isUp),
    outbox: { waiting: standing.max('hearth_outbox_waiting'), lagSeconds: standing.max('hearth_outbox_lag_seconds') },
    queues: queuesOf(standing),
    mailboxes: collect(reports).labels(MESSAGES, 'actor'),
    deliveries: deliveriesOf(new Collection(quarter), standing),
    pricesWaiting: standing.max('hearth_pricing_changes_waiting'),
    tasks: {
      reserved: standing.max('hearth_agent_tasks_reserved'),
      prepaid: standing.max('hearth_agent_tasks_prepaid'),
      imbalance: standing.max('hearth_agent_ledger_imbalance'),
    },
    statementSeconds: quantile(lately.histogram(STATEMENTS), 0.99),
    isRedisAway: standing.max('hearth_rate_limits_local') === 1,
  }
}

const limitedOf = (lately: Collection): Overview['limited'] =>
  lately
    .labels(LIMITED, 'limit')
    .map((limit) => ({ limit, requests: lately.sum(LIMITED, { limit }) }))
    .filter(({ requests }) => requests > 0)

/** Those that are up, and those that are gone and have no successor of their service on their machine. */
function processesOf(
  reports: readonly (ProcessReport & { figures: MetricDeltas })[],
  isUp: (report: ProcessReport) => boolean,
): ProcessLine[] {
  const placeOf = ({ service, host }: ProcessReport) => `${service} ${host}`
  const filled = new Set(reports.filter(isUp).map(placeOf))
  return reports
    .filter((report) => isUp(report) || !filled.has(placeOf(report)))
    .map((report) => processOf(report, isUp(report)))
    .toSorted((a, b) => a.service.localeCompare(b.service) || a.host.localeCompare(b.host) || a.pid - b.pid)
}

function processOf(report: ProcessReport & { figures: MetricDeltas }, isUp: boolean): ProcessLine {
  const figures = collect([report])
  const { process, service, host, pid, at, seconds } = report
  return {
    process,
    service,
    host,
    pid,
    at,
    seconds,
    isUp,
    memoryBytes: figures.max('process_resident_memory_bytes') ?? 0,
    cpu: figures.sum('process_cpu_seconds_total') / Math.max(seconds, 0.001),
    delaySeconds: figures.max('hearth_event_loop_delay_seconds') ?? 0,
    pools: ['read', 'write', 'transactions'].map((pool) => ({
      pool,
      busy: figures.max('hearth_postgres_pool_busy', { pool }) ?? 0,
      connections: figures.max('hearth_postgres_pool_connections', { pool }) ?? 0,
      waiting: figures.max('hearth_postgres_pool_waiting', { pool }) ?? 0,
    })),
  }
}

/** Every process of an actor tells alike of its mailbox. */
const queuesOf = (standing: Collection): Overview['queues'] =>
  standing.labels(MESSAGES, 'actor').map((actor) => ({
    actor,
    waiting: standing.max(MESSAGES, { actor, state: 'waiting' }) ?? 0,
    delayed: standing.max(MESSAGES, { actor, state: 'delayed' }) ?? 0,
    active: standing.max(MESSAGES, { actor, state: 'active' }) ?? 0,
    oldestSeconds: standing.max('hearth_actor_oldest_waiting_seconds', { actor }) ?? 0,
    deadLetters: standing.max('hearth_actor_dead_letters', { actor }) ?? 0,
  }))

function deliveriesOf(quarter: Collection, standing: Collection): Overview['deliveries'] {
  const latency = quarter.histogram(LATENCY)
  return {
    delivered: quarter.sum(ATTEMPTS, { outcome: 'delivered' }),
    retried: quarter.sum(ATTEMPTS, { outcome: 'retried' }),
    failed: quarter.sum(ATTEMPTS, { outcome: 'failed' }),
    half: quantile(latency, 0.5),
    most: quantile(latency, 0.99),
    due: standing.max('hearth_webhook_deliveries_due'),
    lagSeconds: standing.max('hearth_webhook_lag_seconds'),
    resting: standing.sum('hearth_webhook_endpoints_resting'),
  }
}
