// Threads of a pro: create, list, read. Runs on a thread are in runs.ts.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { type PageQuery, pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import type { Thread, ThreadDetail, ThreadList, ThreadOwner } from '../schemas.ts'
import { selectOpenRunsOf } from '../queries/runs.ts'
import { findThread, insertThread, selectMessages, selectThreads } from '../queries/threads.ts'

/** Creates an empty thread. */
export const createThread = (
  deps: Pick<Deps, 'write' | 'clock' | 'ids'>,
  { accountId, professionalId }: ThreadOwner,
  { title }: { title: string },
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<Thread>> =>
  runIdempotently(deps, idempotency, { accountId, operation: 'createThread', request: { title } }, (tx) =>
    insertThread(tx, { id: deps.ids.uuid(), professionalId, title, now: deps.clock.now() }),
  )

/** A page of the pro's threads, the one with the latest message first. */
export async function listThreads(
  { read }: Pick<Deps, 'read'>,
  { professionalId }: Pick<ThreadOwner, 'professionalId'>,
  query: PageQuery,
): Promise<ThreadList> {
  const { threads, total } = await selectThreads(read, professionalId, pageOf(query))
  return { threads, meta: pageMeta(total, query) }
}

/** The last `limit` messages of a thread (before position `before`, if given), oldest first. Throws thread_not_found. */
export async function getThread(
  { read }: Pick<Deps, 'read'>,
  { professionalId }: Pick<ThreadOwner, 'professionalId'>,
  threadId: string,
  { limit = 20, before = 2_147_483_647 }: { limit?: number; before?: number } = {},
): Promise<ThreadDetail> {
  const [thread, latest, openRuns] = await Promise.all([
    findThread(read, professionalId, threadId),
    selectMessages(read, { professionalId, threadId }, { before, limit, spokenOnly: false }),
    selectOpenRunsOf(read, professionalId, threadId),
  ])
  if (!thread) throw threadNotFound()
  const messages = latest.toReversed()
  const first = messages[0]?.position ?? 1
  return { thread, messages, earlier: first > 1 ? first : null, openRuns }
}

export const threadNotFound = () => new AppError('thread_not_found', 'You have no thread with this id.')
