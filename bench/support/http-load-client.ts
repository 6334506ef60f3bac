// A load client process: receives jobs from the benchmark, sends the requests with autocannon and reports the results.
import { readFileSync } from 'node:fs'

import autocannon, { type Client } from 'autocannon'

import type { LoadJob, LoadReport, LoadRequest } from './http-load.ts'

/** How often autocannon checks whether the duration is over, in ms. */
const SAMPLE_MS = 100

/** Different requests per round by default. Building more would delay the start. */
const DEFAULT_MAX_REQUESTS = 16_384

const files = new Map<string, LoadRequest[]>()

function requestsOf(file: string): LoadRequest[] {
  const cached = files.get(file)
  if (cached) return cached
  const read = JSON.parse(readFileSync(file, 'utf8')) as LoadRequest[]
  files.set(file, read)
  return read
}

const toAutocannon = ({ path, headers = {}, body }: LoadRequest) =>
  body === undefined
    ? { method: 'GET' as const, path, headers }
    : { method: 'POST' as const, path, headers: { 'content-type': 'application/json', ...headers }, body }

async function run(job: LoadJob): Promise<LoadReport> {
  const all = requestsOf(job.file)
  const { skip = 0, maxRequests = Math.min(all.length, DEFAULT_MAX_REQUESTS) } = job
  const senders = job.connections * job.parts
  let sender = job.part * job.connections
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  // From the first request to the last response: the time to build the requests does not count.
  let [firstMs, lastMs] = [Infinity, 0]
  let cpuAtFirst: NodeJS.CpuUsage | undefined
  // Each connection gets its own requests, because autocannon copies a shared list for every connection.
  const setupClient = (client: Client) => {
    const own: LoadRequest[] = []
    for (let place = sender; place < maxRequests || own.length === 0; place += senders)
      own.push(all[(skip + place) % all.length] ?? { path: '/' })
    sender++
    client.setRequests(own.map(toAutocannon))
    client.on('response', (status, _bytes, ms) => {
      lastMs = performance.now()
      firstMs = Math.min(firstMs, lastMs - ms)
      cpuAtFirst ??= process.cpuUsage()
      latencies.push(ms)
      statuses[status] = (statuses[status] ?? 0) + 1
    })
  }
  const { errors } = await autocannon({
    url: job.url,
    connections: job.connections,
    ...(job.amount === undefined ? { duration: job.seconds ?? 1 } : { amount: job.amount }),
    sampleInt: SAMPLE_MS,
    timeout: 60,
    setupClient,
  })
  const { user, system } = process.cpuUsage(cpuAtFirst)
  return { seconds: (lastMs - firstMs) / 1000, statuses, errors, latencies, cpuMs: (user + system) / 1000 }
}

process.on('message', (job: LoadJob) => {
  void run(job).then((report) => process.send?.(report))
})
