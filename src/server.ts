// The HTTP process: configuration, dependencies, application, socket; and their shutdown on a signal.
import type { Server } from 'bun'

import { toolMetricsOf } from './mcp/server/tool-metrics.ts'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { ConfigError } from './platform/environment.ts'
import { type Deps, openDeps } from './deps.ts'
import { usageOf } from './auth/keys/verbs/usage.ts'
import { type Reporting, openReporting } from './features/operations/verbs/reporting.ts'
import { requestContextOf } from './auth/request-context.ts'
import { readinessOf } from './http/health.ts'
import { trafficOf } from './http/traffic.ts'
import { settlesWithin } from './platform/clock/deadlines.ts'
import { requestLimitsOf } from './rate-limit/request-limits.ts'
import { openOpsPort } from './http/ops-port.ts'
import { logCrashes } from './platform/telemetry/log.ts'
import { openMetrics } from './platform/telemetry/metrics.ts'
import { observePools } from './platform/postgres/pool-metrics.ts'
import { type Telemetry, openTelemetry } from './platform/telemetry/sdk.ts'

const SERVICE = 'hearth-server'
/** Responses close their connections for this long while requests are still served, so that busy clients reconnect elsewhere. */
const LEAVE_MS = 250
/** The time for requests in progress to end. The whole shutdown stays below ten seconds. */
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

/** Opens everything. A store that is down does not prevent the start: requests that need it are 503 until it is back. */
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
  const app = createApp(deps, { metrics, usage: usageOf(deps) })
  requestLimitsOf(deps).observe(metrics)
  toolMetricsOf(deps).observe(metrics)
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
  const ops = openOpsPort(deps, metrics)
  const reporting = openReporting({ deps, service: SERVICE, traces, metrics })
  deps.log.info({ url: server.url.origin, opsUrl: ops.url.origin, pid: process.pid }, 'listening')
  return { deps, telemetry, reporting, server, ops }
}

/** Lets requests in progress end, then closes everything. */
async function drain({ deps, telemetry, reporting, server, ops }: Running): Promise<void> {
  const { log } = deps
  const traffic = trafficOf(deps)
  const onError = (error: unknown) => log.error({ err: error }, 'a part of the server did not close')
  readinessOf(deps).leave()
  traffic.phase = 'leaving'
  await Bun.sleep(LEAVE_MS)
  traffic.phase = 'closed'
  if (!(await settlesWithin(server.stop(false), DRAIN_MS, onError)))
    log.error({ requests: server.pendingRequests }, 'requests were cut off: they did not end in time')
  await settlesWithin(Promise.all([usageOf(deps).flush(), reporting.close()]), FLUSH_MS, onError)
  await settlesWithin(Promise.all([server.stop(true), ops.stop(true), deps.close()]), FLUSH_MS, onError)
  await telemetry.close(FLUSH_MS)
}

/** Why the server cannot start, in one line where the operator can fix it. */
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
