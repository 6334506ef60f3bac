// The metrics of one process: OpenTelemetry instruments, read as Prometheus text and as deltas since the last reading.
import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { Attributes, Histogram, Meter } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import {
  type Resource,
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import { DataPointType, MeterProvider, type MetricData } from '@opentelemetry/sdk-metrics'

import { settlesWithin } from '../clock/deadlines.ts'

/** Content type of {@link Metrics.render}. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Registers a value by name (a Prometheus name: units and `_total` included), description, source and fixed labels. */
type Observe = (name: string, description: string, read: () => number, attributes?: Attributes) => void

/** A gauge's value, what a counter grew by, or what a histogram recorded. */
export type MetricPoint =
  | [name: string, labels: Attributes, value: number]
  | [name: string, labels: Attributes, count: number, sum: number, counts: number[]]

/** The metrics of a process since the reading before. Small: it is stored every few seconds. */
export interface MetricDeltas {
  readonly values: MetricPoint[]
  /** The bucket bounds of the histograms among them. */
  readonly bounds: Record<string, readonly number[]>
}

export interface Metrics {
  /** For instruments of other parts. Names are Prometheus names, units included: the exporter adds none. */
  readonly meter: Meter
  /** Seconds from a request to its response. Labels: `http_request_method`, `http_route`, `http_response_status_code`. */
  readonly requestDuration: Histogram
  /** A value read at each collection. */
  readonly gauge: Observe
  /** A sum that only grows, read at each collection. */
  readonly counter: Observe
  /** Counts requests, messages and whatever else this process does besides looking for work. */
  noteWork(): void
  /** The number of noted pieces of work. If it does not change, the process is idle. */
  readonly workDone: number
  /** Runs `read` before each collection, which waits a moment for it. */
  beforeCollection(read: () => Promise<void>): void
  /** All metrics since the start of the process, as Prometheus text. */
  render(): Promise<string>
  /** Gauges as they are, and what grew since the last call. */
  collectDeltas(): Promise<MetricDeltas>
  close(): Promise<void>
}

/** How long a collection waits for values that are read for it. */
const READ_LIMIT_MS = 1000

/** Upper bounds in seconds: dense where a search or booking lies, open after what a statement may take. */
const REQUEST_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** How a process is named in telemetry. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES replace and add to it. */
export const resourceOf = (serviceName: string): Resource =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName }))
    // The SDK's other detectors add the command line, the user and the paths of the process.
    .merge(
      detectResources({
        detectors: [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector],
      }),
    )

/** Opens the metrics of this process, with those of the process itself. */
export function openMetrics(serviceName: string): Metrics {
  // The only reader: the SDK keeps measurements until each reader collects them, so a reader that never collects would use
  // ever more memory.
  const totals = new PrometheusExporter({ preventServerStart: true })
  const read = new Set<string>()
  const growth = growthOfTotals(read)
  const provider = new MeterProvider({ resource: resourceOf(serviceName), readers: [totals] })
  const meter = provider.getMeter('hearth')
  let workDone = 0
  const readers: (() => Promise<void>)[] = []
  const collect = async () => {
    await settlesWithin(Promise.all(readers.map((read) => read())), READ_LIMIT_MS)
    return (await totals.collect()).resourceMetrics
  }
  const requestDuration = meter.createHistogram('http_server_request_duration_seconds', {
    description: 'Time from a request to its response',
    advice: { explicitBucketBoundaries: REQUEST_BOUNDS },
  })
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  const metrics: Metrics = {
    meter,
    requestDuration: {
      record: (seconds, attributes) => {
        workDone++
        requestDuration.record(seconds, attributes)
      },
    },
    noteWork: () => void workDone++,
    get workDone() {
      return workDone
    },
    beforeCollection: (read) => void readers.push(read),
    gauge: (name, description, read, attributes) =>
      meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read(), attributes)),
    counter: (name, description, readTotal, attributes) => {
      read.add(name)
      meter.createObservableCounter(name, { description }).addCallback((result) => {
        const total = readTotal()
        // A total is NaN while its store is unavailable. It is not observed then, because the SDK would add NaN to the sum
        // for ever.
        if (Number.isFinite(total)) result.observe(total, attributes)
      })
    },
    render: async () => serializer.serialize(await collect()),
    collectDeltas: async () => {
      const { scopeMetrics } = await collect()
      return growth(scopeMetrics.flatMap((scope) => scope.metrics))
    },
    close: () => provider.shutdown(),
  }
  observeProcess(metrics)
  return metrics
}

/**
 * Returns a function that reads totals and returns what they grew by since its last call; gauges as they are. The sums in
 * `read` come from elsewhere and may have begun long before this process.
 */
function growthOfTotals(read: ReadonlySet<string>): (metrics: readonly MetricData[]) => MetricDeltas {
  /** Value, or count, sum and counts, by metric and labels. */
  const last = new Map<string, readonly number[]>()
  const grow = (name: string, attributes: Attributes, totals: readonly number[]): number[] => {
    const series = `${name} ${JSON.stringify(attributes)}`
    const before = last.get(series) ?? (read.has(name) ? totals : [])
    last.set(series, totals)
    return totals.map((total, index) => total - (before[index] ?? 0))
  }
  return (metrics) => {
    const deltas: MetricDeltas = { values: [], bounds: {} }
    for (const { descriptor, dataPointType, dataPoints } of metrics) {
      const { name } = descriptor
      if (dataPointType === DataPointType.HISTOGRAM)
        for (const { attributes, value } of dataPoints) {
          const totals = [value.count, value.sum ?? 0, ...value.buckets.counts]
          const [count = 0, sum = 0, ...counts] = grow(name, attributes, totals)
          if (count > 0) deltas.values.push([name, attributes, count, sum, counts])
          deltas.bounds[name] = value.buckets.boundaries
        }
      else if (dataPointType === DataPointType.GAUGE || dataPointType === DataPointType.SUM)
        for (const { attributes, value } of dataPoints) {
          const isGauge = dataPointType === DataPointType.GAUGE
          const [change = 0] = isGauge ? [value] : grow(name, attributes, [value])
          // A gauge is NaN while its store is away.
          if (Number.isFinite(change) && (change > 0 || isGauge)) deltas.values.push([name, attributes, change])
        }
    }
    return deltas
  }
}

/** Prometheus and the reports to operators read at different times: each sees the peaks of the last half minute. */
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
