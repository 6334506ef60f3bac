// run_agent: gives the pro's own agent a goal; with threads on, on a thread.
import { Type } from '@sinclair/typebox'

import type { Deps } from '../../deps.ts'
import { startRun, waitForRun } from '../../features/threads/verbs/runs.ts'
import type { ProCaller } from '../../auth/pro-caller.ts'
import type { IdempotentResult } from '../../idempotency/context.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { type CallContext, defineProTool } from '../server/tool.ts'
import { DEFAULT_WAIT_SECONDS, RunAnswer, WaitSeconds, afterRun, runAnswer } from './run-answer.ts'

/** Either switches threads on. */
export const THREAD_FLAGS = ['FEATURE_PRO_MCP_THREADS', 'FEATURE_PRO_AGENT_THREADS'] as const

const input = {
  goal: Type.String({
    minLength: 1,
    maxLength: 5000,
    examples: ['Draft quotes for new leads', 'Raise the price of drain cleaning by 5 %'],
  }),
  waitSeconds: Type.Optional(WaitSeconds),
}

const traits = {
  name: 'run_agent',
  title: 'Run the agent',
  description:
    'Give your built-in agent a goal of several steps. It looks, drafts and proposes; nothing takes effect unconfirmed. One agent task. A run not done yet: get_proposal_status with its runId.',
  access: 'write',
  idempotent: true,
  output: RunAnswer,
  next: afterRun,
} as const

async function run(
  deps: Deps,
  pro: ProCaller,
  { goal, threadId, waitSeconds = DEFAULT_WAIT_SECONDS }: { goal: string; threadId?: string; waitSeconds?: number },
  { idempotency }: CallContext,
): Promise<IdempotentResult<RunAnswer>> {
  const started = await startRun(deps, pro, { kind: 'run_agent', goal, threadId }, idempotency)
  const ref = { professionalId: pro.professionalId, runId: started.value.runId }
  return { value: runAnswer(await waitForRun(deps, ref, waitSeconds * 1000)), replayed: started.replayed }
}

export const runAgent = defineProTool({ ...traits, noFlag: THREAD_FLAGS, input: Type.Object(input), call: run })

export const runAgentOnThread = defineProTool({
  ...traits,
  anyFlag: THREAD_FLAGS,
  input: Type.Object({
    goal: input.goal,
    threadId: Type.Optional(Uuid({ description: 'Continue this thread' })),
    waitSeconds: input.waitSeconds,
  }),
  call: run,
})
