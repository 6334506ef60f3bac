// Messages that failed for good. PostgreSQL keeps them until a retry succeeds.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { withoutPersonalData } from '../../../platform/telemetry/log-errors.ts'
import { type OperatorId, recordAction } from '../audit/verbs.ts'
import {
  type DeadLetter,
  selectDeadLetterCount,
  claimUnacknowledged,
  markRetried,
  selectDeadLetters,
  upsertDeadLetter,
} from './queries.ts'
import * as statements from './queries.sql.ts'

export type { DeadLetter }

export interface FailedMessage {
  actor: string
  messageId: string
  data: unknown
  traceparent: string | null
  attempts: number
  error: unknown
  /** The dead letter that the message retried. */
  deadLetterId?: string | undefined
}

const MAX_ERROR_LENGTH = 2000
/** A retry that is not acknowledged within this time is sent again, because Redis may have lost it. */
const ACKNOWLEDGE_WITHIN_MS = 60_000

/**
 * Stores a failed message with its error. A retry that fails changes its dead letter, and nothing when that was discarded meanwhile.
 */
export async function recordDeadLetter(ctx: Ctx, failed: FailedMessage): Promise<void> {
  const { error, deadLetterId, ...message } = failed
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const reason = withoutPersonalData(text).slice(0, MAX_ERROR_LENGTH).replaceAll('\0', '')
  const now = ctx.clock.now()
  if (deadLetterId === undefined) await upsertDeadLetter(ctx, { ...message, id: ctx.ids.uuid(), error: reason, now })
  else await statements.updateFailedRetry(ctx, { id: deadLetterId, error: reason, attempts: failed.attempts, now })
}

/** Whether the dead letter of a retry was neither discarded nor handled yet. */
export const isStillWanted = async (ctx: Ctx, { id }: { id: string }): Promise<boolean> =>
  (await statements.findKept(ctx, { id }))?.isKept === true

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
export const resolveDeadLetter = (ctx: Ctx, { id }: { id: string }): Promise<void> =>
  statements.deleteDeadLetter(ctx, { id })

/** The number of dead letters of an actor. */
export const countDeadLetters = (ctx: Ctx, { actor }: { actor: string }): Promise<number> =>
  selectDeadLetterCount(ctx, { actor })

/** The message of a dead letter, as a retry. */
const messageOf = (letter: DeadLetter) => ({
  id: letter.messageId,
  data: letter.data,
  traceparent: letter.traceparent,
  deadLetterId: letter.id,
})

/** Further ones take another press of the button. */
const MAX_AGAIN = 100

export type ListedLetter = Awaited<ReturnType<typeof statements.selectLetters>>[number]

/** Dead letters with what they are about, the latest first. */
export const listLetters = (ctx: Ctx, page: { limit: number; offset: number }): Promise<ListedLetter[]> =>
  statements.selectLetters(ctx, page)

/** Throws not_found for one that was handled or discarded. */
export async function getLetter(ctx: Ctx, { id }: { id: string }): Promise<ListedLetter> {
  const [letter] = await statements.selectLetters(ctx, { id, limit: 1, offset: 0 })
  if (!letter) throw gone()
  return letter
}

/**
 * Sends a dead letter to its worker again; it goes once it is handled. Returns false for one that is on its way already. Throws not_found.
 */
export async function sendLetterAgain(ctx: Ctx, { id, by }: { id: string; by: OperatorId }): Promise<boolean> {
  if ((await sendAgain(ctx, { id, actor: null, limit: 1, by })) === 1) return true
  const state = await statements.findKept(ctx, { id })
  if (state?.isKept !== true) throw gone()
  return false
}

/** Sends the oldest dead letters of a worker again, up to {@link MAX_AGAIN}. Returns how many. */
export const sendLettersAgain = (ctx: Ctx, { actor, by }: { actor: string; by: OperatorId }): Promise<number> =>
  sendAgain(ctx, { id: null, actor, limit: MAX_AGAIN, by })

/**
 * Discards a dead letter for good: a retry of it that a worker has not begun does nothing, and one that fails leaves no other. Returns
 * false when it is gone already, so that doing it twice changes nothing.
 */
export const discardLetter = (
  ctx: Ctx,
  { id, reason, by }: { id: string; reason: string; by: OperatorId },
): Promise<boolean> =>
  ctx.transaction('discardLetter', async (ctx) => {
    const letter = await statements.takeDeadLetter(ctx, { id })
    if (!letter) return false
    const details = { kind: letter.actor, message: letter.messageId, error: letter.error, attempts: letter.attempts }
    await recordAction(ctx, { action: 'letter.discarded', subjectId: id, professionalId: null, by, reason, details })
    return true
  })

interface Chosen {
  id: string | null
  actor: string | null
  limit: number
  by: OperatorId
}

async function sendAgain(ctx: Ctx, chosen: Chosen): Promise<number> {
  const letters = await ctx.transaction('sendLettersAgain', (ctx) => markSentAgain(ctx, chosen))
  for (const [actor, ofActor = []] of Map.groupBy(letters, (letter) => letter.actor)) {
    try {
      await ctx.queues.send(actor, ofActor.map(messageOf))
    } catch (error) {
      ctx.log.warn(
        { err: error, letters: ofActor.length },
        'failed to send dead letters again; they are sent within minutes',
      )
    }
  }
  return letters.length
}

async function markSentAgain(ctx: TxCtx, { by, ...chosen }: Chosen): Promise<DeadLetter[]> {
  const letters = await statements.markSentAgain<Pick<DeadLetter, 'data'>>(ctx, { ...chosen, now: ctx.clock.now() })
  for (const { id, actor } of letters) {
    const act = { action: 'letter.sent_again' as const, subjectId: id, professionalId: null }
    await recordAction(ctx, { ...act, by, details: { kind: actor } })
  }
  return letters
}

const gone = () => new AppError('not_found', 'This dead letter is gone: it was handled or discarded meanwhile.')
