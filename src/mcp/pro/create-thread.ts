// create_thread: starts a thread.
import { Type } from '@sinclair/typebox'

import { Thread } from '../../features/agents/threads/schemas.ts'
import { createThread as createThreadOf } from '../../features/agents/threads/verbs/threads.ts'
import { Name } from '../../platform/schema/types.ts'
import { CREATES, defineProTool } from '../server/tool.ts'
import { THREAD_FLAGS } from './run-agent.ts'

export const createThread = defineProTool({
  name: 'create_thread',
  title: 'Create a thread',
  description:
    'Start a conversation that your built-in agent remembers. Next: chat_on_thread, or run_agent with threadId.',
  access: 'write',
  hints: CREATES,
  anyFlag: THREAD_FLAGS,
  idempotent: true,
  input: Type.Object({ title: Name({ examples: ['Spring prices'] }) }),
  output: Type.Object({ thread: Thread }),
  call: async (ctx, { title }) => {
    const thread = await createThreadOf(ctx, { title })
    return { thread }
  },
})
