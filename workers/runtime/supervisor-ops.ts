// The operators' port of a supervisor: the metrics of all its processes in one place, and whether they are up.
import type { Server } from 'bun'

import type { Config } from '../../src/config.ts'
import { METRICS_TYPE } from '../../src/platform/telemetry/metrics.ts'
import { type Source, mergeMetrics } from './merged-metrics.ts'
import { listenNear } from './ops.ts'
import type { WorkerStatus, Supervisor } from './supervisor.ts'

/** A process that takes longer to tell its metrics is left out, so that the others are heard. */
const TELL_LIMIT_MS = 2000

/**
 * Listens on WORKER_OPS_PORT, or the next one that is free. `/healthz` says that the supervisor lives: it starts what crashes, so nobody else need.
 * `/readyz` is 503 while any of its processes is down.
 */
export const openSupervisorOps = (
  { opsHost, workerOpsPort }: Pick<Config, 'opsHost' | 'workerOpsPort'>,
  supervisor: Pick<Supervisor, 'statuses'>,
): Server<undefined> =>
  listenNear(workerOpsPort, (port) =>
    Bun.serve({
      hostname: opsHost,
      port,
      routes: {
        '/metrics': async () =>
          new Response(await metricsOf(supervisor.statuses()), { headers: { 'content-type': METRICS_TYPE } }),
        '/healthz': () => Response.json({ status: 'ok' }),
        '/readyz': () => readiness(supervisor.statuses()),
      },
      fetch: () => new Response('Here are /metrics, /healthz and /readyz.\n', { status: 404 }),
    }),
  )

function readiness(places: readonly WorkerStatus[]): Response {
  const down = places.filter(({ isUp }) => !isUp).map(({ worker }) => worker)
  if (down.length === 0) return Response.json({ status: 'ready' })
  return Response.json({ status: 'not ready', down }, { status: 503 })
}

async function metricsOf(places: readonly WorkerStatus[]): Promise<string> {
  const told = await Promise.all(places.map(tell))
  return mergeMetrics([{ worker: undefined, text: ownMetrics(places) }, ...told.flat()])
}

async function tell({ worker, opsUrl }: WorkerStatus): Promise<Source[]> {
  if (!opsUrl) return []
  try {
    const response = await fetch(`${opsUrl}/metrics`, { signal: AbortSignal.timeout(TELL_LIMIT_MS) })
    return response.ok ? [{ worker, text: await response.text() }] : []
  } catch {
    // It ended meanwhile: hearth_worker_up tells.
    return []
  }
}

function ownMetrics(places: readonly WorkerStatus[]): string {
  const family = (name: string, type: string, help: string, value: (place: WorkerStatus) => number) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...places.map((place) => `${name}{worker="${place.worker}",actor="${place.actor}"} ${value(place)}`),
  ]
  return [
    ...family('hearth_worker_up', 'gauge', '1 while the process runs and gives signs of life', ({ isUp }) =>
      isUp ? 1 : 0,
    ),
    ...family(
      'hearth_worker_restarts_total',
      'counter',
      'How often the process was started again',
      ({ restarts }) => restarts,
    ),
  ].join('\n')
}
