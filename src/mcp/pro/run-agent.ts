// run_agent: gives the pro's agent a goal; with the threads feature, on a thread.
import { Type } from '@sinclair/typebox'

import type { Ctx } from '../../ctx.ts'
import { type RunInput, startRun, waitForRun } from '../../features/agents/threads/verbs/runs.ts'
import type { ProCaller } from '../../auth/caller.ts'
import { Text, Uuid } from '../../platform/schema/types.ts'
import { CREATES, type CallContext, defineProTool } from '../server/tool.ts'
import { DEFAULT_WAIT_SECONDS, RunAnswer, WaitSeconds, afterRun, runAnswer } from './run-answer.ts'

/** Either flag turns threads on. */
export const THREAD_FLAGS = ['FEATURE_PRO_MCP_THREADS', 'FEATURE_PRO_AGENT_THREADS'] as const

const input = {
  goal: Text(5000, {
    minLength: 1,
    examples: ['Draft quotes for new leads', 'Raise the price of drain cleaning by 5%'],
  }),
  waitSeconds: Type.Optional(WaitSeconds),
}

const traits = {
  name: 'run_agent',
  title: 'Run the agent',
  description:
    'Give your built-in agent a goal of several steps. It reads, drafts and proposes; changes take effect only after confirmation. Costs one agent task, none for a goal it does not understand. If the run has not ended: get_proposal_status with its runId.',
  access: 'write',
  quotes: 'quoted texts',
  hints: CREATES,
  idempotent: true,
  output: RunAnswer,
  next: afterRun,
} as const

/** Starts a run and waits for its end, up to `waitSeconds`. */
export async function runAndWait(
  ctx: Ctx<ProCaller>,
  { waitSeconds = DEFAULT_WAIT_SECONDS, ...input }: RunInput & { waitSeconds?: number },
  { signal }: CallContext,
): Promise<RunAnswer> {
  const started = await startRun(ctx, input)
  const ref = { professionalId: ctx.actor.professionalId, runId: started.runId }
  return runAnswer(await waitForRun(ctx, { ref, limitMs: waitSeconds * 1000, signal }))
}

const run = (ctx: Ctx<ProCaller>, input: Omit<RunInput, 'kind'>, call: CallContext) =>
  runAndWait(ctx, { kind: 'run_agent', ...input }, call)

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
