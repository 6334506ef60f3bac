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
  // Until its start is over, the client opens connections and builds requests, which would fill the last percent of latencies.
  const startMs = job.seconds === undefined ? 0 : (job.startSeconds ?? 0) * 1000
  let [fromMs, lastMs, measured] = [Infinity, 0, 0]
  let cpuAtStart: NodeJS.CpuUsage | undefined
  // Each connection gets its own requests, because autocannon copies a shared list for every connection.
  const setupClient = (client: Client) => {
    const own: LoadRequest[] = []
    for (let place = sender; place < maxRequests || own.length === 0; place += senders)
      own.push(all[(skip + place) % all.length] ?? { path: '/' })
    sender++
    client.setRequests(own.map(toAutocannon))
    client.on('response', (status, _bytes, ms) => {
      lastMs = performance.now()
      statuses[status] = (statuses[status] ?? 0) + 1
      if (fromMs === Infinity) fromMs = startMs === 0 ? lastMs - ms : lastMs + startMs
      if (lastMs < fromMs) return
      cpuAtStart ??= process.cpuUsage()
      measured++
      if (startMs === 0 || lastMs - ms >= fromMs) latencies.push(ms)
    })
  }
  const { errors } = await autocannon({
    url: job.url,
    connections: job.connections,
    ...(job.amount === undefined ? { duration: (job.seconds ?? 1) + startMs / 1000 } : { amount: job.amount }),
    sampleInt: SAMPLE_MS,
    timeout: 60,
    setupClient,
  })
  const { user, system } = process.cpuUsage(cpuAtStart)
  const seconds = Math.max(0, lastMs - fromMs) / 1000
  return { seconds, measured, statuses, errors, latencies, cpuMs: (user + system) / 1000 }
}

process.on('message', (job: LoadJob) => {
  void run(job).then((report) => process.send?.(report))
})
