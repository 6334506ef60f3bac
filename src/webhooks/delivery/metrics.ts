// What can be seen of deliveries from outside.
import type { Metrics } from '../../platform/telemetry/metrics.ts'

const LATENCY_BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 600, 3600]
const ATTEMPT_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

export interface Attempted {
  /** From the event to the receiver's answer. */
  latencySeconds: number
  attemptSeconds: number
  isGood: boolean
}

/** What a courier counts. */
export interface Figures {
  readonly totals: { delivered: number; retried: number; failed: number; refused: number; disabled: number }
  readonly underWay: number
  readonly resting: number
}

/** Registers the metrics of delivering: from event to receipt, per attempt, and by outcome. */
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
    onAttempt: ({ latencySeconds, attemptSeconds, isGood }: Attempted) => {
      duration.record(attemptSeconds, { outcome: isGood ? 'delivered' : 'failed' })
      if (isGood) latency.record(latencySeconds)
    },
    watch: (courier: Figures) => {
      const { totals } = courier
      gauge('hearth_webhook_attempts_under_way', 'Attempts under way', () => courier.underWay)
      gauge('hearth_webhook_endpoints_resting', 'Endpoints that rest after failures', () => courier.resting)
      for (const outcome of ['delivered', 'retried', 'failed'] as const)
        counter('hearth_webhook_attempts_total', 'Attempts by what followed', () => totals[outcome], { outcome })
      counter('hearth_webhook_refused_total', 'Attempts at URLs that may not be called', () => totals.refused)
      counter('hearth_webhook_endpoints_disabled_total', 'Endpoints disabled because of answers', () => totals.disabled)
    },
  }
}
