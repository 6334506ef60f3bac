// Draws the charts of a page: bars by day, with stacked series.
import { colourOf, dark, stacked } from './drawing.ts'
import { elementsOf } from './elements.ts'

interface ChartData {
  /** Dates, such as "2026-06-02". */
  days: string[]
  series: { label: string; tone: string; values: number[] }[]
}

const HEIGHT = 240
const SECONDS_PER_DAY = 86_400
/** The tick steps of an axis of whole numbers. */
const WHOLE = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

for (const place of elementsOf('[data-chart]')) {
  const data = JSON.parse(place.dataset['chart'] ?? '') as ChartData
  let drawn = draw(place, data)
  new ResizeObserver(() => drawn.setSize({ width: place.clientWidth, height: HEIGHT })).observe(place)
  dark.addEventListener('change', () => {
    drawn.destroy()
    drawn = draw(place, data)
  })
}

function draw(place: HTMLElement, { days, series }: ChartData): uPlot {
  const axis = {
    stroke: colourOf(place, 'quiet'),
    grid: { stroke: colourOf(place, 'line'), width: 1 },
    ticks: { show: false },
  }
  const seconds = days.map((day) => Date.parse(day) / 1000)
  const sums = stacked(series.map(({ values }) => values))
  // The tallest series is drawn first, so that the shorter ones cover its lower part.
  const layers = series.map((one, index) => ({ ...one, sums: sums[index] ?? [] })).toReversed()
  const options: uPlot.Options = {
    width: place.clientWidth,
    height: HEIGHT,
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { range: () => margins(seconds) }, y: { range: (_, __, max) => [0, Math.max(max, 1)] } },
    axes: [
      { ...axis, grid: { show: false } },
      { ...axis, size: 60, incrs: WHOLE },
    ],
    series: [
      { label: 'Day', value: (_, at) => (at ? new Date(at * 1000).toISOString().slice(0, 10) : '–') },
      ...layers.map(({ label, tone, values }) => ({
        label,
        fill: colourOf(place, tone),
        stroke: colourOf(place, tone),
        points: { show: false },
        ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.7, 36] }) }),
        // The legend shows a series' own value, not the stacked sum.
        value: (_: uPlot, __: number, ___: number, at: number | null) =>
          at === null ? '–' : (values[at] ?? 0).toLocaleString('en-US'),
      })),
    ],
  }
  return new uPlot(options, [seconds, ...layers.map((layer) => layer.sums)], place)
}

/** Half a step of margin at both ends, of a day or a week, shows the first and last bar in full. */
function margins(seconds: readonly number[]): [number, number] {
  const [first = 0, second = first + SECONDS_PER_DAY] = seconds
  const margin = (second - first) / 2
  return [first - margin, (seconds.at(-1) ?? first) + margin]
}
