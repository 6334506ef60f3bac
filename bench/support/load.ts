// A load generator in a process of its own, so that its CPU time is nobody else's: what to send comes as JSON in argv.
import autocannon from 'autocannon'

export interface Load {
  url: string
  connections: number
  seconds: number
  /** Each connection sends these in turn. */
  headers: Record<string, string>[]
}

const { url, connections, seconds, headers } = JSON.parse(process.argv[2] ?? '') as Load
const requests = headers.map((each) => ({ method: 'GET' as const, headers: each }))
const { '2xx': ok, non2xx, errors } = await autocannon({ url, connections, duration: seconds, requests })
process.stdout.write(JSON.stringify({ ok, failed: non2xx + errors }))
