// How often each tool is called, with which outcome, and how long it takes.
import type { Histogram } from '@opentelemetry/api'

import { oncePerDeps } from '../../deps.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'

const DURATION_BOUNDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** `ok`, the code of an error of src/errors/app-error.ts, or `unknown_tool` under the tool `_OTHER`. */
class ToolMetrics {
  #durations: Histogram | undefined

  observe({ meter }: Pick<Metrics, 'meter'>): void {
    this.#durations = meter.createHistogram('hearth_agent_tool_duration_seconds', {
      description: 'Time from a call of a tool to its result, by server, tool and outcome',
      advice: { explicitBucketBoundaries: DURATION_BOUNDS },
    })
  }

  record(server: string, tool: string, outcome: string, seconds: number): void {
    this.#durations?.record(seconds, { server, tool, outcome })
  }
}

/** The metrics of tools in this process; they count from when they are observed. */
export const toolMetricsOf = oncePerDeps(() => new ToolMetrics())
