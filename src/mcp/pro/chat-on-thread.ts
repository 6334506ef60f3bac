// chat_on_thread: a message to the pro's agent, which knows the thread.
import { Type } from '@sinclair/typebox'

import { Text, Uuid } from '../../platform/schema/types.ts'
import { CREATES, defineProTool } from '../server/tool.ts'
import { THREAD_FLAGS, runAndWait } from './run-agent.ts'
import { RunAnswer, WaitSeconds, afterRun } from './run-answer.ts'

export const chatOnThread = defineProTool({
  name: 'chat_on_thread',
  title: 'Chat on a thread',
  description:
    'Send a message to your built-in agent, which can read, draft and propose as in run_agent. Costs one agent task. If the reply is not there yet: get_thread.',
  access: 'write',
  quotes: 'quoted texts',
  hints: CREATES,
  anyFlag: THREAD_FLAGS,
  idempotent: true,
  input: Type.Object({
    threadId: Uuid(),
    message: Text(5000, { minLength: 1, examples: ['Which of the new leads is worth most?'] }),
    waitSeconds: Type.Optional(WaitSeconds),
  }),
  output: RunAnswer,
  call: (ctx, { message: goal, ...input }, call) => runAndWait(ctx, { kind: 'chat_on_thread', goal, ...input }, call),
  next: afterRun,
})
