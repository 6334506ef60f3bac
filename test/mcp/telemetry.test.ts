// Telemetry of tools: a span for each call in the caller's trace, and a metric for each tool.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { CUSTOMER_SERVER, agentKey } from '../support/agents.ts'
import { type TestApp, openTestApp } from '../support/app.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts'
import { type TestServer, startServer } from '../support/server.ts'

let app: TestApp
let receiver: OtlpReceiver
/** Continues the traces of callers on this machine. */
let server: TestServer
/** Continues no caller's trace, which is the default. */
let untrustingServer: TestServer
let key: string

beforeAll(async () => {
  app = await openTestApp()
  receiver = startOtlpReceiver()
  const env = { ...receiver.env, OTEL_TRACES_SAMPLER_ARG: '1' }
  ;[server, untrustingServer] = await Promise.all([
    startServer({ ...app, env: { ...env, TRUSTED_TRACE_SOURCES: '127.0.0.1' } }),
    startServer({ ...app, env }),
  ])
  key = await agentKey(app)
})
afterAll(async () => {
  await Promise.all([server.stop(), untrustingServer.stop()])
  await receiver.stop()
  await app.close()
})

interface CallOptions {
  meta?: object
  headers?: Record<string, string>
  to?: TestServer
}

const call = (args: object, { meta, headers, to = server }: CallOptions = {}) =>
  fetch(to.url + CUSTOMER_SERVER, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_pros', arguments: args, ...(meta ? { _meta: meta } : {}) },
    }),
  })

async function spanOf(traceId: string) {
  const find = () => receiver.spans().find((span) => span.traceId === traceId && span.name === 'tool search_pros')
  await waitUntil(() => find() !== undefined, 10_000)
  return find()
}

const traceparent = (traceId: string, spanId: string) => `00-${traceId}-${spanId}-01`

test('a call has a span named after its tool, below the request’s span', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const response = await call({ state: 'TX' }, { headers: { traceparent: traceparent(traceId, '00f067aa0ba902b7') } })
  expect(response.headers.get('x-request-id')).toBe(traceId)
  const span = await spanOf(traceId)
  const request = receiver.spans().find(({ spanId }) => spanId === span?.parentSpanId)
  expect(request?.name).toBe(`POST ${CUSTOMER_SERVER}`)
  expect(span?.attributes).toEqual({ 'hearth.agent_server': 'customer', 'hearth.tool': 'search_pros' })
})

test('the call and its statements continue the trace that a trusted message names', async () => {
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  await call({ state: 'TX' }, { meta: { traceparent: traceparent(traceId, spanId) } })
  const span = await spanOf(traceId)
  expect(span?.parentSpanId).toBe(spanId)
  const statements = receiver.spans().filter(({ parentSpanId }) => parentSpanId === span?.spanId)
  expect(statements.map(({ name }) => name)).toContain('search-ranked')
})

test('a call stays in the request’s trace when other callers name traces, and links to them', async () => {
  const [traceId, headerId, metaId] = ['5af7651916cd43dd8448eb211c80319c', 'a7ad6b7169203331', 'b7ad6b7169203331']
  const response = await call(
    { state: 'TX' },
    {
      to: untrustingServer,
      headers: { traceparent: traceparent(traceId, headerId) },
      meta: { traceparent: traceparent(traceId, metaId) },
    },
  )
  const span = await spanOf(response.headers.get('x-request-id') ?? '')
  const request = receiver.spans().find(({ spanId }) => spanId === span?.parentSpanId)
  expect(span?.links).toEqual([{ traceId, spanId: metaId }])
  expect([request?.parentSpanId, request?.links]).toEqual([undefined, [{ traceId, spanId: headerId }]])
  expect(receiver.spans().filter((one) => one.traceId === traceId && one.links.length > 0)).toEqual([])
})

test('a malformed traceparent is ignored', async () => {
  const response = await call({ state: 'TX' }, { meta: { traceparent: 'nonsense' } })
  expect(response.status).toBe(200)
})

test('each tool has a count and a duration by outcome', async () => {
  await call({ limit: 'two' })
  const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text()
  for (const outcome of ['ok', 'refused'])
    expect(metrics).toContain(
      `hearth_agent_tool_duration_seconds_count{server="customer",tool="search_pros",outcome="${outcome}"}`,
    )
})
