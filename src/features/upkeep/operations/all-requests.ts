// The requests of a process by status, whichever their route. A chart of many reports reads these few points instead of one
// for each route and status.
import type { MetricDeltas, MetricPoint } from '../../../platform/telemetry/metrics.ts'
import { histogramOf } from './metric-set.ts'

/** Requests by route, method and status. */
export const REQUESTS = 'http_server_request_duration_seconds'
/** All requests by status. Only in reports: Prometheus adds up the metric above. */
export const ALL_REQUESTS = 'hearth_requests_by_status_seconds'

/** Left out: load balancers request these all the time. */
const PROBES = new Set(['/healthz', '/readyz'])

/** True for a point of {@link REQUESTS} that is not a health check. */
export const isRequest = ([name, labels]: MetricPoint): boolean =>
  name === REQUESTS && !PROBES.has(String(labels['http_route']))

/** The metrics of a report, with {@link ALL_REQUESTS}. */
export function withAllRequests({ values, bounds }: MetricDeltas): MetricDeltas {
  const ofRequests = bounds[REQUESTS]
  if (!ofRequests) return { values, bounds }
  const byStatus = Map.groupBy(values.filter(isRequest), ([, labels]) => labels['http_response_status_code'])
  const sums = Array.from(byStatus, ([status, points]): MetricPoint => {
    const {
      count = 0,
      sum = 0,
      counts = [],
    } = histogramOf(points.map((point) => ({ point, bounds: ofRequests }))) ?? {}
    return [ALL_REQUESTS, { http_response_status_code: status }, count, sum, [...counts]]
  })
  return { values: [...values, ...sums], bounds: { ...bounds, [ALL_REQUESTS]: ofRequests } }
}
