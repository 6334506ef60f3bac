// Metrics of tool calls: count, outcome and duration.
import type { Histogram } from '@opentelemetry/api'

import { oncePerDeps } from '../../deps.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'

const DURATION_BOUNDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Outcomes: `ok`, `refused`, `protocol_error` or an error code. Unknown tools count as the tool `_OTHER`. */
class ToolMetrics {
  #durations: Histogram | undefined

  observe({ meter }: Pick<Metrics, 'meter'>): void {
    this.#durations = meter.createHistogram('hearth_agent_tool_duration_seconds', {
      description: 'Duration of tool calls by server, tool and outcome',
      advice: { explicitBucketBoundaries: DURATION_BOUNDS },
    })
  }

  record(server: string, tool: string, outcome: string, seconds: number): void {
    this.#durations?.record(seconds, { server, tool, outcome })
  }
}

/** The tool metrics of this process; they count once `observe` was called. */
export const toolMetricsOf = oncePerDeps(() => new ToolMetrics())
