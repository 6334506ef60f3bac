// Reported metrics of many processes, summed up by metric and labels.
import type { Attributes } from '@opentelemetry/api'

import type { MetricDeltas, MetricPoint } from '../../../platform/telemetry/metrics.ts'
import { type Histogram, mergeHistograms } from './percentiles.ts'

export interface ReportedPoint {
  readonly point: MetricPoint
  /** The bucket bounds of a histogram. */
  readonly bounds: readonly number[] | null
}

type Labels = Readonly<Record<string, string>>

export class MetricSet {
  readonly #byName: Map<string, ReportedPoint[]>

  constructor(points: readonly ReportedPoint[]) {
    this.#byName = Map.groupBy(points, ({ point: [name] }) => name)
  }

  /** The points of a metric with these labels. */
  #select(name: string, labels: Labels = {}): ReportedPoint[] {
    const points = this.#byName.get(name) ?? []
    return points.filter(({ point: [, own] }) =>
      Object.entries(labels).every(([label, value]) => labelText(own, label) === value),
    )
  }

  /** The sum of the values, or of the counts of a histogram. */
  sum(name: string, labels?: Labels): number {
    return this.#select(name, labels).reduce((sum, { point: [, , value] }) => sum + value, 0)
  }

  /** The largest value of a gauge that several processes report alike. Undefined if none reports it. */
  max(name: string, labels?: Labels): number | undefined {
    const values = this.#select(name, labels).map(({ point: [, , value] }) => value)
    return values.length === 0 ? undefined : Math.max(...values)
  }

  histogram(name: string, labels?: Labels): Histogram | undefined {
    return histogramOf(this.#select(name, labels))
  }

  /** The values of a label of a metric. */
  labelValues(name: string, label: string): string[] {
    return [...new Set(this.#select(name).map(({ point: [, labels] }) => labelText(labels, label)))].toSorted()
  }
}

/** All points together. Undefined if there is no histogram among them. */
export const histogramOf = (points: readonly ReportedPoint[]): Histogram | undefined =>
  points.reduce<Histogram | undefined>((all, { point: [, , count, sum = 0, counts = []], bounds }) => {
    return bounds ? mergeHistograms(all, { count, sum, counts, bounds }) : all
  }, undefined)

/** The metrics of whole reports. */
export const metricSetOf = (reports: readonly { metrics: MetricDeltas }[]): MetricSet =>
  new MetricSet(
    reports.flatMap(({ metrics: { values, bounds } }) =>
      values.map((point) => ({ point, bounds: bounds[point[0]] ?? null })),
    ),
  )

const labelText = (labels: Attributes, name: string): string => {
  const value = labels[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
