// Messages that were given up: kept in PostgreSQL until somebody has looked and had them tried again with success.
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Runner } from '../../platform/postgres/database.ts'
import { withoutPersonalData } from '../../platform/telemetry/log-errors.ts'
import {
  type DeadLetter,
  countDeadLetters,
  deleteDeadLetter,
  leaseUnheard,
  markRetried,
  selectDeadLetters,
  upsertDeadLetter,
} from './queries.ts'

export type { DeadLetter }

export interface GivenUp {
  actor: string
  messageId: string
  data: unknown
  traceparent: string | null
  attempts: number
  error: unknown
}

const MAX_ERROR_LENGTH = 2000
/** A letter that was sent off again is sent once more when nothing was heard of it for so long: Redis may have lost it. */
const UNHEARD_MS = 60_000

/** Keeps a message that was given up, with the reason; in a transaction when `db` is one. */
export async function keepDeadLetter({ ids, clock }: Deps, db: Runner, message: GivenUp): Promise<void> {
  const { error, ...kept } = message
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const reason = withoutPersonalData(text).slice(0, MAX_ERROR_LENGTH).replaceAll('\0', '')
  await upsertDeadLetter(db, { ...kept, id: ids.uuid(), error: reason, now: clock.now() })
}

/** The latest first. */
export const listDeadLetters = ({ read }: Deps, filter: { actor?: string | undefined; limit: number }) =>
  selectDeadLetters(read, filter)

/** Sends a dead letter to its actor again; it is kept until it was handled. Throws not_found. */
export async function retryDeadLetter(deps: Deps, id: string): Promise<DeadLetter> {
  const letter = await markRetried(deps.write, id, deps.clock.now())
  if (!letter)
    throw new AppError('not_found', 'There is no dead letter with this id. `hearth work dead-letters` lists them.')
  await deps.queues.send(letter.actor, [messageOf(letter)])
  return letter
}

/** Sends retried letters again of which nothing was heard. Gives how many. */
export async function resendUnheard(deps: Deps, limit = 100): Promise<number> {
  const now = deps.clock.now()
  const letters = await leaseUnheard(deps.write, { now, before: new Date(now.getTime() - UNHEARD_MS), limit })
  for (const letter of letters) await deps.queues.send(letter.actor, [messageOf(letter)])
  return letters.length
}

/** The message was handled after all. */
export const settleDeadLetter = ({ write }: Deps, id: string): Promise<void> => deleteDeadLetter(write, id)

/** How many an actor has. */
export const countOfDeadLetters = ({ read }: Deps, actor: string): Promise<number> => countDeadLetters(read, actor)

const messageOf = (letter: DeadLetter) => ({
  id: letter.messageId,
  data: letter.data,
  traceparent: letter.traceparent,
  deadLetterId: letter.id,
})
