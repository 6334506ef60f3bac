// How long requests took, by route and status: counted for each request, so for less than OpenTelemetry's own histogram,
// which puts the labels together and sorts them each time.
import type { Attributes, HrTime } from '@opentelemetry/api'
import { ValueType } from '@opentelemetry/api'
import { hrTime } from '@opentelemetry/core'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'

const NAME = 'http_server_request_duration_seconds'
/** Upper bounds in seconds: dense where a search or booking lies, open after what a statement may take. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Series {
  readonly labels: Attributes
  readonly counts: number[]
  count: number
  sum: number
}

/** Takes in one answered request: its method, its status, and its duration in seconds. */
export type RecordDuration = (method: string, status: number, seconds: number) => void

/** The histogram of a process, as OpenTelemetry's readers collect it. */
export class RequestDurations implements MetricProducer {
  readonly #series: Series[] = []
  readonly #startTime: HrTime = hrTime()

  /** For one route, which is a pattern of the application and never a path: labels must stay few. */
  of(route: string): RecordDuration {
    const known = new Map<string, Map<number, Series>>()
    return (method, status, seconds) => {
      const series = known.get(method)?.get(status) ?? this.#begin(known, { method, route, status })
      const place = placeOf(seconds)
      series.counts[place] = (series.counts[place] ?? 0) + 1
      series.count++
      series.sum += seconds
    }
  }

  #begin(
    known: Map<string, Map<number, Series>>,
    { method, route, status }: { method: string; route: string; status: number },
  ): Series {
    const labels = { http_request_method: method, http_route: route, http_response_status_code: status }
    const series = { labels, counts: BOUNDS.map(() => 0).concat(0), count: 0, sum: 0 }
    const byStatus = known.get(method) ?? new Map<number, Series>()
    known.set(method, byStatus.set(status, series))
    this.#series.push(series)
    return series
  }

  async collect(): Promise<CollectionResult> {
    const endTime = hrTime()
    const dataPoints = this.#series.map(({ labels, counts, count, sum }): DataPoint<Histogram> => {
      const value = { buckets: { boundaries: BOUNDS, counts: [...counts] }, count, sum }
      return { startTime: this.#startTime, endTime, attributes: labels, value }
    })
    const metric = {
      descriptor: {
        name: NAME,
        description: 'Time from a request to its response',
        unit: '',
        valueType: ValueType.DOUBLE,
      },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints,
    } as const
    const scopeMetrics = [{ scope: { name: 'hearth' }, metrics: dataPoints.length > 0 ? [metric] : [] }]
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] }
  }
}

function placeOf(seconds: number): number {
  let place = 0
  while (place < BOUNDS.length && seconds > (BOUNDS[place] ?? Infinity)) place++
  return place
}
