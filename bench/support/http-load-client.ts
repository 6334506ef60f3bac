// One load client: waits for orders from the benchmark, sends the requests with autocannon, answers what it saw.
import { readFileSync } from 'node:fs'

import autocannon, { type Client } from 'autocannon'

import type { LoadOrder, LoadReport, LoadRequest } from './http-load.ts'

/** Autocannon looks at its clock so often whether it is over, in ms. */
const SAMPLE_MS = 100

/** Different requests of a round, unless told otherwise: putting them together takes time before it begins. */
const MOST = 16_384

const files = new Map<string, LoadRequest[]>()

function requestsOf(file: string): LoadRequest[] {
  const known = files.get(file)
  if (known) return known
  const read = JSON.parse(readFileSync(file, 'utf8')) as LoadRequest[]
  files.set(file, read)
  return read
}

const toAutocannon = ({ path, headers = {}, body }: LoadRequest) =>
  body === undefined
    ? { method: 'GET' as const, path, headers }
    : { method: 'POST' as const, path, headers: { 'content-type': 'application/json', ...headers }, body }

async function run(order: LoadOrder): Promise<LoadReport> {
  const all = requestsOf(order.file)
  const { skip = 0, most = Math.min(all.length, MOST) } = order
  const senders = order.connections * order.parts
  let sender = order.part * order.connections
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  // From the first request to the last answer: putting the requests together takes its time too.
  let [firstMs, lastMs] = [Infinity, 0]
  let cpuAtFirst: NodeJS.CpuUsage | undefined
  // Each connection has requests of its own. Given to all at once, autocannon would copy all of them per connection.
  const setupClient = (client: Client) => {
    const own: LoadRequest[] = []
    for (let place = sender; place < most || own.length === 0; place += senders)
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
    url: order.url,
    connections: order.connections,
    ...(order.amount === undefined ? { duration: order.seconds ?? 1 } : { amount: order.amount }),
    sampleInt: SAMPLE_MS,
    timeout: 60,
    setupClient,
  })
  const { user, system } = process.cpuUsage(cpuAtFirst)
  return { seconds: (lastMs - firstMs) / 1000, statuses, errors, latencies, cpuMs: (user + system) / 1000 }
}

process.on('message', (order: LoadOrder) => {
  void run(order).then((report) => process.send?.(report))
})
