// Rows of dead_letters.
import type { Ctx } from '../../../ctx.ts'

export interface DeadLetter {
  id: string
  actor: string
  messageId: string
  data: unknown
  error: string
  attempts: number
  traceparent: string | null
  failedAt: string
  retriedAt: string | null
}

export type NewDeadLetter = Omit<DeadLetter, 'retriedAt' | 'failedAt'> & { now: Date }

/** Inserts a dead letter, or updates it when the same message fails again. */
export async function upsertDeadLetter(ctx: Ctx, letter: NewDeadLetter): Promise<void> {
  await ctx.write.run(
    'upsertDeadLetter',
    (sql) => sql`
      insert into dead_letters (id, actor, message_id, data, error, attempts, traceparent, failed_at)
      values (${letter.id}, ${letter.actor}, ${letter.messageId}, ${JSON.stringify(letter.data)}::text::jsonb,
        ${letter.error}, ${letter.attempts}, ${letter.traceparent}, ${letter.now.toISOString()})
      on conflict (actor, message_id) do update set
        error = excluded.error, attempts = dead_letters.attempts + excluded.attempts, failed_at = excluded.failed_at,
        retried_at = null`,
  )
}

export async function deleteDeadLetter(ctx: Ctx, { id }: { id: string }): Promise<void> {
  await ctx.write.run('deleteDeadLetter', (sql) => sql`delete from dead_letters where id = ${id}`)
}

/** Newest first. */
export function selectDeadLetters(ctx: Ctx, { actor, limit }: { actor?: string | undefined; limit: number }) {
  return ctx.read.run<DeadLetter>(
    'selectDeadLetters',
    (sql) => sql`
      select * from dead_letters ${actor ? sql`where actor = ${actor}` : sql``}
      order by failed_at desc, id desc limit ${limit}`,
  )
}

/** Records a retry. Returns undefined when no dead letter has this id. */
export async function markRetried(ctx: Ctx, { id, now }: { id: string; now: Date }): Promise<DeadLetter | undefined> {
  const rows = await ctx.write.run<DeadLetter>(
    'markRetried',
    (sql) => sql`update dead_letters set retried_at = ${now.toISOString()} where id = ${id} returning *`,
  )
  return rows[0]
}

/** Claims dead letters whose retry was sent before `before` and not acknowledged since, and marks them as sent again. */
export function claimUnacknowledged(ctx: Ctx, { now, before, limit }: { now: Date; before: Date; limit: number }) {
  return ctx.write.run<DeadLetter>(
    'claimUnacknowledged',
    (sql) => sql`
      with unacknowledged as materialized (
        select id from dead_letters where retried_at < ${before.toISOString()}
        order by retried_at limit ${limit} for update skip locked)
      update dead_letters set retried_at = ${now.toISOString()} where id in (select id from unacknowledged)
      returning *`,
  )
}

export async function selectDeadLetterCount(ctx: Ctx, { actor }: { actor: string }): Promise<number> {
  const rows = await ctx.read.run<{ count: number }>(
    'selectDeadLetterCount',
    (sql) => sql`select count(*)::int as count from dead_letters where actor = ${actor}`,
  )
  return rows[0]?.count ?? 0
}
