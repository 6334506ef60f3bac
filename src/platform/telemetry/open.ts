// Tracing for one process: everything is recorded, a share and all errors are kept and exported.
import { DiagLogLevel, context, diag, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'

import { TraceKeeper } from './trace-keeper.ts'
import { tracerProvider } from './tracer.ts'

export interface TelemetryOptions {
  /** What this process is: `hearth-server`, `hearth-relay-outbox`. */
  serviceName: string
  /** Base URL of an OTLP/HTTP receiver; without one nothing is exported. */
  otlpEndpoint: string | undefined
  /** The share of traces that is kept besides those with errors, by trace id: every process decides alike. */
  sampleRatio: number
  /** Hears what goes wrong with telemetry itself, such as a receiver that is away. */
  onProblem: (message: string) => void
}

export interface Telemetry {
  readonly traces: TraceKeeper
  /** Sends what is kept and ends tracing. Returns after at most `deadlineMs`, whatever the receiver does. */
  close(deadlineMs: number): Promise<void>
}

/**
 * Turns tracing on for this process. Every trace is recorded (0.5 µs a span, measured), because only its end tells
 * whether it failed; the keeper then passes on a share of them.
 */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  const byTraceId = new TraceIdRatioBasedSampler(options.sampleRatio)
  const exporter = options.otlpEndpoint
    ? new OTLPTraceExporter({ url: `${options.otlpEndpoint.replace(/\/$/, '')}/v1/traces` })
    : undefined
  const traces = new TraceKeeper(exporter && new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000 }))
  const report = (message: string) => options.onProblem(message)
  const silent = () => undefined
  diag.setLogger(
    { error: report, warn: report, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const resource = resourceFromAttributes({ 'service.name': options.serviceName })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(tracerProvider({ keeper: traces, resource }, byTraceId))
  return {
    traces,
    close: async (deadlineMs) => {
      const deadline = new Promise<void>((resolve) => setTimeout(resolve, deadlineMs).unref())
      await Promise.race([traces.shutdown().catch((error: unknown) => report(String(error))), deadline])
    },
  }
}
