// HTTP load by autocannon in processes of their own: kept from round to round, so that their compiler is warm too.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
  /** Begin at this request, so that every round sends others; past the last come the first. */
  skip?: number
  /** Send only so many different ones, over and over. */
  most?: number
}

/** What a client process answers. */
export interface LoadReport {
  seconds: number
  /** Answers by status code. */
  statuses: Record<string, number>
  errors: number
  /** In ms, in the order in which they came. */
  latencies: number[]
  /** CPU time of the client from the first answer on, in ms. */
  cpuMs: number
}

export interface Load {
  answered: number
  failed: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  longestMs: number
  statuses: Record<string, number>
  /** How much of a core each client used: near 1 the rate is the clients', not the server's. */
  clientCores: number
}

/** Writes requests down for clients to read. */
export function keepRequests(name: string, requests: readonly LoadRequest[]): Requests {
  const folder = join(BENCH_FOLDER, 'requests')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`)
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
    order: { url: string; connections: number; clients?: number } & Pick<
      LoadOrder,
      'seconds' | 'amount' | 'skip' | 'most'
    >,
  ): Promise<Load> {
    const parts = order.clients ?? 1
    const program = await builtClient()
    while (this.#clients.length < parts) this.#start(program)
    const used = this.#clients.slice(0, parts)
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
    return summaryOf(reports)
  }

  /** Ends them. */
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
        ipc: (report: LoadReport) => client.answer?.(report),
        onExit: () => client.answer?.(new Error('A load client ended.')),
      }),
    }
    this.#clients.push(client)
  }
}

let built: Promise<string> | undefined

/** The client for Node, for which autocannon is made: a third less CPU per answer than on Bun. */
function builtClient(): Promise<string> {
  built ??= Bun.build({
    entrypoints: [join(import.meta.dir, 'http-load-client.ts')],
    // Within the checkout, so that Node finds autocannon.
    outdir: join(ROOT, '.hearth/built'),
    target: 'node',
    packages: 'external',
    naming: '[name].mjs',
  }).then(({ outputs: [output], logs }) => {
    if (!output) throw new AggregateError(logs, 'the load client could not be built')
    return output.path
  })
  return built
}

function summaryOf(reports: readonly LoadReport[]): Load {
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
    clientCores: Math.max(...reports.map(({ cpuMs, seconds }) => cpuMs / seconds / 1000)),
    statuses,
  }
}
