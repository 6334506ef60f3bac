// The OTEL_* variables as OpenTelemetry defines them, each on its own server that exports to a receiver.
import { describe, expect, test } from 'bun:test'

import { readConfig } from '../../../src/config.ts'
import { ConfigError } from '../../../src/platform/environment.ts'
import { cloneDatabase } from '../../support/database.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../../support/otlp-receiver.ts'
import { type TestServer, startServer } from '../../support/server.ts'
import { opened } from '../../support/fixture.ts'
const clone = await opened(cloneDatabase('migrated'), 'drop')

type Started = TestServer & { readonly receiver: OtlpReceiver }

/** Starts a server with `env`, lets `use` send requests, and stops it, which exports the remaining spans. */
async function serving(
  env: Record<string, string>,
  use: (server: Started) => Promise<void>,
): Promise<OtlpReceiver & { stoppedInMs: number }> {
  const receiver = startOtlpReceiver()
  try {
    const server = await startServer({ databaseUrl: clone.url, env: { ...receiver.env, ...env } })
    await use({ ...server, receiver })
    const stoppedAtMs = performance.now()
    expect(await server.stop()).toBe(0)
    return { ...receiver, stoppedInMs: performance.now() - stoppedAtMs }
  } finally {
    await receiver.stop()
  }
}

const CALLERS_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = (flags: string) => ({ traceparent: `00-${CALLERS_TRACE}-00f067aa0ba902b7-${flags}` })

const get = (server: TestServer, headers: Record<string, string> = {}) => fetch(`${server.url}/healthz`, { headers })

/** The ids of the exported traces of GET /healthz. */
const tracesIn = (receiver: OtlpReceiver) => {
  const roots = receiver.spans().filter(({ name }) => name === 'GET /healthz')
  return roots.map(({ traceId }) => traceId)
}

test('OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and OTEL_EXPORTER_OTLP_HEADERS are sent with every trace', async () => {
  const env = {
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_SERVICE_NAME: 'front-door',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,service.version=1.2%2C3',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc,x-tenant=hearth',
  }
  let metrics = ''
  const receiver = await serving(env, async (server) => {
    await get(server)
    metrics = await (await fetch(`${server.opsUrl}/metrics`)).text()
  })
  const [span] = receiver.spans()
  expect(span?.resource).toMatchObject({
    'service.name': 'front-door',
    'service.version': '1.2,3',
    'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'deployment.environment.name': 'staging',
    'telemetry.sdk.name': 'opentelemetry',
  })
  const [request] = receiver.requests
  expect(request?.headers.get('authorization')).toBe('Basic abc')
  expect(request?.headers.get('x-tenant')).toBe('hearth')
  const target = /^target_info\{.*/m.exec(metrics)?.[0]
  expect(target).toContain('service_name="front-door"')
  expect(target).toContain('deployment_environment_name="staging"')
})

test('by default a trace carries the name of the process, and neither its command line nor its user', async () => {
  const receiver = await serving({ OTEL_TRACES_SAMPLER: 'always_on' }, async (server) => void (await get(server)))
  const { resource = {} } = receiver.spans()[0] ?? {}
  expect(resource['service.name']).toBe('hearth-server')
  expect(Object.keys(resource).filter((name) => /^(process|host|os)\./.test(name))).toEqual([])
})

test('traces are exported as protobuf to OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, with its own headers', async () => {
  const env = (receiverUrl: string) => ({
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_PROTOCOL: '',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiverUrl}/v1/traces`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=general',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=traces',
  })
  const receiver = startOtlpReceiver()
  await serving(env(receiver.url), async (server) => void (await get(server)))
  // A slow start sends its own spans first.
  expect(receiver.requests.map(({ body }) => body).join('\n')).toContain('GET /healthz')
  for (const { headers } of receiver.requests)
    expect([headers.get('content-type'), headers.get('x-tenant')]).toEqual(['application/x-protobuf', 'traces'])
  await receiver.stop()
})

describe('OTEL_TRACES_SAMPLER', () => {
  test.each([
    ['always_on', '0', { own: true, sampled: true, unsampled: true }],
    ['traceidratio', '0', { own: false, sampled: false, unsampled: false }],
    ['parentbased_always_on', '0', { own: true, sampled: true, unsampled: false }],
    ['parentbased_traceidratio', '0', { own: false, sampled: true, unsampled: false }],
  ])('%s with argument %p samples as OpenTelemetry specifies', async (sampler, argument, expected) => {
    const env = {
      OTEL_TRACES_SAMPLER: sampler,
      OTEL_TRACES_SAMPLER_ARG: argument,
      TRUSTED_TRACE_SOURCES: '127.0.0.1',
    }
    let own = ''
    const sampledParent = { traceparent: `00-${'1'.repeat(32)}-00f067aa0ba902b7-01` }
    const receiver = await serving(env, async (server) => {
      own = (await get(server)).headers.get('x-request-id') ?? ''
      await get(server, sampledParent)
      await get(server, traceparent('00'))
    })
    const exported = tracesIn(receiver)
    expect({
      own: exported.includes(own),
      sampled: exported.includes('1'.repeat(32)),
      unsampled: exported.includes(CALLERS_TRACE),
    }).toEqual(expected)
  })
})

test('OTEL_TRACES_EXPORTER=none exports nothing', async () => {
  const env = { OTEL_TRACES_EXPORTER: 'none', OTEL_TRACES_SAMPLER: 'always_on' }
  const receiver = await serving(env, async (server) => {
    expect((await get(server)).headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
  })
  expect(receiver.requests).toEqual([])
})

test('OTEL_SDK_DISABLED turns off tracing and request ids, while requests and metrics keep working', async () => {
  let metrics = ''
  const receiver = await serving({ OTEL_SDK_DISABLED: 'true', OTEL_TRACES_SAMPLER: 'always_on' }, async (server) => {
    const unknown = await fetch(`${server.url}/api/v1/pros/unknown`)
    expect(unknown.status).toBe(404)
    expect(unknown.headers.has('x-request-id')).toBe(false)
    expect(await unknown.json()).toMatchObject({ requestId: null })
    metrics = await (await fetch(`${server.opsUrl}/metrics`)).text()
  })
  expect(receiver.requests).toEqual([])
  expect(metrics).toContain('http_server_request_duration_seconds_count')
})

test('a receiver that does not respond delays the end of a process only briefly', async () => {
  const silent = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Promise<Response>(() => undefined) })
  const env = { OTEL_TRACES_SAMPLER: 'always_on', OTEL_EXPORTER_OTLP_ENDPOINT: silent.url.origin }
  const { stoppedInMs } = await serving(env, async (server) => void (await get(server)))
  expect(stoppedInMs).toBeLessThan(5000)
  await silent.stop(true)
})

describe('the configuration', () => {
  const tracingOf = (env: Record<string, string>) =>
    readConfig({ DATABASE_URL: 'postgres://localhost/x', REDIS_URL: 'redis://localhost', ...env }).tracing

  test('samples one trace in twenty and exports none by default', () => {
    expect(tracingOf({})).toEqual({ isParentBased: true, sampleRatio: 0.05, exportProtocol: undefined })
    expect(tracingOf({ OTEL_TRACES_SAMPLER_ARG: '0.5' }).sampleRatio).toBe(0.5)
    expect(tracingOf({ OTEL_TRACES_SAMPLER: 'traceidratio' })).toMatchObject({ isParentBased: false, sampleRatio: 1 })
    expect(tracingOf({ OTEL_TRACES_EXPORTER: 'otlp' }).exportProtocol).toBe('http/protobuf')
  })

  test.each([
    ['always_on', false, 1],
    ['always_off', false, 0],
    ['traceidratio', false, 0.3],
    ['parentbased_always_on', true, 1],
    ['parentbased_always_off', true, 0],
    ['parentbased_traceidratio', true, 0.3],
  ])('supports the sampler %s', (sampler, isParentBased, sampleRatio) => {
    const env = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.3' }
    expect(tracingOf(env)).toMatchObject({ isParentBased, sampleRatio })
  })

  test.each([
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
  ])('stops the start for %s=%s and names the variable', (name, value) => {
    expect(() => tracingOf({ [name]: value })).toThrow(ConfigError)
    expect(() => tracingOf({ [name]: value })).toThrow(name)
  })
})
