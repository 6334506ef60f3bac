// Traces that real servers export to a real receiver, and the data that they must not contain.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openLog } from '../../../src/platform/telemetry/log.ts'
import { type BookingClient, CUSTOMER, openBookingClient } from '../../support/booking-client.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import { type ExportedSpan, type OtlpReceiver, startOtlpReceiver } from '../../support/otlp-receiver.ts'
import { type TestServer, startServer } from '../../support/server.ts'

const ARRIVE_MS = 10_000

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let receiver: OtlpReceiver
let client: BookingClient
/** Exports every trace. */
let samplingServer: TestServer
/** Exports only traces with errors. */
let errorsOnlyServer: TestServer
/** The same, and continues the traces of callers on this machine. */
let trustingServer: TestServer

beforeAll(async () => {
  clone = await cloneDatabase('migrated')
  client = await openBookingClient(clone.url)
  receiver = startOtlpReceiver()
  const start = (ratio: string, env: Record<string, string> = {}) =>
    startServer({
      databaseUrl: clone.url,
      env: { ...receiver.env, OTEL_TRACES_SAMPLER_ARG: ratio, ...env },
    })
  ;[samplingServer, errorsOnlyServer, trustingServer] = await Promise.all([
    start('1'),
    start('0'),
    start('0', { TRUSTED_TRACE_SOURCES: '10.0.0.0/8,127.0.0.1' }),
  ])
})

afterAll(async () => {
  await Promise.all([samplingServer.stop(), errorsOnlyServer.stop(), trustingServer.stop()])
  await receiver.stop()
  await clone.drop()
})

const spansOf = (traceId: string) => receiver.spans().filter((span) => span.traceId === traceId)

/** The spans of a trace once its server span has arrived (it is exported last). */
async function exportedTrace(traceId: string): Promise<{ root: ExportedSpan; spans: ExportedSpan[] }> {
  const rootOf = () => spansOf(traceId).find((span) => span.kind === 2)
  await waitUntil(() => rootOf() !== undefined, ARRIVE_MS)
  const root = rootOf()
  if (!root) throw new Error(`The trace ${traceId} was not exported.`)
  return { root, spans: spansOf(traceId) }
}

const requestId = (response: Response) => response.headers.get('x-request-id') ?? ''

describe('the trace of a booking', () => {
  test('contains the request and its statements by name, with one trace id', async () => {
    const response = await client.post(samplingServer.url, 0)
    expect(response.status).toBe(201)
    const { root, spans } = await exportedTrace(requestId(response))
    expect(root).toMatchObject({ name: 'POST /api/v1/bookings', kind: 2, parentSpanId: undefined, statusCode: 0 })
    expect(root.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/bookings',
      'http.response.status_code': 201,
      'hearth.key_id': client.keyId,
    })
    const statements = spans.filter((span) => span.kind === 3)
    expect(statements.map((span) => span.name).sort()).toEqual(['findKeyByHash', 'reserve_slot'])
    for (const statement of statements) {
      expect(statement.parentSpanId).toBe(root.spanId)
      expect(statement.attributes).toEqual({ 'db.system.name': 'postgresql' })
    }
  })

  test('continues in the events of the booking', async () => {
    const response = await client.post(samplingServer.url, 1)
    const sql = testSql(clone.url, 1)
    const rows = await sql<{ traceparent: string }[]>`
      select traceparent from outbox_events where traceparent like ${`00-${requestId(response)}-%`}`
    await sql.end()
    expect(rows.length).toBeGreaterThan(0)
    const { root } = await exportedTrace(requestId(response))
    for (const { traceparent } of rows) expect(traceparent).toBe(`00-${root.traceId}-${root.spanId}-01`)
  })

  describe('whose caller sent a traceparent', () => {
    const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    const sampled = { traceparent: `00-${traceId}-${spanId}-01` }

    test('continues the trace of a trusted caller, with its sampling', async () => {
      const response = await client.post(trustingServer.url, 2, { headers: sampled })
      expect(requestId(response)).toBe(traceId)
      const { root, spans } = await exportedTrace(traceId)
      expect([root.parentSpanId, root.links]).toEqual([spanId, []])
      expect(spans.map((span) => span.name)).toContain('reserve_slot')
    })

    test('is a new trace with a link for other callers', async () => {
      const response = await client.post(samplingServer.url, 5, { headers: sampled })
      expect(requestId(response)).not.toBe(traceId)
      const { root } = await exportedTrace(requestId(response))
      expect([root.parentSpanId, root.links]).toEqual([undefined, [{ traceId, spanId }]])
    })

    test.each(['/healthz', '/webhooks/stripe', '/console/login', '/nowhere'])(
      'is not kept because another caller’s flag says so: %s',
      async (path) => {
        const headers = { ...sampled, 'x-forwarded-for': '10.0.0.1' }
        const foreign = await fetch(errorsOnlyServer.url + path, { method: 'POST', headers })
        // Exported later by the same process, so it arrives after whatever came before.
        const failed = await brokenRequest(errorsOnlyServer.url)
        await exportedTrace(requestId(failed))
        expect(requestId(foreign)).toMatch(/^[0-9a-f]{32}$/)
        expect(spansOf(requestId(foreign))).toEqual([])
      },
    )
  })

  test.each([
    '',
    '00-0-0-00',
    `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
  ])('is a new trace when the traceparent is %p', async (traceparent) => {
    const response = await fetch(`${errorsOnlyServer.url}/healthz`, { headers: { traceparent } })
    expect(requestId(response)).toMatch(/^(?!0{32})(?!a{32})[0-9a-f]{32}$/)
  })
})

describe('a trace that is not sampled', () => {
  test('is exported only when the request fails with 5xx', async () => {
    const fine = await client.post(errorsOnlyServer.url, 3)
    const conflicting = await client.post(errorsOnlyServer.url, 3)
    const unknown = await fetch(`${errorsOnlyServer.url}/api/v1/pros/unknown`)
    const failed = await brokenRequest(errorsOnlyServer.url)
    expect([fine.status, conflicting.status, unknown.status, failed.status]).toEqual([201, 409, 404, 500])
    const { root, spans } = await exportedTrace(requestId(failed))
    expect(root).toMatchObject({ statusCode: 2 })
    expect(root.attributes).toMatchObject({ 'http.response.status_code': 500, 'error.type': '500' })
    const statement = spans.find((span) => span.kind === 3)
    expect(statement).toMatchObject({ statusCode: 2, attributes: { 'error.type': '42P01' } })
    for (const response of [fine, conflicting, unknown]) expect(spansOf(requestId(response))).toEqual([])
  })

  test('still has its id in the problem document and in the log', async () => {
    const refused = await fetch(`${errorsOnlyServer.url}/api/v1/pros/unknown`)
    expect(await refused.json()).toMatchObject({ code: 'professional_not_found', requestId: requestId(refused) })
    const failed = await brokenRequest(errorsOnlyServer.url)
    expect(await failed.json()).toMatchObject({ code: 'internal', requestId: requestId(failed) })
    expect(errorsOnlyServer.log().filter((line) => line.traceId === requestId(failed))).toHaveLength(1)
  })
})

/** Requests a booking while its table has another name. */
async function brokenRequest(url: string): Promise<Response> {
  const sql = testSql(clone.url, 1)
  try {
    await sql`alter table bookings rename to bookings_away`
    return await fetch(`${url}/api/v1/bookings?code=HTH-000000000000`)
  } finally {
    await sql`alter table bookings_away rename to bookings`
    await sql.end()
  }
}

test('no key, confirmation code, name, e-mail address or phone number is in any trace, log line or metric', async () => {
  const booked = await client.post(samplingServer.url, 4)
  const { booking } = (await booked.json()) as { booking: { confirmationCode: string } }
  const found = await fetch(`${samplingServer.url}/api/v1/bookings?code=${booking.confirmationCode}`)
  expect(found.status).toBe(200)
  const invalid = await fetch(`${samplingServer.url}/api/v1/bookings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...client.body(5), customer: { ...CUSTOMER, email: 'not-quite@' } }),
  })
  expect(invalid.status).toBe(400)
  await exportedTrace(requestId(invalid))
  const metrics = await (await fetch(`${samplingServer.opsUrl}/metrics`)).text()
  const everything = [
    ...receiver.requests.map(({ body }) => body),
    samplingServer.output(),
    errorsOnlyServer.output(),
    metrics,
  ].join('\n')
  const personal = [
    client.key,
    client.key.slice(-12),
    booking.confirmationCode,
    ...Object.values(CUSTOMER),
    'not-quite@',
  ]
  for (const text of personal) expect(everything).not.toContain(text)
})

test('a database error is logged without the values that PostgreSQL quotes', async () => {
  const lines: string[] = []
  const log = openLog('info', { write: (line) => lines.push(line) })
  const sql = testSql(clone.url, 1)
  const attempts = [
    () => sql`insert into accounts select gen_random_uuid(), kind, email, name, created_at from accounts`,
    () => sql`select ${CUSTOMER.email}::text::integer`,
    () =>
      sql`do $$ begin raise exception 'called % with %', ${sql.unsafe(`'${CUSTOMER.phone}'`)}, 'me@example.com'; end $$`,
  ]
  for (const attempt of attempts) await attempt().catch((err: unknown) => log.error({ err }, 'failed'))
  await sql.end()
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain('"constraint_name":"accounts_email_key"')
  for (const line of lines) expect(line).not.toMatch(/@example\.com|555-0142/)
})

describe('metrics', () => {
  test('count requests by route, method and status, and all unknown paths as one route', async () => {
    for (const path of ['/nothing/here/now', '/nothing/there/now']) await fetch(`${samplingServer.url}${path}`)
    await client.post(samplingServer.url, 6)
    const response = await fetch(`${samplingServer.opsUrl}/metrics`)
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    const lines = (await response.text()).split('\n')
    const count = (method: string, route: string, status: number) => {
      const labels = `http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"`
      const line = lines.find((text) => text.startsWith(`http_server_request_duration_seconds_count{${labels}}`))
      return Number(line?.split(' ').at(-1) ?? 0)
    }
    expect(count('POST', '/api/v1/bookings', 201)).toBeGreaterThan(0)
    expect(count('GET', 'unmatched', 404)).toBe(2)
    expect(lines.filter((line) => line.includes('/nothing/'))).toEqual([])
    for (const name of [
      'http_server_active_requests',
      'hearth_postgres_pool_busy{pool="write"}',
      'process_resident_memory_bytes',
    ])
      expect(lines.some((line) => line.startsWith(`${name} `))).toBe(true)
  })

  test('are not served on the public port, nor the API on the ops port', async () => {
    expect((await fetch(`${samplingServer.url}/metrics`)).status).toBe(404)
    expect((await fetch(`${samplingServer.opsUrl}/api/v1/services`)).status).toBe(404)
  })
})
