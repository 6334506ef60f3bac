// The floor of a cached read: bare Elysia that sends the files of the folder BODIES with the headers of Hearth's responses. No
// validation, identity, rate limits, traces or metrics.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { Elysia } from 'elysia'

const folder = process.env['BODIES'] ?? ''
const HEADERS = '.headers.json'
/** Set by the HTTP server. */
const OF_TRANSPORT = new Set(['content-length', 'date', 'transfer-encoding'])

const app = new Elysia()
app.get('/ready', () => 'ok')
for (const name of readdirSync(folder).filter((file) => !file.endsWith(HEADERS))) {
  const bytes = readFileSync(join(folder, name))
  const all = JSON.parse(readFileSync(join(folder, name + HEADERS), 'utf8')) as [string, string][]
  const init = { headers: all.filter(([header]) => !OF_TRANSPORT.has(header)) }
  app.get(`/api/v1/${name}`, () => new Response(bytes, init))
}
app.listen({ port: Number(process.env['PORT']), hostname: '127.0.0.1' })
process.on('SIGTERM', () => void app.stop(true).then(() => process.exit(0)))
