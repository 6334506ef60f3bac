// The tools of the pro server, in the order of tools/list.
import type { ProCaller } from '../../http/pro-caller.ts'
import type { Tool } from '../tool.ts'
import { chatOnThread } from './chat-on-thread.ts'
import { createThread } from './create-thread.ts'
import { getThread } from './get-thread.ts'
import { listLeads } from './list-leads.ts'
import { listThreads } from './list-threads.ts'
import { runAgent, runAgentOnThread } from './run-agent.ts'

export const proTools: readonly Tool<ProCaller>[] = [
  listLeads,
  runAgent,
  runAgentOnThread,
  createThread,
  listThreads,
  getThread,
  chatOnThread,
]
