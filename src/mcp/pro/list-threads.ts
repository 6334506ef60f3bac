// list_threads: a page of the pro's threads.
import { Type } from '@sinclair/typebox'

import { ThreadList } from '../../features/agents/threads/schemas.ts'
import { listThreads as listThreadsOf } from '../../features/agents/threads/verbs/threads.ts'
import { pageParameters } from '../../platform/schema/paging.ts'
import { defineProTool } from '../server/tool.ts'
import { THREAD_FLAGS } from './run-agent.ts'
import { Integer } from '../../platform/schema/numbers.ts'

const DEFAULT_LIMIT = 10

export const listThreads = defineProTool({
  name: 'list_threads',
  title: 'List threads',
  description: 'Conversations with your built-in agent, latest first. Next: get_thread.',
  access: 'read',
  anyFlag: THREAD_FLAGS,
  input: Type.Object({
    limit: Type.Optional(Integer({ minimum: 1, maximum: 50, default: DEFAULT_LIMIT })),
    offset: pageParameters.offset,
  }),
  output: ThreadList,
  call: (ctx, { limit = DEFAULT_LIMIT, ...query }) => listThreadsOf(ctx, { limit, ...query }),
})
