// Requests: by route in the last minute, and over the last minutes.
import type { Deps } from '../../../deps.ts'
import { type Histogram, merged, quantile } from '../histogram.ts'
import type { Moment, RouteLine } from '../schemas.ts'
import { type FigureRow, selectFigures } from '../queries.ts'
import { REPORT_EVERY_MS } from './reporting.ts'

export const REQUESTS = 'http_server_request_duration_seconds'

const CHART_MS = 15 * 60_000
/** A step of the chart: two reports of each process. */
const STEP_MS = 2 * REPORT_EVERY_MS
/** Load balancers ask these as often as they like. */
const PROBES = new Set(['/healthz', '/readyz'])

/** Routes by requests per second, busiest first. `rows` are of the last `seconds`. */
export function routesOf(rows: readonly FigureRow[], seconds: number): RouteLine[] {
  const groups = Map.groupBy(requestsIn(rows), ({ figure: [, labels] }) => {
    const route = String(labels['http_route']).replace(/^\/assets\/.*/, '/assets/*')
    return `${String(labels['http_request_method'])} ${route}`
  })
  const lines = Array.from(groups, ([name, of]): RouteLine => {
    const all = together(of)
    return {
      name,
      perSecond: counted(of) / seconds,
      refusedPerSecond: counted(of, 400, 499) / seconds,
      failedPerSecond: counted(of, 500, 599) / seconds,
      half: quantile(all, 0.5),
      most: quantile(all, 0.99),
    }
  })
  return lines.toSorted((a, b) => b.perSecond - a.perSecond || a.name.localeCompare(b.name))
}

/** Requests in the last minutes, ten seconds at a time, oldest first. The step under way is left out. */
export async function getTraffic({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<Moment[]> {
  const last = Math.floor(clock.now().getTime() / STEP_MS) - 1
  const first = last - CHART_MS / STEP_MS + 1
  const rows = requestsIn(await selectFigures(write, [REQUESTS], new Date(first * STEP_MS)))
  const steps = Map.groupBy(rows, ({ at }) => Math.floor(Date.parse(at) / STEP_MS))
  return Array.from({ length: last - first + 1 }, (_, index) => momentOf(first + index, steps.get(first + index) ?? []))
}

function momentOf(step: number, rows: readonly FigureRow[]): Moment {
  const [seconds, all] = [STEP_MS / 1000, together(rows)]
  return {
    atSeconds: step * seconds,
    good: counted(rows, 100, 399) / seconds,
    refused: counted(rows, 400, 499) / seconds,
    failed: counted(rows, 500, 599) / seconds,
    half: quantile(all, 0.5) ?? null,
    most: quantile(all, 0.99) ?? null,
  }
}

const requestsIn = (rows: readonly FigureRow[]): FigureRow[] =>
  rows.filter(({ figure: [name, labels] }) => name === REQUESTS && !PROBES.has(String(labels['http_route'])))

const together = (rows: readonly FigureRow[]): Histogram | undefined =>
  rows.reduce<Histogram | undefined>((all, { figure: [, , count, sum = 0, counts = []], bounds }) => {
    return bounds ? merged(all, { count, sum, counts, bounds }) : all
  }, undefined)

const counted = (rows: readonly FigureRow[], from = 0, to = 999): number =>
  rows.reduce((sum, { figure: [, labels, count] }) => {
    const status = Number(labels['http_response_status_code'])
    return status >= from && status <= to ? sum + count : sum
  }, 0)
