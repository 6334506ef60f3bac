// MetricDeltas of many processes and moments, put together by the name of the metric and some of its labels.
import type { Attributes } from '@opentelemetry/api'

import type { MetricPoint, MetricDeltas } from '../../../platform/telemetry/metrics.ts'
import { type Histogram, merged } from '../histogram.ts'

/** A figure with where it came from. */
export interface Collected {
  readonly service: string
  readonly at: string
  readonly figure: MetricPoint
  readonly bounds: readonly number[] | null
}

type Where = Readonly<Record<string, string>>

export class Collection {
  readonly #byName: Map<string, Collected[]>

  constructor(collected: readonly Collected[]) {
    this.#byName = Map.groupBy(collected, ({ figure: [name] }) => name)
  }

  /** All of a metric, with these labels. */
  of(name: string, where: Where = {}): Collected[] {
    return (this.#byName.get(name) ?? []).filter(({ figure: [, labels] }) => matches(labels, where))
  }

  /** What a counter grew by in all, or a histogram took in. */
  sum(name: string, where: Where = {}): number {
    return this.of(name, where).reduce((sum, { figure: [, , value] }) => sum + value, 0)
  }

  /** The largest of a gauge that several processes tell of alike; undefined when none does. */
  max(name: string, where: Where = {}): number | undefined {
    const values = this.of(name, where).map(({ figure: [, , value] }) => value)
    return values.length === 0 ? undefined : Math.max(...values)
  }

  histogram(name: string, where: Where = {}): Histogram | undefined {
    return this.of(name, where).reduce<Histogram | undefined>((all, { figure, bounds }) => {
      const [, , count, sum = 0, counts = []] = figure
      return bounds ? merged(all, { count, sum, counts, bounds }) : all
    }, undefined)
  }

  /** The values that a label of a metric has. */
  labels(name: string, label: string): string[] {
    return [...new Set(this.of(name).map(({ figure: [, labels] }) => textOf(labels, label)))].toSorted()
  }
}

const matches = (labels: Attributes, where: Where) =>
  Object.entries(where).every(([name, value]) => textOf(labels, name) === value)

/** Labels of ours are texts and numbers. */
const textOf = (labels: Attributes, name: string): string => {
  const value = labels[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The figures of whole reports. */
export const collect = (reports: readonly { service: string; at: string; figures: MetricDeltas }[]): Collection =>
  new Collection(
    reports.flatMap(({ service, at, figures: { values, bounds } }) =>
      values.map((figure) => ({ service, at, figure, bounds: bounds[figure[0]] ?? null })),
    ),
  )
