// The metrics of webhook delivery.
import type { Metrics } from '../../platform/telemetry/metrics.ts'

const LATENCY_BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 600, 3600]
const ATTEMPT_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

export interface AttemptTiming {
  /** From the event to the receiver's response. */
  latencySeconds: number
  attemptSeconds: number
  isSuccess: boolean
}

/** The counters of a dispatcher. */
export interface DispatcherMetrics {
  readonly totals: { delivered: number; retried: number; failed: number; refused: number; disabled: number }
  readonly underWay: number
  readonly resting: number
}

/** Registers the metrics: latency from event to receipt, duration of attempts, counters by outcome. */
export function observeDeliveries({ meter, gauge, counter }: Metrics) {
  const latency = meter.createHistogram('hearth_webhook_latency_seconds', {
    description: 'From an event to its first receipt by an endpoint, retries included',
    advice: { explicitBucketBoundaries: LATENCY_BOUNDS },
  })
  const duration = meter.createHistogram('hearth_webhook_attempt_duration_seconds', {
    description: 'Time of an attempt',
    advice: { explicitBucketBoundaries: ATTEMPT_BOUNDS },
  })
  return {
    onAttempt: ({ latencySeconds, attemptSeconds, isSuccess }: AttemptTiming) => {
      duration.record(attemptSeconds, { outcome: isSuccess ? 'delivered' : 'failed' })
      if (isSuccess) latency.record(latencySeconds)
    },
    watch: (dispatcher: DispatcherMetrics) => {
      const { totals } = dispatcher
      gauge('hearth_webhook_attempts_under_way', 'Attempts under way', () => dispatcher.underWay)
      gauge('hearth_webhook_endpoints_resting', 'Endpoints that rest after failures', () => dispatcher.resting)
      for (const outcome of ['delivered', 'retried', 'failed'] as const)
        counter('hearth_webhook_attempts_total', 'Attempts by outcome', () => totals[outcome], { outcome })
      counter('hearth_webhook_refused_total', 'Attempts refused because of a forbidden URL', () => totals.refused)
      counter('hearth_webhook_endpoints_disabled_total', 'Endpoints disabled after failures', () => totals.disabled)
    },
  }
}
