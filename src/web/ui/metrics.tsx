/** @jsxImportSource preact */
// Numbers: one with its label, and many as a chart.
import type { ComponentChildren, VNode } from 'preact'

/** A number with its label, and a link to the page with details. */
export const Metric = ({
  label,
  href,
  children,
}: {
  label: string
  href?: string
  children: ComponentChildren
}): VNode => {
  const content = (
    <>
      <span class="value">{children}</span> <span class="label">{label}</span>
    </>
  )
  return href === undefined ? (
    <div class="figure">{content}</div>
  ) : (
    <a class="figure" href={href}>
      {content}
    </a>
  )
}

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
