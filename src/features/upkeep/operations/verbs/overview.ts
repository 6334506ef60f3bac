// The state of the whole system: the last reports of its processes, and rates of the last minutes.
import type { Ctx } from '../../../../ctx.ts'
import type { MetricDeltas } from '../../../../platform/telemetry/metrics.ts'
import { REQUESTS } from '../all-requests.ts'
import { MetricSet, metricSetOf } from '../metric-set.ts'
import { quantile } from '../percentiles.ts'
import { selectPoints, selectProcesses } from '../queries.ts'
import type { Overview, ProcessReport, ProcessStatus } from '../schemas.ts'
import { nextReportMs } from './reporting.ts'
import { routeTraffic } from './traffic.ts'

const MINUTE_MS = 60_000
/** Deliveries come in bursts, so rates over a minute would say little. */
const DELIVERIES_MS = 15 * MINUTE_MS
/** How long a process that is down is listed. */
const LISTED_MS = 15 * MINUTE_MS

const ATTEMPTS = 'hearth_webhook_attempts_total'
const LATENCY = 'hearth_webhook_latency_seconds'
const STATEMENTS = 'hearth_postgres_duration_seconds'
const RATE_LIMITED = 'hearth_rate_limited_total'
const QUEUE_MESSAGES = 'hearth_actor_queue_messages'
const POOL_CONNECTIONS = 'hearth_postgres_pool_connections'

type Report = ProcessReport & { metrics: MetricDeltas }

/** Rates are those of the last minute, webhook deliveries of the last fifteen. */
export async function getOverview(ctx: Ctx): Promise<Overview> {
  const now = ctx.clock.now().getTime()
  const since = (ms: number) => new Date(now - ms)
  const [reports, minute, quarterHour] = await Promise.all([
    selectProcesses(ctx, { since: since(LISTED_MS) }),
    selectPoints(ctx, { names: [REQUESTS, STATEMENTS, RATE_LIMITED], since: since(MINUTE_MS) }),
    selectPoints(ctx, { names: [ATTEMPTS, LATENCY], since: since(DELIVERIES_MS) }),
  ])
  // A process whose next report is overdue is down or hangs.
  const isUp = (report: ProcessReport) => Date.parse(report.at) >= now - nextReportMs(report)
  const current = metricSetOf(reports.filter(isUp))
  const lastMinute = new MetricSet(minute)
  return {
    routes: routeTraffic(minute, MINUTE_MS / 1000),
    rateLimited: rateLimited(lastMinute),
    processes: processStatuses(reports, isUp),
    outbox: { waiting: current.max('hearth_outbox_waiting'), lagSeconds: current.max('hearth_outbox_lag_seconds') },
    queues: queueStatuses(current),
    queueNames: metricSetOf(reports).labelValues(QUEUE_MESSAGES, 'actor'),
    deliveries: deliveryStatus(new MetricSet(quarterHour), current),
    priceChangesWaiting: current.max('hearth_pricing_changes_waiting'),
    tasks: {
      reserved: current.max('hearth_agent_tasks_reserved'),
      prepaid: current.max('hearth_agent_tasks_prepaid'),
      imbalance: current.max('hearth_agent_ledger_imbalance'),
    },
    statementP99: quantile(0.99, lastMinute.histogram(STATEMENTS)),
    isRedisAway: current.max('hearth_rate_limits_local') === 1,
  }
}

const rateLimited = (lastMinute: MetricSet): Overview['rateLimited'] =>
  lastMinute
    .labelValues(RATE_LIMITED, 'limit')
    .map((limit) => ({ limit, requests: lastMinute.sum(RATE_LIMITED, { limit }) }))
    .filter(({ requests }) => requests > 0)

/** Processes that are up, and those that are down without a successor of their service on their host. */
function processStatuses(reports: readonly Report[], isUp: (report: Report) => boolean): ProcessStatus[] {
  const placeOf = ({ service, host }: ProcessReport) => `${service} ${host}`
  const filled = new Set(reports.filter(isUp).map(placeOf))
  return reports
    .filter((report) => isUp(report) || !filled.has(placeOf(report)))
    .map((report) => processStatus(report, isUp(report)))
    .toSorted((a, b) => a.service.localeCompare(b.service) || a.host.localeCompare(b.host) || a.pid - b.pid)
}

function processStatus({ metrics, ...report }: Report, isUp: boolean): ProcessStatus {
  const own = metricSetOf([{ metrics }])
  return {
    ...report,
    isUp,
    memoryBytes: own.max('process_resident_memory_bytes') ?? 0,
    cpu: own.sum('process_cpu_seconds_total') / Math.max(report.seconds, 0.001),
    eventLoopDelaySeconds: own.max('hearth_event_loop_delay_seconds') ?? 0,
    pools: own.labelValues(POOL_CONNECTIONS, 'pool').map((pool) => ({
      pool,
      busy: own.max('hearth_postgres_pool_busy', { pool }) ?? 0,
      connections: own.max(POOL_CONNECTIONS, { pool }) ?? 0,
      waiting: own.max('hearth_postgres_pool_waiting', { pool }) ?? 0,
    })),
  }
}

/** Every process of an actor reports the same numbers for its queue. */
const queueStatuses = (current: MetricSet): Overview['queues'] =>
  current.labelValues(QUEUE_MESSAGES, 'actor').map((actor) => ({
    actor,
    waiting: current.max(QUEUE_MESSAGES, { actor, state: 'waiting' }) ?? 0,
    delayed: current.max(QUEUE_MESSAGES, { actor, state: 'delayed' }) ?? 0,
    active: current.max(QUEUE_MESSAGES, { actor, state: 'active' }) ?? 0,
    oldestSeconds: current.max('hearth_actor_oldest_waiting_seconds', { actor }) ?? 0,
    deadLetters: current.max('hearth_actor_dead_letters', { actor }) ?? 0,
  }))

function deliveryStatus(quarterHour: MetricSet, current: MetricSet): Overview['deliveries'] {
  const latency = quarterHour.histogram(LATENCY)
  return {
    delivered: quarterHour.sum(ATTEMPTS, { outcome: 'delivered' }),
    retried: quarterHour.sum(ATTEMPTS, { outcome: 'retried' }),
    failed: quarterHour.sum(ATTEMPTS, { outcome: 'failed' }),
    p50: quantile(0.5, latency),
    p95: quantile(0.95, latency),
    p99: quantile(0.99, latency),
    due: current.max('hearth_webhook_deliveries_due'),
    lagSeconds: current.max('hearth_webhook_lag_seconds'),
    resting: current.sum('hearth_webhook_endpoints_resting'),
  }
}
