// A receiver of traces over OTLP/HTTP, as a collector is: what a server exports, for tests to read.

import { keepEmitted } from './emitted.ts'

export interface ExportedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  /** OpenTelemetry's kinds: 2 server, 3 client. */
  kind: number
  /** 2 is an error. */
  statusCode: number
  attributes: Record<string, string | number>
}

export interface OtlpReceiver {
  readonly url: string
  /** Everything received so far. */
  spans(): ExportedSpan[]
  /** The bodies as they came, to look for what must not be in them. */
  text(): string
  stop(): Promise<void>
}

interface OtlpValue {
  stringValue?: string
  intValue?: number | string
  doubleValue?: number
}

interface OtlpBody {
  resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[]
}

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code?: number }
  attributes: { key: string; value: OtlpValue }[]
}

/** Starts one on a free port of the loopback. */
export function startOtlpReceiver(): OtlpReceiver {
  const bodies: string[] = []
  const keep = keepEmitted('traces')
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/v1/traces': async (request) => {
        const body = await request.text()
        bodies.push(body)
        keep(`${body}\n`)
        return Response.json({})
      },
    },
  })
  return {
    url: server.url.origin,
    text: () => bodies.join('\n'),
    spans: () =>
      bodies
        .flatMap((body) => (JSON.parse(body) as OtlpBody).resourceSpans)
        .flatMap((resource) => resource.scopeSpans)
        .flatMap((scope) => scope.spans.map(readSpan)),
    stop: () => server.stop(true),
  }
}

const readSpan = (span: OtlpSpan): ExportedSpan => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId || undefined,
  name: span.name,
  kind: span.kind,
  statusCode: span.status.code ?? 0,
  attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, readValue(value)])),
})

const readValue = ({ stringValue, intValue, doubleValue }: OtlpValue): string | number =>
  stringValue ?? (intValue === undefined ? (doubleValue ?? '') : Number(intValue))
