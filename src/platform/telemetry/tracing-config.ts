// Which traces are kept and exported, by the variables of OpenTelemetry.
import { type Environment, oneOf, optionalUrl, ratio } from '../environment.ts'

/** What OTEL_TRACES_* and OTEL_EXPORTER_OTLP_* ask for; the SDK reads the other OTEL_* variables itself. */
export interface TracingConfig {
  /** Whether the sampling decision of the caller counts. */
  readonly isParentBased: boolean
  /** The share of traces that is kept; failed traces are always kept. */
  readonly sampleRatio: number
  /** Undefined: traces are not exported. */
  readonly exportProtocol: 'http/protobuf' | 'http/json' | undefined
}

const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** As OpenTelemetry defines the variables. By default one trace in twenty is kept, and traces are not exported. */
export function tracingOf(env: Environment): TracingConfig {
  const sampler = oneOf(env, 'OTEL_TRACES_SAMPLER', TRACE_SAMPLERS, 'parentbased_traceidratio')
  const argument = ratio(env, 'OTEL_TRACES_SAMPLER_ARG', env['OTEL_TRACES_SAMPLER'] ? 1 : 0.05)
  const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const hasEndpoint = endpoints.map((name) => optionalUrl(env, name, ['http:', 'https:'])).some(Boolean)
  const exporter = oneOf(env, 'OTEL_TRACES_EXPORTER', ['otlp', 'none'], hasEndpoint ? 'otlp' : 'none')
  const [general, ofTraces] = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']
  const protocol = oneOf(env, env[ofTraces] ? ofTraces : general, ['http/protobuf', 'http/json'], 'http/protobuf')
  return Object.freeze({
    isParentBased: sampler.startsWith('parentbased_'),
    sampleRatio: sampler.endsWith('always_on') ? 1 : sampler.endsWith('always_off') ? 0 : argument,
    exportProtocol: exporter === 'otlp' ? protocol : undefined,
  })
}
