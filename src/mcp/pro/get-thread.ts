// get_thread: the messages of a thread and its open runs.
import { Type } from '@sinclair/typebox'

import { ThreadDetail } from '../../features/agents/threads/schemas.ts'
import { getThread as getThreadOf } from '../../features/agents/threads/verbs/threads.ts'
import { Integer } from '../../platform/schema/numbers.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'
import { THREAD_FLAGS } from './run-agent.ts'

export const getThread = defineProTool({
  name: 'get_thread',
  title: 'Get a thread',
  description: 'The latest messages of a thread, oldest first: goals, steps, answers; and open runs.',
  access: 'read',
  quotes: 'quoted texts',
  anyFlag: THREAD_FLAGS,
  input: Type.Object({
    threadId: Uuid(),
    limit: Type.Optional(Integer({ minimum: 1, maximum: 50, default: 20 })),
    before: Type.Optional(
      Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The `earlier` value of the previous result',
      }),
    ),
  }),
  output: ThreadDetail,
  call: (ctx, { threadId, ...page }) => getThreadOf(ctx, { ...page, threadId }),
  next: ({ openRuns }) =>
    openRuns.length > 0 ? 'A run has not ended: call get_thread again in a few seconds.' : undefined,
})
