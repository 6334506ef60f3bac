// get_thread: what was said on a thread, and what the agent did.
import { Type } from '@sinclair/typebox'

import { ThreadDetail } from '../../features/threads/model.ts'
import { getThread as getThreadOf } from '../../features/threads/service.ts'
import { Uuid } from '../../platform/schema.ts'
import { defineProTool } from '../tool.ts'
import { THREAD_FLAGS } from './run-agent.ts'

export const getThread = defineProTool({
  name: 'get_thread',
  title: 'Get a thread',
  description:
    'The latest messages of a thread, oldest first: what the pro asked, each step the agent took, what it answered; and the runs still under way.',
  does: 'read',
  anyFlag: THREAD_FLAGS,
  input: Type.Object({
    threadId: Uuid({ description: 'From list_threads or create_thread' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'Earlier messages: `earlier` of the last answer',
      }),
    ),
  }),
  output: ThreadDetail,
  call: (deps, pro, { threadId, ...page }) => getThreadOf(deps, pro, threadId, page),
  next: ({ openRuns }) =>
    openRuns.length > 0 ? 'A run is under way: call get_thread again in a few seconds.' : undefined,
})
