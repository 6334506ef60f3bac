// The floor of a read: bare Elysia that runs Hearth's own prepared statement through the same driver and returns its text. No
// validation, identity, rate limits, security headers, traces or metrics. CALLS names the file of the statement and its calls.
import { readFileSync } from 'node:fs'

import { Elysia } from 'elysia'

import { defaultConnections } from '../../src/platform/postgres/client.ts'
import { connect } from '../../src/platform/postgres/open-database.ts'
import { GENERIC_PLANS } from '../../src/platform/postgres/settings.ts'
import type { FloorCalls } from '../support/floor.ts'

const { text, column, paths } = JSON.parse(readFileSync(process.env['CALLS'] ?? '', 'utf8')) as FloorCalls
const url = process.env['DATABASE_URL'] ?? ''
const sql = connect(url, defaultConnections(url), { applicationName: 'hearth-bench-floor', settings: GENERIC_PLANS })
const origin = `http://127.0.0.1:${process.env['PORT']}`
const init = { headers: { 'content-type': 'application/json' } }

const app = new Elysia()
app.get('/ready', () => 'ok')
app.get('*', async ({ request }) => {
  const parameters = paths[request.url.slice(origin.length)]
  if (!parameters) return new Response('unknown', { status: 404 })
  const [row] = await sql.unsafe<Record<string, string>[]>(text, parameters as never[], { prepare: true })
  return new Response(row?.[column], init)
})
app.listen({ port: Number(process.env['PORT']), hostname: '127.0.0.1' })
process.on('SIGTERM', () => void app.stop(true).then(() => process.exit(0)))
