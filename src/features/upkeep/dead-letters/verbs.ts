// Messages that failed for good. PostgreSQL keeps them until a retry succeeds.
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { withoutPersonalData } from '../../../platform/telemetry/log-errors.ts'
import {
  type DeadLetter,
  selectDeadLetterCount,
  claimUnacknowledged,
  markRetried,
  selectDeadLetters,
  upsertDeadLetter,
} from './queries.ts'
import { deleteDeadLetter } from './queries.sql.ts'

export type { DeadLetter }

export interface FailedMessage {
  actor: string
  messageId: string
  data: unknown
  traceparent: string | null
  attempts: number
  error: unknown
}

const MAX_ERROR_LENGTH = 2000
/** A retry that is not acknowledged within this time is sent again, because Redis may have lost it. */
const ACKNOWLEDGE_WITHIN_MS = 60_000

/** Stores a failed message with its error. Joins the transaction when `db` is one. */
export async function recordDeadLetter(ctx: Ctx, failed: FailedMessage): Promise<void> {
  const { error, ...message } = failed
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const reason = withoutPersonalData(text).slice(0, MAX_ERROR_LENGTH).replaceAll('\0', '')
  await upsertDeadLetter(ctx, { ...message, id: ctx.ids.uuid(), error: reason, now: ctx.clock.now() })
}

/** Newest first. */
export const listDeadLetters = (ctx: Ctx, filter: { actor?: string | undefined; limit: number }) =>
  selectDeadLetters(ctx, filter)

/** Sends a dead letter to its actor again. It is deleted once the actor has handled it. Throws not_found. */
export async function retryDeadLetter(ctx: Ctx, { id }: { id: string }): Promise<DeadLetter> {
  const letter = await markRetried(ctx, { id, now: ctx.clock.now() })
  if (!letter) throw new AppError('not_found', 'No dead letter has this id. List them with `hearth work dead-letters`.')
  await ctx.queues.send(letter.actor, [messageOf(letter)])
  return letter
}

/** Resends retries that were not acknowledged. Returns how many. */
export async function resendUnacknowledged(ctx: Ctx, { limit = 100 }: { limit?: number } = {}): Promise<number> {
  const now = ctx.clock.now()
  const letters = await claimUnacknowledged(ctx, {
    now,
    before: new Date(now.getTime() - ACKNOWLEDGE_WITHIN_MS),
    limit,
  })
  for (const letter of letters) await ctx.queues.send(letter.actor, [messageOf(letter)])
  return letters.length
}

/** Deletes a dead letter whose retry was handled. */
export const resolveDeadLetter = (ctx: Ctx, { id }: { id: string }): Promise<void> => deleteDeadLetter(ctx, { id })

/** The number of dead letters of an actor. */
export const countDeadLetters = (ctx: Ctx, { actor }: { actor: string }): Promise<number> =>
  selectDeadLetterCount(ctx, { actor })

const messageOf = (letter: DeadLetter) => ({
  id: letter.messageId,
  data: letter.data,
  traceparent: letter.traceparent,
  deadLetterId: letter.id,
})
