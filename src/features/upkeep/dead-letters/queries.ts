// Rows of dead_letters.
import type { Ctx } from '../../../ctx.ts'
import { composed, json, nullable, number, text } from '../../../platform/postgres/composed.ts'
import * as statements from './queries.sql.ts'

export interface DeadLetter {
  id: string
  actor: string
  messageId: string
  data: unknown
  error: string
  attempts: number
  traceparent: string | null
  /** Null for one of an older version, until it fails again. */
  firstFailedAt: string | null
  failedAt: string
  retriedAt: string | null
}

export type NewDeadLetter = Omit<DeadLetter, 'retriedAt' | 'failedAt' | 'firstFailedAt'> & { now: Date }

/** Inserts a dead letter, or updates it when the same message fails again. */
export async function upsertDeadLetter(ctx: Ctx, letter: NewDeadLetter): Promise<void> {
  await statements.upsertDeadLetter(ctx, {
    id: letter.id,
    actor: letter.actor,
    messageId: letter.messageId,
    data: JSON.stringify(letter.data),
    error: letter.error,
    attempts: letter.attempts,
    traceparent: letter.traceparent,
    now: letter.now,
  })
}

/** Newest first. */
export function selectDeadLetters(ctx: Ctx, { actor, limit }: { actor?: string | undefined; limit: number }) {
  return composed<DeadLetter>(
    ctx.read,
    'selectDeadLetters',
    {
      id: text,
      actor: text,
      messageId: text,
      data: json<unknown>(),
      error: text,
      attempts: number,
      traceparent: nullable(text),
      firstFailedAt: nullable(text),
      failedAt: text,
      retriedAt: nullable(text),
    },
    (sql) => sql`
      select * from dead_letters ${actor ? sql`where actor = ${actor}` : sql``}
      order by failed_at desc, id desc limit ${limit}`,
  )
}

/** Records a retry. Returns undefined when no dead letter has this id. */
export async function markRetried(ctx: Ctx, { id, now }: { id: string; now: Date }): Promise<DeadLetter | undefined> {
  return await statements.markRetried<Pick<DeadLetter, 'data'>>(ctx, { now, id })
}

/** Claims dead letters whose retry was sent before `before` and not acknowledged since, and marks them as sent again. */
export function claimUnacknowledged(ctx: Ctx, { now, before, limit }: { now: Date; before: Date; limit: number }) {
  return statements.claimUnacknowledged<Pick<DeadLetter, 'data'>>(ctx, { before, limit, now })
}

export async function selectDeadLetterCount(ctx: Ctx, { actor }: { actor: string }): Promise<number> {
  const row = await statements.selectDeadLetterCount(ctx, { actor })
  return row?.count ?? 0
}
