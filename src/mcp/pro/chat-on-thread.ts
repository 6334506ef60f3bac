// chat_on_thread: a message to the pro's own agent, which knows what was said before.
import { Type } from '@sinclair/typebox'

import { startRun, waitForRun } from '../../features/threads/verbs/runs.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'
import { THREAD_FLAGS } from './run-agent.ts'
import { DEFAULT_WAIT_SECONDS, RunAnswer, WaitSeconds, afterRun, runAnswer } from './run-answer.ts'

export const chatOnThread = defineProTool({
  name: 'chat_on_thread',
  title: 'Chat on a thread',
  description:
    'Say something to your built-in agent, which may look, draft and propose as in run_agent. One agent task. A reply not there yet: get_thread.',
  access: 'write',
  anyFlag: THREAD_FLAGS,
  idempotent: true,
  input: Type.Object({
    threadId: Uuid(),
    message: Type.String({
      minLength: 1,
      maxLength: 5000,
      examples: ['Which of the new leads is worth most?'],
    }),
    waitSeconds: Type.Optional(WaitSeconds),
  }),
  output: RunAnswer,
  call: async (deps, pro, { threadId, message, waitSeconds = DEFAULT_WAIT_SECONDS }, { idempotency }) => {
    const started = await startRun(deps, pro, { kind: 'chat_on_thread', goal: message, threadId }, idempotency)
    const ref = { professionalId: pro.professionalId, runId: started.value.runId }
    return { value: runAnswer(await waitForRun(deps, ref, waitSeconds * 1000)), replayed: started.replayed }
  },
  next: afterRun,
})
