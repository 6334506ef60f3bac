// A run as the tools answer it: short enough for a model, with what to do next.
import { type Static, Type } from '@sinclair/typebox'

import { AgentRun, AgentStep } from '../../features/threads/schemas.ts'

/** How long an answer may wait for its run: less than a server that stops gives the requests it has. */
export const WaitSeconds = Type.Integer({
  minimum: 0,
  maximum: 7,
  default: 5,
  description: 'How long to wait for the result',
})
export const DEFAULT_WAIT_SECONDS = 5

const { id, status, threadId, answer, failure, queuedAt, finishedAt } = AgentRun.properties
const { number, tool, status: stepStatus, summary } = AgentStep.properties

export const RunAnswer = Type.Object({
  run: Type.Object({
    id,
    status,
    threadId,
    answer,
    failure,
    steps: Type.Array(Type.Object({ number, tool, status: stepStatus, summary })),
    queuedAt,
    finishedAt,
  }),
})
export type RunAnswer = Static<typeof RunAnswer>

export const runAnswer = (run: AgentRun): RunAnswer => ({
  run: {
    id: run.id,
    status: run.status,
    threadId: run.threadId,
    answer: run.answer,
    failure: run.failure,
    steps: run.steps.map(({ number, tool, status, summary }) => ({ number, tool, status, summary })),
    queuedAt: run.queuedAt,
    finishedAt: run.finishedAt,
  },
})

/** What to do after an answer. */
export function afterRun({ run }: RunAnswer): string | undefined {
  if (run.finishedAt === null)
    return `Not done yet. Call get_proposal_status with runId "${run.id}" in a few seconds; do not start it again.`
  const proposed = run.steps.some(({ tool, status }) => status === 'done' && tool.startsWith('update_'))
  return proposed
    ? 'Nothing it proposed is in effect yet: show the pro each proposal, then confirm_action or dismiss_action.'
    : undefined
}
