// run_agent: gives the pro's own agent a goal; with threads on, on a thread.
import { Type } from '@sinclair/typebox'

import type { Deps } from '../../deps.ts'
import { startRun, waitForRun } from '../../features/threads/runs.ts'
import type { ProCaller } from '../../http/pro-caller.ts'
import { Uuid } from '../../platform/schema.ts'
import { type CallContext, defineProTool } from '../tool.ts'
import { DEFAULT_WAIT_SECONDS, RunAnswer, WaitSeconds, afterRun, runAnswer } from './run-answer.ts'

/** Either switches threads on. */
export const THREAD_FLAGS = ['FEATURE_PRO_MCP_THREADS', 'FEATURE_PRO_AGENT_THREADS'] as const

const input = {
  goal: Type.String({
    minLength: 1,
    maxLength: 5000,
    description: 'What to achieve, in plain words',
    examples: ['Draft quotes for all new leads', 'Prepare my day', 'Raise the price of drain cleaning by 5 %'],
  }),
  waitSeconds: Type.Optional(WaitSeconds),
}

const traits = {
  name: 'run_agent',
  title: 'Run the agent',
  description:
    'Gives the pro’s built-in agent a goal that takes several steps: it reads leads, jobs, bookings and services, and makes drafts and proposals, which wait for confirmation. Costs one agent task, released if it comes to nothing. Answers with the run; one that is not done yet is read with get_proposal_status and its runId.',
  does: 'write',
  idempotent: true,
  output: RunAnswer,
  next: afterRun,
} as const

async function run(
  deps: Deps,
  pro: ProCaller,
  { goal, threadId, waitSeconds = DEFAULT_WAIT_SECONDS }: { goal: string; threadId?: string; waitSeconds?: number },
  { once }: CallContext,
): Promise<RunAnswer> {
  const { runId } = await startRun(deps, pro, { kind: 'run_agent', goal, threadId }, once)
  return runAnswer(await waitForRun(deps, { professionalId: pro.professionalId, runId }, waitSeconds * 1000))
}

export const runAgent = defineProTool({ ...traits, noFlag: THREAD_FLAGS, input: Type.Object(input), call: run })

export const runAgentOnThread = defineProTool({
  ...traits,
  anyFlag: THREAD_FLAGS,
  input: Type.Object({
    goal: input.goal,
    threadId: Type.Optional(
      Uuid({ description: 'A thread whose earlier messages the agent is to know; the goal and its answer are added' }),
    ),
    waitSeconds: input.waitSeconds,
  }),
  call: run,
})
