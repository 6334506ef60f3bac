// HTTP load by autocannon in processes of their own: kept from round to round, so that their compiler is warm too.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { cpuMs } from './cpu.ts'
import { percentile } from './statistics.ts'
import { BENCH_FOLDER, ROOT } from './stores.ts'

export interface LoadRequest {
  path: string
  headers?: Record<string, string>
  /** With it the method is POST. */
  body?: string
}

/** A list of requests in a file, from which each connection of each client sends its own part in turn. */
export interface Requests {
  readonly file: string
  readonly count: number
}

/** What a client process is told. */
export interface LoadOrder {
  url: string
  file: string
  /** Of so many clients this is the `part`th: it takes its own share of the requests. */
  part: number
  parts: number
  connections: number
  /** For how long, or how many requests in all. */
  seconds?: number
  amount?: number
  /** Begin at this request, so that none is sent twice from round to round. */
  skip?: number
}

/** What a client process answers. */
export interface LoadReport {
  seconds: number
  /** Answers by status code. */
  statuses: Record<string, number>
  errors: number
  /** In ms, in the order in which they came. */
  latencies: Float64Array
}

export interface Load {
  answered: number
  failed: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  longestMs: number
  statuses: Record<string, number>
  /** CPU time of the clients. */
  clientCpuMs: number
}

/** Writes requests down for clients to read. */
export function keepRequests(name: string, requests: readonly LoadRequest[]): Requests {
  const folder = join(BENCH_FOLDER, 'requests')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(requests))
  return { file, count: requests.length }
}

interface Client {
  child: Bun.Subprocess
  answer?: (report: LoadReport | Error) => void
}

/** Client processes, started when first needed. */
export class LoadClients {
  readonly #clients: Client[] = []

  /** Sends the load from `clients` processes and gives what they saw. */
  async run(
    requests: Requests,
    order: { url: string; connections: number; clients?: number } & Pick<LoadOrder, 'seconds' | 'amount' | 'skip'>,
  ): Promise<Load> {
    const parts = order.clients ?? 1
    while (this.#clients.length < parts) this.#start()
    const used = this.#clients.slice(0, parts)
    const before = used.reduce((sum, { child }) => sum + cpuMs(child.pid), 0)
    const reports = await Promise.all(
      used.map((client, part) => {
        const { promise, resolve, reject } = Promise.withResolvers<LoadReport>()
        client.answer = (report) => (report instanceof Error ? reject(report) : resolve(report))
        client.child.send({
          ...order,
          file: requests.file,
          part,
          parts,
          connections: Math.max(1, Math.round(order.connections / parts)),
          ...(order.amount === undefined ? {} : { amount: Math.round(order.amount / parts) }),
        } satisfies LoadOrder)
        return promise
      }),
    )
    const clientCpuMs = used.reduce((sum, { child }) => sum + cpuMs(child.pid), 0) - before
    return { ...summaryOf(reports), clientCpuMs }
  }

  /** Ends them. */
  async stop(): Promise<void> {
    for (const { child } of this.#clients) child.kill()
    await Promise.all(this.#clients.map(({ child }) => child.exited))
  }

  #start(): void {
    const client: Client = {
      child: Bun.spawn([process.execPath, '--no-orphans', join(import.meta.dir, 'http-load-client.ts')], {
        cwd: ROOT,
        stdio: ['ignore', 'inherit', 'inherit'],
        serialization: 'advanced',
        ipc: (report: LoadReport) => client.answer?.(report),
        onExit: () => client.answer?.(new Error('A load client ended.')),
      }),
    }
    this.#clients.push(client)
  }
}

function summaryOf(reports: readonly LoadReport[]): Omit<Load, 'clientCpuMs'> {
  const statuses: Record<string, number> = {}
  for (const report of reports)
    for (const [status, count] of Object.entries(report.statuses)) statuses[status] = (statuses[status] ?? 0) + count
  const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  const good = Object.entries(statuses).reduce((sum, [status, count]) => (status < '300' ? sum + count : sum), 0)
  const sorted = Float64Array.from(reports.flatMap(({ latencies }) => [...latencies])).sort()
  return {
    answered,
    failed: answered - good + reports.reduce((sum, { errors }) => sum + errors, 0),
    perSecond: reports.reduce((sum, { latencies, seconds }) => sum + latencies.length / seconds, 0),
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    longestMs: percentile(sorted, 1),
    statuses,
  }
}
