// Charts of values by day. The page shows the same figures in a table: a script adds the picture.
import { type Html, html } from './html.ts'

export interface Series {
  label: string
  /** One per day. */
  values: readonly number[]
  /** A colour of the stylesheet. */
  tone: 'plain' | 'accent' | 'good' | 'wait' | 'bad'
}

/** What `assets/chart.js` draws: each series on top of the one before. The page needs it, uPlot and its stylesheet. */
export const chart = (label: string, days: readonly string[], series: readonly Series[]): Html =>
  html`<div
    class="chart"
    role="img"
    aria-label="${label}: the tables below have the figures"
    data-chart="${JSON.stringify({ days, series })}"
  ></div>`
