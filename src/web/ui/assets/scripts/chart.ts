// Draws the charts of a page: bars by day, with stacked series.
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const HEIGHT = 240
const SECONDS_PER_DAY = 86_400
/** The tick steps of an axis of whole numbers. */
const WHOLE = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

for (const place of document.querySelectorAll('[data-chart]')) {
  const { days, series } = JSON.parse(place.dataset.chart)
  let drawn = draw(place, days, series)
  new ResizeObserver(() => drawn.setSize({ width: place.clientWidth, height: HEIGHT })).observe(place)
  dark.addEventListener('change', () => {
    drawn.destroy()
    drawn = draw(place, days, series)
  })
}

function draw(place, days, series) {
  const colour = (name) => colourOf(place, `var(--${name})`)
  const axis = { stroke: colour('quiet'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false } }
  const sums = stacked(series.map(({ values }) => values))
  // The tallest series is drawn first, so that the shorter ones cover its lower part.
  const order = series.map((_, index) => series.length - 1 - index)
  const options = {
    width: place.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => window.uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { y: { range: (_, min, max) => [0, Math.max(max, 1)] } },
    axes: [
      { ...axis, grid: { show: false } },
      { ...axis, size: 60, incrs: WHOLE },
    ],
    series: [
      { label: 'Day', value: (_, seconds) => (seconds ? new Date(seconds * 1000).toISOString().slice(0, 10) : '–') },
      ...order.map((index) => ({
        label: series[index].label,
        fill: colour(series[index].tone),
        stroke: colour(series[index].tone),
        points: { show: false },
        paths: window.uPlot.paths.bars({ size: [0.7, 36] }),
        // The legend shows a series' own value, not the stacked sum.
        value: (_, __, ___, at) => (at === null ? '–' : series[index].values[at].toLocaleString('en-US')),
      })),
    ],
  }
  const seconds = days.map((day) => Date.parse(day) / 1000)
  // Half a day of margin at both ends shows the first and last bar in full.
  options.scales.x = { range: () => [seconds[0] - SECONDS_PER_DAY / 2, seconds.at(-1) + SECONDS_PER_DAY / 2] }
  return new window.uPlot(options, [seconds, ...order.map((index) => sums[index])], place)
}

/** The running sums of the lists, element by element. */
function stacked(lists) {
  const result = []
  for (const list of lists) result.push(list.map((value, at) => value + (result.at(-1)?.[at] ?? 0)))
  return result
}

/** A colour of the stylesheet in the form that a canvas accepts. */
function colourOf(place, value) {
  const probe = document.createElement('span')
  probe.style.color = value
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
