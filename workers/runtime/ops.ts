// The operators' port of one worker process: metrics and a sign of life.
import type { Server } from 'bun'

import type { Config } from '../../src/config.ts'
import { METRICS_TYPE, type Metrics } from '../../src/platform/telemetry/metrics.ts'

/** Workers of one machine share a range of ports. */
const RANGE = 64

/** Listens on WORKER_OPS_PORT, or the next one that is free; 0 picks any. */
export const openOps = (config: Config, metrics: Metrics): Server<undefined> =>
  listenNear(config.workerOpsPort, (port) =>
    Bun.serve({
      hostname: config.opsHost,
      port,
      routes: {
        '/metrics': async () => new Response(await metrics.render(), { headers: { 'content-type': METRICS_TYPE } }),
        '/healthz': () => Response.json({ status: 'ok' }),
      },
      fetch: () => new Response('Here are /metrics and /healthz.\n', { status: 404 }),
    }),
  )

/** Has `listen` try `first` and the ports after it until one is free. */
export function listenNear(first: number, listen: (port: number) => Server<undefined>): Server<undefined> {
  const last = first === 0 ? 0 : first + RANGE - 1
  for (let port = first; ; port++) {
    try {
      return listen(port)
    } catch (error) {
      if (port >= last) throw error
    }
  }
}
