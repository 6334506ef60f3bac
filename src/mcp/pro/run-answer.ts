// A run as tools return it: short, with the next step.
import { type Static, Type } from '@sinclair/typebox'

import { AgentRun, AgentStep } from '../../features/agents/threads/schemas.ts'
import { pick } from '../server/results.ts'
import { Integer } from '../../platform/schema/numbers.ts'

/** How long a call waits for its run: less than the time that a stopping server gives its requests. */
export const WaitSeconds = Integer({
  minimum: 0,
  maximum: 7,
  default: 5,
  description: 'Seconds to wait for the result',
})
export const DEFAULT_WAIT_SECONDS = 5

const { id, status, threadId, answer, failure, proposals, queuedAt, finishedAt } = AgentRun.properties
const { number, tool, status: stepStatus, summary } = AgentStep.properties

const BriefStep = Type.Object({ number, tool, status: stepStatus, summary })
const BriefRun = Type.Object({
  id,
  status,
  threadId,
  answer,
  failure,
  steps: Type.Array(BriefStep),
  proposals,
  queuedAt,
  finishedAt,
})

export const RunAnswer = Type.Object({ run: BriefRun })
export type RunAnswer = Static<typeof RunAnswer>

export const runAnswer = (run: AgentRun): RunAnswer => ({
  run: pick(BriefRun, { ...run, steps: run.steps.map((step) => pick(BriefStep, step)) }),
})

/** The next step after a run. */
export function afterRun({ run }: RunAnswer): string | undefined {
  if (run.finishedAt === null)
    return `The run has not ended. Call get_proposal_status with runId "${run.id}" in a few seconds; do not start it again.`
  return run.proposals.some(({ status }) => status === 'open')
    ? 'Its open proposals have no effect yet: show the pro each one, then confirm_action or dismiss_action.'
    : undefined
}
