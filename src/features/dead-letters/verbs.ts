// Messages that failed for good. PostgreSQL keeps them until a retry succeeds.
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Runner } from '../../platform/postgres/database.ts'
import { withoutPersonalData } from '../../platform/telemetry/log-errors.ts'
import {
  type DeadLetter,
  selectDeadLetterCount,
  deleteDeadLetter,
  claimUnacknowledged,
  markRetried,
  selectDeadLetters,
  upsertDeadLetter,
} from './queries.ts'

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
export async function recordDeadLetter({ ids, clock }: Deps, db: Runner, failed: FailedMessage): Promise<void> {
  const { error, ...message } = failed
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const reason = withoutPersonalData(text).slice(0, MAX_ERROR_LENGTH).replaceAll('\0', '')
  await upsertDeadLetter(db, { ...message, id: ids.uuid(), error: reason, now: clock.now() })
}

/** Newest first. */
export const listDeadLetters = ({ read }: Deps, filter: { actor?: string | undefined; limit: number }) =>
  selectDeadLetters(read, filter)

/** Sends a dead letter to its actor again. It is deleted once the actor has handled it. Throws not_found. */
export async function retryDeadLetter(deps: Deps, id: string): Promise<DeadLetter> {
  const letter = await markRetried(deps.write, id, deps.clock.now())
  if (!letter) throw new AppError('not_found', 'No dead letter has this id. List them with `hearth work dead-letters`.')
  await deps.queues.send(letter.actor, [messageOf(letter)])
  return letter
}

/** Resends retries that were not acknowledged. Returns how many. */
export async function resendUnacknowledged(deps: Deps, limit = 100): Promise<number> {
  const now = deps.clock.now()
  const letters = await claimUnacknowledged(deps.write, {
    now,
    before: new Date(now.getTime() - ACKNOWLEDGE_WITHIN_MS),
    limit,
  })
  for (const letter of letters) await deps.queues.send(letter.actor, [messageOf(letter)])
  return letters.length
}

/** Deletes a dead letter whose retry was handled. */
export const resolveDeadLetter = ({ write }: Deps, id: string): Promise<void> => deleteDeadLetter(write, id)

/** The number of dead letters of an actor. */
export const countDeadLetters = ({ read }: Deps, actor: string): Promise<number> => selectDeadLetterCount(read, actor)

const messageOf = (letter: DeadLetter) => ({
  id: letter.messageId,
  data: letter.data,
  traceparent: letter.traceparent,
  deadLetterId: letter.id,
})
