// The operators' port of one worker process: metrics and a health check.
import type { Server } from 'bun'

import type { Config } from '../../src/config.ts'
import { METRICS_TYPE, type Metrics } from '../../src/platform/telemetry/metrics.ts'

/** Workers on one machine share a range of ports. */
const RANGE = 64

/** Listens on WORKER_OPS_PORT, or the next free port; 0 picks any. */
export const openOpsServer = (config: Config, metrics: Metrics): Server<undefined> =>
  listenOnFreePort(config.workerOpsPort, (port) =>
    Bun.serve({
      hostname: config.opsHost,
      port,
      routes: {
        '/metrics': async () => new Response(await metrics.render(), { headers: { 'content-type': METRICS_TYPE } }),
        '/healthz': () => Response.json({ status: 'ok' }),
      },
      fetch: () => new Response('Try /metrics or /healthz.\n', { status: 404 }),
    }),
  )

/** Calls `listen` with `first` and the ports after it until one is free. Throws its last error. */
export function listenOnFreePort(first: number, listen: (port: number) => Server<undefined>): Server<undefined> {
  const last = first === 0 ? 0 : first + RANGE - 1
  for (let port = first; ; port++) {
    try {
      return listen(port)
    } catch (error) {
      if (port >= last) throw error
    }
  }
}
