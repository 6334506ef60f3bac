// The result of a message after an attempt: sent, sent later, or given up.
import { MailFailure } from '../../../../platform/mail/mail-failure.ts'
import type { ClaimedMessage, MessageResult } from '../queries/messages.ts'

/**
 * The pauses after a mail server asks to try later: after the first time, the second, and so on. After the last pause the
 * message is given up, about two days later.
 */
const DELAYS_SECONDS = [30, 120, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 43_200]
/** While the mail server itself cannot be used, messages wait: nothing is given up. */
const OUTAGE_SECONDS = 60
const JITTER = 0.1

/** `random` is in [0, 1). */
export function afterFailure(
  { refusals }: Pick<ClaimedMessage, 'refusals'>,
  error: unknown,
  now: Date,
  random: number,
): MessageResult {
  const outcome = error instanceof Error ? error.message : String(error)
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000 * (1 + JITTER * random))
  if (error instanceof MailFailure && error.isOfServer) return waiting(outcome, later(OUTAGE_SECONDS))
  const delay = DELAYS_SECONDS[refusals]
  const isFinal = error instanceof MailFailure && error.kind !== 'temporary'
  if (isFinal || delay === undefined) return { ...dropped(outcome), status: 'failed' }
  return { ...waiting(outcome, later(delay)), isRefusal: true }
}

/** The message is sent later. */
const waiting = (outcome: string, nextAttemptAt: Date): MessageResult => ({
  status: 'pending',
  outcome,
  nextAttemptAt,
  isRefusal: false,
})

/** The message is not sent. */
export const dropped = (outcome: string): MessageResult => ({
  status: 'dropped',
  outcome,
  nextAttemptAt: null,
  isRefusal: false,
})
