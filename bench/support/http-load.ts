// HTTP load by autocannon in separate processes, which stay for all rounds so that their JIT compiler is warm.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { percentiles } from './statistics.ts'
import { BENCH_FOLDER, ROOT } from './stores.ts'

export interface LoadRequest {
  path: string
  headers?: Record<string, string>
  /** Makes the method POST. */
  body?: string
}

/** A file of requests, of which each connection of each client sends its own part. */
export interface Requests {
  readonly file: string
  readonly count: number
}

/** A job for a client process. */
export interface LoadJob {
  url: string
  file: string
  /** The index of this client among `parts` clients, which share the requests. */
  part: number
  parts: number
  connections: number
  /** The duration, or the total number of requests. */
  seconds?: number
  amount?: number
  /** How long the client's start takes, which is not measured. It comes before `seconds`; with an `amount` all is measured. */
  startSeconds?: number
  /** The first request to send, so that every round sends different ones. The list wraps around. */
  skip?: number
  /** How many different requests to send repeatedly. */
  maxRequests?: number
}

/** The result of a job. */
export interface LoadReport {
  /** The measured time, without the client's start. */
  seconds: number
  /** Responses in that time. */
  measured: number
  /** Responses by status code, with those of the start. */
  statuses: Record<string, number>
  errors: number
  /** Of the requests that were sent in the measured time, in ms, in the order of arrival. */
  latencies: number[]
  /** CPU time of the client in the measured time, in ms. */
  cpuMs: number
}

export interface Load {
  /** All responses, with those of the clients' start. */
  responses: number
  failed: number
  /** Responses and latencies after the clients' start. */
  perSecond: number
  /** The latencies that the percentiles rest on. A percentile that needs more is absent. */
  samples: number
  p50Ms?: number
  p99Ms?: number
  longestMs: number
  statuses: Record<string, number>
  /** Share of a core that each client used. Near 1, the clients limit the rate instead of the server. */
  clientCores: number
}

/** Writes requests to a file for the clients. */
export function writeRequests(name: string, requests: readonly LoadRequest[]): Requests {
  const folder = join(BENCH_FOLDER, 'requests')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`)
  writeFileSync(file, JSON.stringify(requests))
  return { file, count: requests.length }
}

interface Client {
  child: Bun.Subprocess
  settle?: (report: LoadReport | Error) => void
}

/** Client processes, started when first needed. */
export class LoadClients {
  readonly #clients: Client[] = []

  /** Sends the load from `clients` processes and returns their combined results. */
  async run(
    requests: Requests,
    job: { url: string; connections: number; clients?: number } & Pick<
      LoadJob,
      'seconds' | 'startSeconds' | 'amount' | 'skip' | 'maxRequests'
    >,
  ): Promise<Load> {
    const parts = job.clients ?? 1
    const program = await buildClient()
    while (this.#clients.length < parts) this.#start(program)
    const used = this.#clients.slice(0, parts)
    const reports = await Promise.all(
      used.map((client, part) => {
        const { promise, resolve, reject } = Promise.withResolvers<LoadReport>()
        client.settle = (report) => (report instanceof Error ? reject(report) : resolve(report))
        client.child.send({
          ...job,
          file: requests.file,
          part,
          parts,
          connections: Math.max(1, Math.round(job.connections / parts)),
          ...(job.amount === undefined ? {} : { amount: Math.round(job.amount / parts) }),
        } satisfies LoadJob)
        return promise
      }),
    )
    return summarize(reports)
  }

  /** Stops the clients. */
  async stop(): Promise<void> {
    for (const { child } of this.#clients) child.kill()
    await Promise.all(this.#clients.map(({ child }) => child.exited))
  }

  #start(program: string): void {
    const client: Client = {
      child: Bun.spawn(['node', program], {
        cwd: ROOT,
        stdio: ['ignore', 'inherit', 'inherit'],
        serialization: 'json',
        ipc: (report: LoadReport) => client.settle?.(report),
        onExit: () => client.settle?.(new Error('A load client exited.')),
      }),
    }
    this.#clients.push(client)
  }
}

let built: Promise<string> | undefined

/** Builds the client for Node: autocannon uses a third less CPU per response there than on Bun. */
function buildClient(): Promise<string> {
  built ??= Bun.build({
    entrypoints: [join(import.meta.dir, 'http-load-client.ts')],
    // Inside the checkout, so that Node finds autocannon.
    outdir: join(ROOT, '.hearth/built'),
    target: 'node',
    packages: 'external',
    naming: '[name].mjs',
  }).then(({ outputs: [output], logs }) => {
    if (!output) throw new AggregateError(logs, 'The load client could not be built.')
    return output.path
  })
  return built
}

function summarize(reports: readonly LoadReport[]): Load {
  const statuses: Record<string, number> = {}
  for (const report of reports)
    for (const [status, count] of Object.entries(report.statuses)) statuses[status] = (statuses[status] ?? 0) + count
  const responses = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  const good = Object.entries(statuses).reduce((sum, [status, count]) => (status < '300' ? sum + count : sum), 0)
  const sorted = Float64Array.from(reports.flatMap(({ latencies }) => [...latencies])).sort()
  const { p50, p99 } = percentiles(sorted)
  return {
    responses,
    failed: responses - good + reports.reduce((sum, { errors }) => sum + errors, 0),
    perSecond: reports.reduce((sum, { measured, seconds }) => sum + (measured > 0 ? measured / seconds : 0), 0),
    samples: sorted.length,
    ...(p50 === undefined ? {} : { p50Ms: p50 }),
    ...(p99 === undefined ? {} : { p99Ms: p99 }),
    longestMs: sorted.at(-1) ?? Number.NaN,
    clientCores: Math.max(...reports.map(({ cpuMs, seconds }) => cpuMs / seconds / 1000)),
    statuses,
  }
}
