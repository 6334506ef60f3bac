// Metrics of runs.
import type { Failure } from '../../features/agents/threads/schemas.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import type { Turn } from '../models/model.ts'

const DURATION_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120]

export interface RunMetrics {
  ended(outcome: string, failure: Failure | 'none', seconds: number): void
  step(tool: string, status: 'done' | 'refused'): void
  turn(usage: Pick<Turn, 'inputTokens' | 'outputTokens'>): void
}

/** Registers the metrics of runs. `model` becomes a label. */
export function observeRuns({ meter }: Pick<Metrics, 'meter'>, model: string): RunMetrics {
  const runs = meter.createHistogram('hearth_agent_run_duration_seconds', {
    description: 'Duration of runs from claim to end, by outcome',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  })
  const steps = meter.createCounter('hearth_agent_steps_total', { description: 'Tool calls of agents' })
  const turns = meter.createCounter('hearth_agent_turns_total', { description: 'Turns of models' })
  const tokens = meter.createCounter('hearth_agent_tokens_total', { description: 'Tokens that models read and wrote' })
  return {
    ended: (outcome, failure, seconds) => runs.record(seconds, { model, outcome, failure }),
    step: (tool, status) => steps.add(1, { tool, status }),
    turn: ({ inputTokens, outputTokens }) => {
      turns.add(1, { model })
      tokens.add(inputTokens, { model, direction: 'read' })
      tokens.add(outputTokens, { model, direction: 'written' })
    },
  }
}
