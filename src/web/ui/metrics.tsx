/** @jsxImportSource preact */
// Numbers: one with its label, and many as a chart.
import type { ComponentChildren, VNode } from 'preact'

import { count } from '../../platform/text/format.ts'

/** A box for a number: a link, where there is a page with details. */
const Figure = ({
  href,
  kind,
  children,
}: {
  href?: string | undefined
  kind?: string
  children: ComponentChildren
}): VNode => {
  const name = kind === undefined ? 'figure' : `figure ${kind}`
  return href === undefined ? (
    <div class={name}>{children}</div>
  ) : (
    <a class={name} href={href}>
      {children}
    </a>
  )
}

/** A number with its label, and a link to the page with details. */
export const Metric = ({
  label,
  href,
  children,
}: {
  label: string
  href?: string | undefined
  children: ComponentChildren
}): VNode => (
  <Figure href={href}>
    <span class="value">{children}</span> <span class="label">{label}</span>
  </Figure>
)

/** The height of the bars of a trend, in units of its drawing; each bar is 3 wide, with a gap of 1. */
const TREND_HEIGHT = 24

/**
 * The sum of the later half of `values`, written by `of`, with a bar for each of its days, beside the sum of the earlier half. `values` are
 * of one day each, oldest first.
 */
export const Trend = ({
  label,
  href,
  values,
  of = count,
}: {
  label: string
  href?: string
  values: readonly number[]
  of?: (value: number) => string
}): VNode => {
  const half = values.length / 2
  const [before, shown] = [sum(values.slice(0, half)), sum(values.slice(half))]
  return (
    <Figure href={href} kind="trend">
      <span class="value">{of(shown)}</span> <span class="label">{label}</span>
      <Bars values={values.slice(half)} />{' '}
      <span class="label">
        {before === 0 ? 'None' : of(before)} in the {half} days before
      </span>
    </Figure>
  )
}

/** Decorates: the numbers beside it say the same. */
const Bars = ({ values }: { values: readonly number[] }): VNode => {
  const most = Math.max(...values, 1)
  return (
    <svg viewBox={`0 0 ${values.length * 4} ${TREND_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {values.map((value, index) => {
        const height = Math.max((value / most) * TREND_HEIGHT, 1)
        return <rect x={index * 4} y={TREND_HEIGHT - height} width={3} height={height} />
      })}
    </svg>
  )
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

export const Metrics = ({ children }: { children: ComponentChildren }): VNode => <div class="figures">{children}</div>

export interface Series {
  label: string
  /** One value per day. */
  values: readonly number[]
  /** A colour of the stylesheet. */
  tone: 'plain' | 'accent' | 'good' | 'wait' | 'bad'
}

/** A chart by day. `chart.js` stacks the series with uPlot; the page also shows the values in a table. */
export const Chart = ({
  label,
  days,
  series,
}: {
  label: string
  days: readonly string[]
  series: readonly Series[]
}): VNode => (
  <div
    class="chart"
    role="img"
    aria-label={`${label}. The tables below contain the values.`}
    data-chart={JSON.stringify({ days, series })}
  ></div>
)
