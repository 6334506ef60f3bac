// Starts OpenTelemetry's SDK in a process. Every span is recorded; the tail sampler decides which traces are exported.
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { NodeSDK } from '@opentelemetry/sdk-node'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  createAlwaysRecordSampler,
} from '@opentelemetry/sdk-trace'

import { settlesWithin } from '../clock/deadlines.ts'
import { resourceOf } from './metrics.ts'
import { TailSampler } from './tail-sampler.ts'

export interface TracingOptions {
  /** Whether the sampling decision of the caller counts. */
  readonly isParentBased: boolean
  /** The share of traces that is kept, by trace id, so that every process decides alike. Failed traces are always kept. */
  readonly sampleRatio: number
  /** The encoding in which traces are exported by OTLP over HTTP. Undefined: they are not exported. */
  readonly exportProtocol: 'http/protobuf' | 'http/json' | undefined
}

export interface TelemetryOptions extends TracingOptions {
  /** `hearth-server`, `hearth-relay-outbox`. OTEL_SERVICE_NAME replaces it in what is exported. */
  serviceName: string
  /** Receives the SDK's warnings, such as an OTLP receiver that cannot be reached. */
  onProblem: (message: string) => void
}

export interface Telemetry {
  readonly traces: TailSampler
  /** Exports the kept spans and ends tracing. Returns after at most `deadlineMs`. */
  close(deadlineMs: number): Promise<void>
}

const EXPORT_EVERY_MS = 1000

/**
 * Turns tracing on for this process. Spans are created by hand: the SDK's instrumentations patch modules, which does not
 * work on Bun.
 *
 * The SDK itself reads OTEL_SDK_DISABLED, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, the span limits, and for the exporter
 * OTEL_EXPORTER_OTLP_* (endpoint, headers, timeout, compression, certificates). config.ts checks the values that would
 * otherwise be ignored silently.
 */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  const traces = new TailSampler(exporterOf(options.exportProtocol))
  const sdk = new NodeSDK({
    resource: resourceOf(options.serviceName),
    autoDetectResources: false,
    sampler: samplerOf(options),
    spanProcessors: [traces],
    textMapPropagator: null,
    metricReaders: [],
    logRecordProcessors: [],
  })
  const report = (message: string) => options.onProblem(message)
  const ignore = () => undefined
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  sdk.start()
  return {
    traces,
    close: async (deadlineMs) => {
      await settlesWithin(sdk.shutdown(), deadlineMs, (error) => report(String(error)))
    },
  }
}

function exporterOf(protocol: TracingOptions['exportProtocol']): BatchSpanProcessor | undefined {
  if (!protocol) return undefined
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter()
  return new BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_EVERY_MS })
}

/** Records every span, because only the end of a trace tells whether it failed; the sampled flag follows the variables. */
function samplerOf({ isParentBased, sampleRatio }: TracingOptions): Sampler {
  const root = new TraceIdRatioBasedSampler(sampleRatio)
  return createAlwaysRecordSampler(isParentBased ? new ParentBasedSampler({ root }) : root)
}
