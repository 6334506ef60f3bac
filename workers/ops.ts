// The operators' port of one worker process: metrics and a sign of life.
import type { Server } from 'bun'

import type { Config } from '../src/config.ts'
import { METRICS_TYPE, type Metrics } from '../src/platform/metrics.ts'

/** Workers of one machine share a range of ports. */
const RANGE = 64

/** Listens on WORKER_OPS_PORT, or the next one that is free; 0 picks any. */
export function openOps({ opsHost, workerOpsPort }: Config, metrics: Metrics): Server<undefined> {
  const last = workerOpsPort === 0 ? 0 : workerOpsPort + RANGE - 1
  for (let port = workerOpsPort; ; port++) {
    try {
      return listen(metrics, opsHost, port)
    } catch (error) {
      if (port >= last) throw error
    }
  }
}

const listen = (metrics: Metrics, hostname: string, port: number): Server<undefined> =>
  Bun.serve({
    hostname,
    port,
    routes: {
      '/metrics': async () => new Response(await metrics.render(), { headers: { 'content-type': METRICS_TYPE } }),
      '/healthz': () => Response.json({ status: 'ok' }),
    },
    fetch: () => new Response('Here are /metrics and /healthz.\n', { status: 404 }),
  })
