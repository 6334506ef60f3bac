// The operators' port with metrics and health, separate from the public port so that neither exposes the other.
import type { Server } from 'bun'

import type { Deps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import { METRICS_TYPE, type Metrics } from '../platform/telemetry/metrics.ts'
import { readinessOf } from './health.ts'
import { problemResponse } from './problem.ts'

/** Listens on `OPS_PORT`, or on one of the following ports when the machine runs several processes. */
export function openOpsPort(deps: Deps, metrics: Metrics): Server<undefined> {
  const { opsHost, opsPort, httpProcesses } = deps.config
  const last = opsPort === 0 ? 0 : opsPort + httpProcesses - 1
  for (let port = opsPort; ; port++) {
    try {
      return listen(deps, metrics, opsHost, port)
    } catch (error) {
      if (port >= last) throw error
    }
  }
}

function listen(deps: Deps, metrics: Metrics, hostname: string, port: number): Server<undefined> {
  return Bun.serve({
    hostname,
    port,
    routes: {
      '/metrics': async () => new Response(await metrics.render(), { headers: { 'content-type': METRICS_TYPE } }),
      '/healthz': () => Response.json({ status: 'ok' }),
      '/readyz': () => readinessOf(deps).respond(),
    },
    fetch: () => problemResponse(deps, new AppError('not_found', 'This port has /metrics, /healthz and /readyz.')),
    error: (error) => problemResponse(deps, error),
  })
}
