// SQL of threads and their messages.
import type { Thread, ThreadMessage } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import * as statements from './threads.sql.ts'

export async function insertThread(
  ctx: TxCtx,
  { id, professionalId, title, now }: { id: string; professionalId: string; title: string; now: Date },
): Promise<Thread> {
  const at = now.toISOString()
  const thread = await statements.insertThread(ctx, { professionalId, id, title, at })
  if (!thread) throw new Error('The insert returned no row.')
  return thread
}

/** A page of the pro's threads, the one with the latest message first, with the total. */
export async function selectThreads(
  ctx: Ctx,
  { professionalId, limit, offset }: { professionalId: string; limit: number; offset: number },
): Promise<{ threads: Thread[]; total: number }> {
  const row = await statements.selectThreads<{ threads: Thread[] }>(ctx, { professionalId, limit, offset })
  return row ?? { threads: [], total: 0 }
}

export interface NewThreadMessage extends Pick<ThreadMessage, 'role' | 'content' | 'runId'> {
  professionalId: string
  threadId: string
  step?: number
  now: Date
}

/** Appends a message and returns its position, or undefined when the pro has no such thread. */
export async function appendMessage(ctx: TxCtx, message: NewThreadMessage): Promise<number | undefined> {
  const { professionalId, threadId, role, content, runId, step = null } = message
  const now = message.now.toISOString()
  const row = await statements.appendThreadMessage(ctx, { now, professionalId, threadId, role, content, runId, step })
  return row?.position
}
