// A receiver of traces over OTLP/HTTP, like a collector, that keeps what servers export.

import { recordEmitted } from './emitted.ts'

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
  /** The spans of other traces that it links to. */
  links: { traceId: string; spanId: string }[]
  /** The attributes of the process that exported it. */
  resource: Record<string, string | number>
}

export interface OtlpReceiver {
  readonly url: string
  /** The variables of a process that exports to this receiver, in the encoding that {@link spans} reads. */
  readonly env: Record<string, string>
  /** All requests so far, with raw bodies. */
  readonly requests: readonly { headers: Headers; body: string }[]
  /** All spans received as JSON so far. */
  spans(): ExportedSpan[]
  stop(): Promise<void>
}

interface OtlpValue {
  stringValue?: string
  intValue?: number | string
  doubleValue?: number
}

interface OtlpAttribute {
  key: string
  value: OtlpValue
}

interface OtlpBody {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[]
}

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code?: number }
  attributes: OtlpAttribute[]
  links?: { traceId: string; spanId: string }[]
}

/** Starts a receiver on a free loopback port. */
export function startOtlpReceiver(): OtlpReceiver {
  const requests: { headers: Headers; body: string }[] = []
  const record = recordEmitted('traces')
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/v1/traces': async (request) => {
        const body = await request.text()
        requests.push({ headers: request.headers, body })
        record(`${body}\n`)
        return Response.json({})
      },
    },
  })
  return {
    url: server.url.origin,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: server.url.origin, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
    requests,
    spans: () =>
      requests
        .flatMap(({ body }) => (JSON.parse(body) as OtlpBody).resourceSpans)
        .flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(span, resource.attributes))),
        ),
    stop: () => server.stop(true),
  }
}

const readSpan = (span: OtlpSpan, resource: OtlpAttribute[]): ExportedSpan => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId || undefined,
  name: span.name,
  kind: span.kind,
  statusCode: span.status.code ?? 0,
  attributes: readAttributes(span.attributes),
  links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
  resource: readAttributes(resource),
})

const readAttributes = (attributes: OtlpAttribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]))

const readValue = ({ stringValue, intValue, doubleValue }: OtlpValue): string | number =>
  stringValue ?? (intValue === undefined ? (doubleValue ?? '') : Number(intValue))
