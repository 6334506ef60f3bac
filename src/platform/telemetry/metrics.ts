// Metrics of one process, in Prometheus' text form: counted here, served by the ops port.
import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { Attributes, Meter } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { DataPointType, MeterProvider, type MetricData } from '@opentelemetry/sdk-metrics'

import { RequestDurations } from './request-durations.ts'

/** Content type of {@link Metrics.render}. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Registers a value by name (a Prometheus name: units and `_total` included), description, source and fixed labels. */
type Observe = (name: string, description: string, read: () => number, attributes?: Attributes) => void

/** A metric with one set of labels as it stands: sums and histograms since the process started. */
export type Reading = { readonly name: string; readonly labels: Attributes } & (
  | { readonly kind: 'gauge'; readonly value: number }
  | { readonly kind: 'counter'; readonly value: number }
  | {
      readonly kind: 'histogram'
      readonly count: number
      readonly sum: number
      /** How many values lay up to each bound, and beyond the last. */
      readonly counts: readonly number[]
      readonly bounds: readonly number[]
    }
)

export interface Metrics {
  /** For instruments of other parts. Names are Prometheus names, units included: the exporter adds none. */
  readonly meter: Meter
  /** How long requests take. */
  readonly requests: RequestDurations
  /** A value read at each scrape. */
  readonly gauge: Observe
  /** A sum that only grows, read at each scrape. */
  readonly counter: Observe
  /** Everything, as text. */
  render(): Promise<string>
  /** Everything, as values. */
  read(): Promise<Reading[]>
  close(): Promise<void>
}

/** Opens the metrics of this process, with those of the process itself. */
export function openMetrics(serviceName: string): Metrics {
  const requests = new RequestDurations()
  const reader = new PrometheusExporter({ preventServerStart: true, metricProducers: [requests] })
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    readers: [reader],
  })
  const meter = provider.getMeter('hearth')
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  const metrics: Metrics = {
    meter,
    requests,
    gauge: (name, description, read, attributes) =>
      meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read(), attributes)),
    counter: (name, description, read, attributes) =>
      meter.createObservableCounter(name, { description }).addCallback((result) => result.observe(read(), attributes)),
    render: async () => serializer.serialize((await reader.collect()).resourceMetrics),
    read: async () => {
      const { scopeMetrics } = (await reader.collect()).resourceMetrics
      return scopeMetrics.flatMap((scope) => scope.metrics.flatMap(readingsOf))
    },
    close: () => provider.shutdown(),
  }
  observeProcess(metrics)
  return metrics
}

function readingsOf(metric: MetricData): Reading[] {
  const { name } = metric.descriptor
  switch (metric.dataPointType) {
    case DataPointType.HISTOGRAM:
      return metric.dataPoints.map(({ attributes: labels, value: { count, sum = 0, buckets } }) => {
        return { name, labels, kind: 'histogram', count, sum, counts: buckets.counts, bounds: buckets.boundaries }
      })
    case DataPointType.SUM:
      return metric.dataPoints.map(({ attributes: labels, value }) => ({ name, labels, kind: 'counter', value }))
    case DataPointType.GAUGE:
      return metric.dataPoints.map(({ attributes: labels, value }) => ({ name, labels, kind: 'gauge', value }))
    case DataPointType.EXPONENTIAL_HISTOGRAM:
      return []
  }
}

/** Whoever reads looks back so long: several may read, each at times of its own. */
const DELAY_SLICES = 3
const DELAY_SLICE_MS = 10_000

/** The longest delay of the event loop in the last half minute, in seconds. */
function watchDelay(): () => number {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let slices: number[] = []
  setInterval(() => {
    slices = [delay.max, ...slices].slice(0, DELAY_SLICES)
    delay.reset()
  }, DELAY_SLICE_MS).unref()
  return () => Math.max(delay.max, ...slices) / 1e9
}

/** Names as Prometheus' own client libraries have them, so that common dashboards fit. */
function observeProcess({ gauge, counter }: Metrics): void {
  const startedAtSeconds = Date.now() / 1000 - process.uptime()
  gauge('process_start_time_seconds', 'When the process started, as a Unix time', () => startedAtSeconds)
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss())
  counter('process_cpu_seconds_total', 'User and system CPU time', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  gauge('hearth_event_loop_delay_seconds', 'The longest delay of the event loop in the last half minute', watchDelay())
}
