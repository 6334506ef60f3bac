// The HTTP process: configuration, dependencies, application, socket; and their shutdown on a signal.
import type { Server } from 'bun'

import { toolMetricsOf } from './mcp/server/tool-metrics.ts'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { ctxOf } from './ctx.ts'
import { type Deps, openDeps, pooledStatementLimitMs } from './deps.ts'
import { observeProvider } from './payments/open-provider.ts'
import { checkProviders } from './payments/verbs/check-providers.ts'
import { usageOf } from './auth/keys/verbs/usage.ts'
import { searchCountsOf } from './features/search/counts/verbs/counts.ts'
import { type Reporting, openReporting } from './features/upkeep/operations/verbs/reporting.ts'
import { requestContextOf } from './auth/request-context.ts'
import { readinessOf } from './http/health.ts'
import { keepZonesLoaded } from './features/calendar/time-zones/verbs.ts'
import { trafficOf } from './http/traffic.ts'
import { settlesWithin, waitUntil } from './platform/clock/deadlines.ts'
import { requestLimitsOf } from './rate-limit/request-limits.ts'
import { openOpsPort } from './http/ops-port.ts'
import { ignoreNewConnections } from './platform/net/new-connections.ts'
import { type Log, logCrashes } from './platform/telemetry/log.ts'
import { openMetrics } from './platform/telemetry/metrics.ts'
import { refuseCluster } from './platform/redis/client.ts'
import { checkOnceReachable, exitBecause } from './platform/start-checks.ts'
import { directUrlOf } from './platform/postgres/configured-urls.ts'
import { checkRoutes } from './platform/postgres/pooler.ts'
import { openGroupSession } from './platform/postgres/shared-session.ts'
import { ROLE_SETTINGS_REMEDY, missingRoleSettings } from './platform/postgres/role-settings.ts'
import { observePools } from './platform/postgres/pool-metrics.ts'
import { type Telemetry, openTelemetry } from './platform/telemetry/sdk.ts'
import { prepareFirstRequests } from './warm-up.ts'

const SERVICE = 'hearth-server'
/** How long a start waits for the stores. */
const STORES_MS = 5000
/**
 * How long connections that are half open or queued may take to send a request once no new ones arrive: a round trip to the
 * client.
 */
const SETTLE_MS = 250
/** The time for requests in progress to end. Without a longer DRAIN_DELAY_MS the whole shutdown stays below ten seconds. */
const DRAIN_MS = 6500
const FLUSH_MS = 1000
/**
 * The application refuses bodies over its own limit with a problem document, unread. Bun's limit, which responds without a
 * body, must not come first.
 */
const MAX_DECLARED_BODY_BYTES = 1024 ** 3
const IDLE_TIMEOUT_SECONDS = 30

/** Everything that is open while the process serves. */
interface Running {
  deps: Deps
  telemetry: Telemetry
  reporting: Reporting
  server: Server<undefined>
  ops: Server<undefined>
}

/** Opens everything, the port last: a process that shares it gets requests at once. */
async function start(config: Config): Promise<Running> {
  const opened = openDeps(config, { session: openGroupSession(directUrlOf(config)) })
  const telemetry = openTelemetry({
    serviceName: SERVICE,
    ...config.tracing,
    onProblem: (problem) => opened.log.warn({ problem }, 'telemetry'),
  })
  const metrics = openMetrics(SERVICE)
  const { traces } = telemetry
  metrics.counter('hearth_trace_spans_dropped_total', 'Spans beyond what a trace may hold', () => traces.droppedSpans)
  const deps = { ...opened, ...observePools(metrics, opened, config.databaseConnections) }
  deps.restoredCopy.observe(metrics)
  const app = createApp(deps, { metrics, usage: usageOf(deps) })
  requestLimitsOf(deps).observe(metrics)
  toolMetricsOf(deps).observe(metrics)
  observeProvider(deps, metrics)
  readinessOf(deps).start()
  keepZonesLoaded(ctxOf(deps))
  const ops = openOpsPort(deps, metrics)
  await Promise.all([
    checkOnceReachable(() => checkPooler(deps), exitBecause),
    checkOnceReachable(() => checkProviders(ctxOf(deps)), exitBecause),
    checkOnceReachable(() => refuseCluster(config.redisUrl), exitBecause),
    awaitStores(deps).then(() => checkOnceReachable(() => prepareFirstRequests(deps), exitBecause)),
  ])
  // Otherwise the first request waits until all routes are composed.
  app.compile()
  const server = Bun.serve({
    hostname: config.host,
    port: config.port,
    reusePort: config.httpProcesses > 1,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    maxRequestBodySize: MAX_DECLARED_BODY_BYTES,
    fetch: (request, server) => {
      requestContextOf(request).peer = () => server.requestIP(request)?.address
      return app.fetch(request)
    },
  })
  app.server = server
  readinessOf(deps).listening()
  const reporting = openReporting({ deps, service: SERVICE, traces, metrics })
  deps.log.info({ url: server.url.origin, opsUrl: ops.url.origin, pid: process.pid }, 'listening')
  return { deps, telemetry, reporting, server, ops }
}

/**
 * Throws when the URLs lead to a database or pooler that cannot work. Missing settings are only logged: without them
 * statements are slower or may run longer.
 */
async function checkPooler({ config, log }: Deps): Promise<void> {
  const [, missing] = await Promise.all([
    checkRoutes(config),
    missingRoleSettings(config, pooledStatementLimitMs(config), SERVICE),
  ])
  if (missing.length > 0) log.warn({ missing }, `connections of the pooler lack settings: ${ROLE_SETTINGS_REMEDY}`)
}

/**
 * Checks the stores and opens the connections to them. A store that is down delays the start but does not prevent it:
 * requests that need the store get 503 until it responds.
 */
async function awaitStores(deps: Deps): Promise<void> {
  let notReady: string[] = []
  const isReady = async () => (notReady = await readinessOf(deps).failedChecks()).length === 0
  if (!(await waitUntil(isReady, STORES_MS, 50)))
    deps.log.warn({ notReady, waitedMs: STORES_MS }, 'listening before the stores are ready')
  else
    await settlesWithin(deps.warmUp(), STORES_MS, (error) =>
      deps.log.warn({ err: error }, 'could not open all connections before listening'),
    )
}

/** Ends the arrival of connections, lets requests in progress end, then closes everything. */
async function drain({ deps, telemetry, reporting, server, ops }: Running): Promise<void> {
  const { log } = deps
  const traffic = trafficOf(deps)
  const onError = (error: unknown) => log.error({ err: error }, 'closing a part of the server failed')
  readinessOf(deps).leave()
  traffic.isLeaving = true
  await Bun.sleep(deps.config.drainDelayMs)
  stopArrivals(server, log)
  await Bun.sleep(SETTLE_MS)
  if (!(await settlesWithin(server.stop(false), DRAIN_MS, onError)))
    log.error({ requests: server.pendingRequests }, 'requests did not end within the drain deadline and were cut off')
  await settlesWithin(
    Promise.all([
      usageOf(deps).flush(),
      searchCountsOf(deps).flush(),
      requestLimitsOf(deps).flush(),
      reporting.close(),
    ]),
    FLUSH_MS,
    onError,
  )
  await settlesWithin(Promise.all([server.stop(true), ops.stop(true), deps.close()]), FLUSH_MS, onError)
  await telemetry.close(FLUSH_MS)
}

/** Makes the kernel ignore new connections, while the server accepts those in its queue. */
function stopArrivals({ port }: Server<undefined>, log: Log): void {
  try {
    if (port !== undefined) ignoreNewConnections(port)
  } catch (error) {
    log.warn(
      { err: error },
      'the kernel cannot hold back new connections: those that arrive while the port closes may be reset',
    )
  }
}

/** Serves until SIGTERM or SIGINT. */
async function serve(): Promise<void> {
  const running = await start(readConfig())
  const { log } = running.deps
  logCrashes(log)
  let leaving: Promise<void> | undefined
  const leave = (signal: NodeJS.Signals) => {
    if (leaving) return
    log.info({ signal }, 'draining')
    leaving = drain(running).then(() => {
      log.info('stopped')
      process.exit(0)
    })
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, leave)
}

await serve().catch(exitBecause)
