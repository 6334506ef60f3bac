// The HTTP process: configuration, dependencies, application, socket; and all of it back again when told to stop.
import type { Server } from 'bun'

import { toolMetricsOf } from './mcp/server/tool-metrics.ts'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { ConfigError } from './platform/environment.ts'
import { type Deps, openDeps } from './deps.ts'
import { usageOf } from './auth/keys/verbs/usage.ts'
import { type Reporting, openReporting } from './features/operations/verbs/reporting.ts'
import { type Edge, edge } from './http/instrumentation.ts'
import { readinessOf } from './http/health.ts'
import { limitsOf } from './rate-limit/rate-limits.ts'
import { openOpsPort } from './http/ops-port.ts'
import { logCrashes } from './platform/telemetry/log.ts'
import { openMetrics } from './platform/telemetry/metrics.ts'
import { observePools } from './platform/postgres/pool-metrics.ts'
import { type Telemetry, openTelemetry } from './platform/telemetry/sdk.ts'

const SERVICE = 'hearth-server'
/** How long connections are told to go elsewhere while they are still served: busy ones all learn of it. */
const LEAVE_MS = 250
/** How long running requests may take to end. With the rest of the way out this stays below ten seconds. */
const DRAIN_MS = 6500
const FLUSH_MS = 1000
/**
 * Bodies over our own limit are refused by the application, as a problem document and without being read; Bun's own
 * limit answers with no body at all and must not come first.
 */
const MAX_DECLARED_BODY_BYTES = 1024 ** 3
const IDLE_TIMEOUT_SECONDS = 30

/** Everything that is open while the process serves. */
interface Running {
  deps: Deps
  telemetry: Telemetry
  reporting: Reporting
  front: Edge
  server: Server<undefined>
  ops: Server<undefined>
}

/** Opens everything. Stores that are down do not matter yet: requests to them are answered 503 until they are back. */
function start(config: Config): Running {
  const opened = openDeps(config)
  const telemetry = openTelemetry({
    serviceName: SERVICE,
    ...config.tracing,
    onProblem: (problem) => opened.log.warn({ problem }, 'telemetry'),
  })
  const metrics = openMetrics(SERVICE)
  const { traces } = telemetry
  metrics.counter('hearth_trace_spans_dropped_total', 'Spans beyond what a trace may hold', () => traces.droppedSpans)
  const deps = { ...opened, ...observePools(metrics, opened, config.databaseConnections) }
  const app = createApp(deps)
  const limits = limitsOf(deps)
  limits.observe(metrics)
  toolMetricsOf(deps).observe(metrics)
  const front = edge(app, { ...deps, metrics, limits, usage: usageOf(deps) })
  const server = Bun.serve({
    hostname: config.host,
    port: config.port,
    reusePort: config.httpProcesses > 1,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    maxRequestBodySize: MAX_DECLARED_BODY_BYTES,
    fetch: front.fetch,
  })
  app.server = server
  const ops = openOpsPort(deps, metrics)
  const reporting = openReporting({ deps, service: SERVICE, traces, metrics })
  deps.log.info({ url: server.url.origin, opsUrl: ops.url.origin, pid: process.pid }, 'listening')
  return { deps, telemetry, reporting, front, server, ops }
}

/** Lets running requests end, then closes everything: no answer that was begun is lost. */
async function drain({ deps, telemetry, reporting, front, server, ops }: Running): Promise<void> {
  readinessOf(deps).leave()
  front.phase = 'leaving'
  await Bun.sleep(LEAVE_MS)
  front.phase = 'closed'
  if (!(await endsWithin(DRAIN_MS, server.stop(false))))
    deps.log.error({ requests: server.pendingRequests }, 'requests were cut off: they did not end in time')
  await endsWithin(FLUSH_MS, Promise.all([usageOf(deps).flush(), reporting.close()]))
  await endsWithin(FLUSH_MS, Promise.all([server.stop(true), ops.stop(true), deps.close()]))
  await telemetry.close(FLUSH_MS)
}

/** Whether `work` ends in time; a failure counts as an end. */
async function endsWithin(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: Timer | undefined
  const limit = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), limitMs)))
  const end = work.then(
    () => true,
    () => true,
  )
  return await Promise.race([end, limit]).finally(() => clearTimeout(timer))
}

/** What stands in the way of a start, in one line where the reader can mend it. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `The port is taken: set PORT (or OPS_PORT) to another one. ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Serves until SIGTERM or SIGINT. */
function serve(): void {
  const running = start(readConfig())
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

try {
  serve()
} catch (error) {
  process.stderr.write(`hearth: ${explain(error)}\n`)
  process.exit(1)
}
