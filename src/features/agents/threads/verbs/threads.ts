// Threads of a pro: create, list, read. Runs on a thread are in runs.ts.
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { type PageQuery, pageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import type { Thread, ThreadDetail, ThreadList, ThreadOwner } from '../schemas.ts'
import { selectOpenRunsOf } from '../queries/runs.sql.ts'
import { insertThread, selectThreads } from '../queries/threads.ts'
import { findThread, selectMessages } from '../queries/threads.sql.ts'

/** Creates an empty thread. */
export const createThread = (ctx: Ctx<ThreadOwner>, { title }: { title: string }): Promise<Thread> =>
  runIdempotently(ctx, { accountId: ctx.actor.accountId, operation: 'createThread', request: { title } }, (ctx) =>
    insertThread(ctx, { id: ctx.ids.uuid(), professionalId: ctx.actor.professionalId, title, now: ctx.clock.now() }),
  )

/** A page of the pro's threads, the one with the latest message first. */
export async function listThreads(
  ctx: Ctx<Pick<ThreadOwner, 'professionalId'>>,
  query: PageQuery,
): Promise<ThreadList> {
  const { threads, total } = await selectThreads(ctx, { ...pageOf(query), professionalId: ctx.actor.professionalId })
  return { threads, meta: pageMeta(total, query) }
}

/** The last `limit` messages of a thread (before position `before`, if given), oldest first. Throws thread_not_found. */
export async function getThread(
  ctx: Ctx<Pick<ThreadOwner, 'professionalId'>>,
  { threadId, limit = 20, before = 2_147_483_647 }: { threadId: string; limit?: number; before?: number },
): Promise<ThreadDetail> {
  const [thread, latest, openRuns] = await Promise.all([
    findThread(ctx, { professionalId: ctx.actor.professionalId, id: threadId }),
    selectMessages(ctx, { professionalId: ctx.actor.professionalId, threadId, before, limit, spokenOnly: false }),
    selectOpenRunsOf(ctx, { professionalId: ctx.actor.professionalId, threadId }),
  ])
  if (!thread) throw threadNotFound()
  const messages = latest.toReversed()
  const first = messages[0]?.position ?? 1
  return { thread, messages, earlier: first > 1 ? first : null, openRuns }
}

export const threadNotFound = () => new AppError('thread_not_found', 'You have no thread with this id.')
