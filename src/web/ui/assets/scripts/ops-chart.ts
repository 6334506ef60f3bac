// A live chart: lines or stacked areas of the last minutes.
import { colourOf, stacked as sumsOf } from './drawing.ts'

/** What the page holds of a chart. `at` are seconds; a series has no value where nothing was measured. */
export interface LiveData {
  at: number[]
  unit: 'seconds' | 'count'
  stacked: boolean
  series: { label: string; tone: string; values: (number | null)[] }[]
}

const CLOCK = new Intl.DateTimeFormat([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' })

export function draw(on: HTMLElement, { at, unit, stacked, series }: LiveData, height: number): uPlot {
  const said = unit === 'seconds' ? durationText : countText
  const sums = stacked ? sumsOf(series.map(({ values }) => values)) : undefined
  const layers = series.map((one, index) => ({ ...one, drawn: sums?.[index] ?? one.values }))
  // The tallest first, so that each one lies before those it is part of.
  if (stacked) layers.reverse()
  const options: uPlot.Options = {
    width: on.clientWidth,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    // One line through both charts.
    cursor: { y: false, drag: { x: false, y: false }, sync: { key: 'live' } },
    hooks: { setCursor: [showLatest] },
    scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] } },
    axes: axesOf(on, said),
    series: [
      { label: 'At', value: (_, seconds) => (seconds ? `${timeOf(seconds)} UTC` : '–') },
      ...layers.map(({ label, tone, values }): uPlot.Series => ({
        label,
        stroke: colourOf(on, tone),
        ...(stacked ? { fill: colourOf(on, tone), width: 0 } : { width: 1.5 }),
        // What has no neighbours makes no line.
        points: stacked ? { show: false } : { show: true, size: 4, filter: alone },
        spanGaps: false,
        // In words, a series is what it is by itself.
        value: (_, __, ___, point) => {
          const value = point === null ? null : values[point]
          return value === null || value === undefined ? '–' : said(value)
        },
      })),
    ],
  }
  return new uPlot(options, [at, ...layers.map((layer) => layer.drawn)], on)
}

function axesOf(on: HTMLElement, said: (value: number) => string): uPlot.Axis[] {
  const line = colourOf(on, 'line')
  const axis = {
    stroke: colourOf(on, 'quiet'),
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1, size: 6 },
  }
  return [
    { ...axis, grid: { show: false }, values: (_, ticks) => ticks.map(timeOf) },
    { ...axis, size: 64, values: (_, ticks) => ticks.map(said) },
  ]
}

/** The legend shows the latest values until the pointer is over the chart. */
export function showLatest(chart: uPlot): void {
  if (chart.cursor.idx === null || chart.cursor.idx === undefined) chart.setLegend({ idx: chart.data[0].length - 1 })
}

/** The moments that have a value where those beside them have none. */
function alone(chart: uPlot, series: number): number[] {
  const values = [...(chart.data[series] ?? [])]
  const has = (point: number) => values[point] !== null && values[point] !== undefined
  return values.flatMap((_, point) => (has(point) && !has(point - 1) && !has(point + 1) ? [point] : []))
}

const timeOf = (seconds: number): string => CLOCK.format(new Date(seconds * 1000))

const countText = (value: number): string => String(Number(value.toFixed(value < 10 ? 2 : 0)))

function durationText(seconds: number): string {
  if (seconds === 0) return '0'
  if (seconds >= 1) return `${seconds.toFixed(1)} s`
  if (seconds >= 0.001) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`
  return `${Math.round(seconds * 1e6)} µs`
}
