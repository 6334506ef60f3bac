// The page of how things stand: brings itself up to date every five seconds, and draws its charts.
import { type LiveData, draw, showLatest } from './ops-chart.ts'
import { dark } from './drawing.ts'
import { elementOf, elementsOf } from './elements.ts'

const EVERY_MS = 5000
const HEIGHT = 180
const place = elementOf(HTMLElement, '#live')
const state = elementOf(HTMLElement, '#live-state')
let drawn: { on: HTMLElement; chart: uPlot }[] = []

drawAll()
dark.addEventListener('change', drawAll)
new ResizeObserver(() => {
  for (const { chart, on } of drawn) chart.setSize({ width: on.clientWidth, height: HEIGHT })
}).observe(place)
const timer = setInterval(() => void refresh(), EVERY_MS)

/** Refreshes unless the page is hidden, or someone has selected or focused something in it. */
async function refresh(): Promise<void> {
  if (document.hidden || place.contains(document.activeElement) || getSelection()?.isCollapsed === false) return
  const answer = await ask()
  if (answer?.status === 401 || answer?.status === 403) {
    clearInterval(timer)
    state.textContent = 'You are logged out.'
    return
  }
  state.textContent = answer?.ok ? '' : 'The server does not answer. Trying again.'
  if (!answer?.ok) return
  place.innerHTML = await answer.text()
  drawAll()
}

/** The answer; undefined while the server cannot be reached. */
async function ask(): Promise<Response | undefined> {
  try {
    return await fetch(place.dataset['from'] ?? '', { headers: { accept: 'text/html', 'hx-request': 'true' } })
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function drawAll(): void {
  for (const { chart } of drawn) chart.destroy()
  drawn = elementsOf('[data-series]', place).map((on) => {
    const chart = draw(on, JSON.parse(on.dataset['series'] ?? '') as LiveData, HEIGHT)
    showLatest(chart)
    return { on, chart }
  })
}
