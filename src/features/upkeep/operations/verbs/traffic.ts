// Request rates and durations: by route in the last minute, and over the last minutes.
import type { Ctx } from '../../../../ctx.ts'
import { ALL_REQUESTS, isRequest } from '../all-requests.ts'
import { histogramOf } from '../metric-set.ts'
import { quantile } from '../percentiles.ts'
import { type PointRow, selectPoints } from '../queries.ts'
import type { RouteTraffic, TrafficPoint } from '../schemas.ts'
import { REPORT_EVERY_MS } from './reporting.ts'

const MINUTE_MS = 60_000
/** A step of the chart: two reports of each process. */
const STEP_MS = 2 * REPORT_EVERY_MS

/** Routes by requests per second, busiest first. `rows` cover the last `seconds`. */
export function routeTraffic(rows: readonly PointRow[], seconds: number): RouteTraffic[] {
  const requests = rows.filter(({ point }) => isRequest(point))
  const groups = Map.groupBy(requests, ({ point: [, labels] }) => {
    const route = String(labels['http_route']).replace(/^\/assets\/.*/, '/assets/*')
    return `${String(labels['http_request_method'])} ${route}`
  })
  const routes = Array.from(groups, ([name, ofRoute]): RouteTraffic => {
    const durations = histogramOf(ofRoute)
    return {
      name,
      perSecond: countRequests(ofRoute) / seconds,
      refusedPerSecond: countRequests(ofRoute, 400, 499) / seconds,
      failedPerSecond: countRequests(ofRoute, 500, 599) / seconds,
      p50: quantile(0.5, durations),
      p95: quantile(0.95, durations),
      p99: quantile(0.99, durations),
    }
  })
  return routes.toSorted((a, b) => b.perSecond - a.perSecond || a.name.localeCompare(b.name))
}

/** Requests of the last minutes, at most 60, in steps of ten seconds, oldest first, without the current step. */
export async function getTraffic(ctx: Ctx, { minutes }: { minutes: number }): Promise<TrafficPoint[]> {
  const last = Math.floor(ctx.clock.now().getTime() / STEP_MS) - 1
  const first = last - (minutes * MINUTE_MS) / STEP_MS + 1
  const rows = await selectPoints(ctx, { names: [ALL_REQUESTS], since: new Date(first * STEP_MS) })
  const steps = Map.groupBy(rows, ({ at }) => Math.floor(Date.parse(at) / STEP_MS))
  return Array.from({ length: last - first + 1 }, (_, index) => pointOf(first + index, steps.get(first + index) ?? []))
}

function pointOf(step: number, rows: readonly PointRow[]): TrafficPoint {
  const [seconds, durations] = [STEP_MS / 1000, histogramOf(rows)]
  return {
    atSeconds: step * seconds,
    succeeded: countRequests(rows, 100, 399) / seconds,
    refused: countRequests(rows, 400, 499) / seconds,
    failed: countRequests(rows, 500, 599) / seconds,
    p50: quantile(0.5, durations) ?? null,
    p95: quantile(0.95, durations) ?? null,
    p99: quantile(0.99, durations) ?? null,
  }
}

/** Requests answered with a status in this range. */
const countRequests = (rows: readonly PointRow[], from = 0, to = 999): number =>
  rows.reduce((sum, { point: [, labels, count] }) => {
    const status = Number(labels['http_response_status_code'])
    return status >= from && status <= to ? sum + count : sum
  }, 0)
