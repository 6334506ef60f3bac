// The upper limit of HTTP on this stack: bare Elysia that sends the files of the folder BODIES, one per path. No validation,
// identity, rate limits, security headers, traces or metrics.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { Elysia } from 'elysia'

const folder = process.env['BODIES'] ?? ''
const app = new Elysia()
app.get('/ready', () => 'ok')
for (const name of readdirSync(folder)) {
  const bytes = readFileSync(join(folder, name))
  app.get(`/api/v1/${name}`, () => new Response(bytes, { headers: { 'content-type': 'application/json' } }))
}
app.listen({ port: Number(process.env['PORT']), hostname: '127.0.0.1' })
process.on('SIGTERM', () => void app.stop(true).then(() => process.exit(0)))
