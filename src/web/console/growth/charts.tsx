/** @jsxImportSource preact */
// The charts of /console/growth, each with its values in a table.
import type { ComponentChildren } from 'preact'

import type { GrowthStep, RANGES } from '../../../features/business/analytics/verbs.ts'
import { count, day } from '../../../platform/text/format.ts'
import { Disclosure } from '../../ui/buttons.tsx'
import { Chart, type Series } from '../../ui/metrics.tsx'
import { Table } from '../../ui/table.tsx'

/** What one value of a chart is of. */
export type By = (typeof RANGES)[keyof typeof RANGES]['by']

export interface Shown {
  series: readonly (Pick<Series, 'label' | 'tone'> & {
    of: (numbers: GrowthStep) => number
    /** How the table writes the value; by default as a count. */
    text?: (numbers: GrowthStep) => string
  })[]
  /** Further columns of the table, which the chart does not draw. */
  columns?: readonly [label: string, text: (numbers: GrowthStep) => string][]
}

/** A chart, and its values in a table, latest first. */
export function chartWithTable(
  label: string,
  steps: readonly GrowthStep[],
  by: By,
  { series, columns = [] }: Shown,
): ComponentChildren {
  return (
    <>
      <Chart
        label={label}
        days={steps.map(({ first }) => first)}
        series={series.map(({ of, tone, label: name }) => ({ label: name, tone, values: steps.map(of) }))}
      />
      <Disclosure label={`By ${by}, in numbers`}>
        <Table
          caption={label}
          columns={[by === 'day' ? 'Day' : 'Days', ...series.map((it) => it.label), ...columns.map(([name]) => name)]}
          rows={steps
            .toReversed()
            .map((step) => [
              by === 'day' ? day(step.first) : `${day(step.first)} – ${day(step.last)}`,
              ...series.map(({ of, text }) => text?.(step) ?? count(of(step))),
              ...columns.map(([, text]) => text(step)),
            ])}
          numbers={1}
        />
      </Disclosure>
    </>
  )
}

/** "25% more than 48 before", "none before". */
export function changeOf(now: number, before: number, text: (value: number) => string): string {
  if (before === 0) return 'none before'
  const percent = Math.round((100 * Math.abs(now - before)) / before)
  const change = percent === 0 ? 'as many as' : `${count(percent)}% ${now > before ? 'more' : 'less'} than`
  return `${change} ${text(before)} before`
}
