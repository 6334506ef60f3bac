// The operators' port of a supervisor: whether its processes are up, and the metrics of all of them in one text.
import type { Server } from 'bun'

import type { Config } from '../../src/config.ts'
import { METRICS_TYPE } from '../../src/platform/telemetry/metrics.ts'
import { listenOnFreePort } from './ops-server.ts'
import type { Supervisor, WorkerStatus } from './supervisor.ts'

/** A process that answers later is left out of the metrics. */
const SCRAPE_LIMIT_MS = 2000

/**
 * Listens on WORKER_OPS_PORT, or the next free port. `/healthz` says that the supervisor runs, which restarts what crashes;
 * `/readyz` is 503 while any of its processes is down. `/metrics` has one text for all processes, because Prometheus
 * discovers pods by one port each, whatever the number of processes in them.
 */
export const openSupervisorOpsServer = (
  { opsHost, workerOpsPort }: Pick<Config, 'opsHost' | 'workerOpsPort'>,
  supervisor: Pick<Supervisor, 'statuses'>,
): Server<undefined> =>
  listenOnFreePort(workerOpsPort, (port) =>
    Bun.serve({
      hostname: opsHost,
      port,
      routes: {
        '/metrics': async () =>
          new Response(await metricsOf(supervisor.statuses()), { headers: { 'content-type': METRICS_TYPE } }),
        '/healthz': () => Response.json({ status: 'ok' }),
        '/readyz': () => readiness(supervisor.statuses()),
      },
      fetch: () => new Response('Try /metrics, /healthz or /readyz.\n', { status: 404 }),
    }),
  )

function readiness(statuses: readonly WorkerStatus[]): Response {
  const down = statuses.filter(({ isUp }) => !isUp).map(({ worker }) => worker)
  if (down.length === 0) return Response.json({ status: 'ready' })
  return Response.json({ status: 'not ready', down }, { status: 503 })
}

/**
 * The metrics of the supervisor and its processes. Prometheus requires the samples of a metric together, below a single
 * HELP and TYPE; each sample of a process gets the label `worker`.
 */
async function metricsOf(statuses: readonly WorkerStatus[]): Promise<string> {
  const samples = new Map<string, string[]>()
  const texts = await Promise.all(statuses.map(scrape))
  for (const [index, text] of texts.entries())
    for (const [, head = '', lines = ''] of text.matchAll(/^(# HELP .*\n# TYPE .*\n)((?:[^#].*\n)*)/gm)) {
      const labelled = lines.replace(/^(\w+)(?:\{(.*)\})? /gm, (_, name: string, labels?: string) => {
        return `${name}{worker="${statuses[index]?.worker}"${labels ? `,${labels}` : ''}} `
      })
      samples.set(head, [...(samples.get(head) ?? []), labelled])
    }
  return ownMetrics(statuses) + Array.from(samples, ([head, all]) => head + all.join('')).join('')
}

async function scrape({ opsUrl }: WorkerStatus): Promise<string> {
  if (!opsUrl) return ''
  try {
    const response = await fetch(`${opsUrl}/metrics`, { signal: AbortSignal.timeout(SCRAPE_LIMIT_MS) })
    return response.ok ? await response.text() : ''
  } catch {
    // The process has ended meanwhile: hearth_worker_up says so.
    return ''
  }
}

function ownMetrics(statuses: readonly WorkerStatus[]): string {
  const metric = (name: string, type: string, help: string, value: (status: WorkerStatus) => number) =>
    [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...statuses.map((status) => `${name}{worker="${status.worker}",actor="${status.actor}"} ${value(status)}`),
      '',
    ].join('\n')
  return (
    metric('hearth_worker_up', 'gauge', '1 while the process runs and sends heartbeats', ({ isUp }) => Number(isUp)) +
    metric('hearth_worker_restarts_total', 'counter', 'Restarts of the process', ({ restarts }) => restarts)
  )
}
