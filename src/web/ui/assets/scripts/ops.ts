// The page of how things stand: brings itself up to date every five seconds, and draws its charts.
const EVERY_MS = 5000
const HEIGHT = 180
const place = document.getElementById('live')
const state = document.getElementById('live-state')
const dark = window.matchMedia('(prefers-color-scheme: dark)')
let drawn = []
const CLOCK = new Intl.DateTimeFormat([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' })

draw()
dark.addEventListener('change', draw)
new ResizeObserver(() => {
  for (const { chart, on } of drawn) chart.setSize({ width: on.clientWidth, height: HEIGHT })
}).observe(place)
const timer = setInterval(refresh, EVERY_MS)

/** Not while nobody looks, and not under the hands of someone who uses what is there. */
async function refresh() {
  if (document.hidden || place.contains(document.activeElement) || !getSelection().isCollapsed) return
  const answer = await fetch(place.dataset.from, { headers: { accept: 'text/html', 'hx-request': 'true' } }).catch(
    () => undefined,
  )
  if (answer?.status === 401 || answer?.status === 403) {
    clearInterval(timer)
    state.textContent = 'You are logged out.'
    return
  }
  state.textContent = answer?.ok ? '' : 'The server does not answer. Trying again.'
  if (!answer?.ok) return
  place.innerHTML = await answer.text()
  draw()
}

function draw() {
  for (const { chart } of drawn) chart.destroy()
  drawn = [...place.querySelectorAll('[data-series]')].map((on) => ({ on, chart: chartOn(on) }))
}

function chartOn(on) {
  const { at, unit, stacked, series } = JSON.parse(on.dataset.series)
  const colour = (name) => colourOf(on, `var(--${name})`)
  const axis = {
    stroke: colour('quiet'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { stroke: colour('line'), width: 1, size: 6 },
  }
  const said = unit === 'seconds' ? duration : (value) => String(Number(value.toFixed(value < 10 ? 2 : 0)))
  const values = stacked ? sums(series.map((one) => one.values)) : series.map((one) => one.values)
  // The tallest first, so that each one lies before those it is part of.
  const order = series.map((_, index) => (stacked ? series.length - 1 - index : index))
  const options = {
    width: on.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => window.uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    // One line through both charts.
    cursor: { y: false, drag: { x: false, y: false }, sync: { key: 'live' } },
    hooks: { setCursor: [showLatest] },
    scales: { y: { range: (_, min, max) => [0, max > 0 ? max * 1.05 : 1] } },
    axes: [
      { ...axis, grid: { show: false }, values: (_, ticks) => ticks.map(timeOf) },
      { ...axis, size: 64, values: (_, ticks) => ticks.map(said) },
    ],
    series: [
      { label: 'At', value: (_, seconds) => (seconds ? `${timeOf(seconds)} UTC` : '–') },
      ...order.map((index) => ({
        label: series[index].label,
        stroke: colour(series[index].tone),
        ...(stacked ? { fill: colour(series[index].tone), width: 0 } : { width: 1.5 }),
        // What has no neighbours makes no line.
        points: stacked ? { show: false } : { show: true, size: 4, filter: alone },
        spanGaps: false,
        // In words, a series is what it is by itself.
        value: (_, __, ___, point) => {
          const value = point === null ? null : series[index].values[point]
          return value === null || value === undefined ? '–' : said(value)
        },
      })),
    ],
  }
  const chart = new window.uPlot(options, [at, ...order.map((index) => values[index])], on)
  showLatest(chart)
  return chart
}

/** While nobody points at a moment, the legend tells of the last one. */
function showLatest(chart) {
  if (chart.cursor.idx === null || chart.cursor.idx === undefined) chart.setLegend({ idx: chart.data[0].length - 1 })
}

/** The moments that have a value where those beside them have none. */
function alone(chart, series) {
  const values = chart.data[series]
  const has = (point) => values[point] !== null && values[point] !== undefined
  return values.flatMap((_, point) => (has(point) && !has(point - 1) && !has(point + 1) ? [point] : []))
}

/** Each list with those before it added. */
function sums(lists) {
  const result = []
  for (const list of lists) result.push(list.map((value, point) => value + (result.at(-1)?.[point] ?? 0)))
  return result
}

function timeOf(seconds) {
  return CLOCK.format(new Date(seconds * 1000))
}

function duration(seconds) {
  if (seconds === 0) return '0'
  if (seconds >= 1) return `${seconds.toFixed(1)} s`
  if (seconds >= 0.001) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`
  return `${Math.round(seconds * 1e6)} µs`
}

/** A colour of the stylesheet as the canvas understands it. */
function colourOf(on, value) {
  const probe = document.createElement('span')
  probe.style.color = value
  on.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
