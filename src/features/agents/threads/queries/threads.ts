// SQL of threads and their messages.
import type { Thread, ThreadMessage } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'

export async function insertThread(
  ctx: TxCtx,
  { id, professionalId, title, now }: { id: string; professionalId: string; title: string; now: Date },
): Promise<Thread> {
  const at = now.toISOString()
  const [thread] = await ctx.tx.run<Thread>(
    'insertThread',
    (sql) => sql`
      insert into threads (professional_id, id, title, created_at, last_activity_at)
      values (${professionalId}, ${id}, ${title}, ${at}, ${at})
      returning id, title, message_count, created_at, last_activity_at`,
  )
  if (!thread) throw new Error('The insert returned no row.')
  return thread
}

/** A page of the pro's threads, the one with the latest message first, with the total. */
export async function selectThreads(
  ctx: Ctx,
  { professionalId, limit, offset }: { professionalId: string; limit: number; offset: number },
): Promise<{ threads: Thread[]; total: number }> {
  const [row] = await ctx.read.run<{ threads: Thread[]; total: number }>(
    'selectThreads',
    (sql) => sql`
      select
        (select count(*)::int from threads where professional_id = ${professionalId}) as total,
        (select coalesce(json_agg(json_build_object('id', t.id, 'title', t.title, 'messageCount', t.message_count,
            'createdAt', iso_instant(t.created_at), 'lastActivityAt', iso_instant(t.last_activity_at))
            order by t.last_activity_at desc, t.id desc), '[]')
          from (
            select * from threads where professional_id = ${professionalId}
            order by last_activity_at desc, id desc limit ${limit} offset ${offset}
          ) t) as threads`,
  )
  return row ?? { threads: [], total: 0 }
}

export async function findThread(
  ctx: Ctx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<Thread | undefined> {
  const rows = await ctx.read.run<Thread>(
    'findThread',
    (sql) => sql`
      select id, title, message_count, created_at, last_activity_at from threads
      where professional_id = ${professionalId} and id = ${id}`,
  )
  return rows[0]
}

/** The last `limit` messages before a position, latest first. `spokenOnly` leaves out tool and system messages. */
export async function selectMessages(
  ctx: Ctx,
  {
    professionalId,
    threadId,
    before,
    limit,
    spokenOnly,
  }: { professionalId: string; threadId: string; before: number; limit: number; spokenOnly: boolean },
): Promise<ThreadMessage[]> {
  return await ctx.read.run<ThreadMessage>(
    'selectThreadMessages',
    (sql) => sql`
      select position, role, content, run_id, step, created_at from thread_messages
      where professional_id = ${professionalId} and thread_id = ${threadId} and position < ${before}
        and (not ${spokenOnly} or role in ('person', 'agent'))
      order by position desc limit ${limit}`,
  )
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
  const [row] = await ctx.tx.run<{ position: number }>(
    'appendThreadMessage',
    (sql) => sql`
      with place as (
        update threads set message_count = message_count + 1, last_activity_at = greatest(last_activity_at, ${now})
        where professional_id = ${professionalId} and id = ${threadId} returning message_count)
      insert into thread_messages (professional_id, thread_id, position, role, content, run_id, step, created_at)
      select ${professionalId}, ${threadId}, message_count, ${role}, ${content}, ${runId}, ${step}::smallint, ${now}
      from place returning position`,
  )
  return row?.position
}
