// A pro proposes another time for a booking; its customer agrees or declines.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import {
  declineProposedTime,
  findProfessionalOf,
  findProposedStart,
  lockSchedule,
  moveBookingTime,
  proposeBookingTime,
} from '../queries/changes.ts'
import type { BookingChanged, ProAction, ProposedTimeAnswer } from '../action-schemas.ts'
import { type BookingCustomer, customerAccess, moveRefusal, startOf } from './customer-actions.ts'
import { checkAction, emitBookingEvent, getBookingForUpdate } from './transitions.ts'

/**
 * Proposes another time for a booking of the pro, in place of an earlier proposal. It must be free now, but is not held.
 * Emits no event. Throws booking_not_found, invalid_transition, validation_failed (start) and slot_unavailable.
 */
export async function proposeTime(
  tx: Transaction,
  { clock, config }: Deps,
  professionalId: string,
  id: string,
  { message, ...time }: Pick<ProAction, 'date' | 'time' | 'startDateTime' | 'message'>,
): Promise<void> {
  const start = startOf(time)
  await lockSchedule(tx, professionalId)
  const now = clock.now()
  checkAction(await getBookingForUpdate(tx, { professionalId }, id, now), 'propose', now)
  const row = await proposeBookingTime(tx, id, { start, message: message ?? null, now, baseUrl: config.baseUrl })
  const field = 'date' in start ? 'body.date' : 'body.startDateTime'
  if (row.outcome === 'unchanged') throw invalidField(field, 'must differ from the time that the booking has')
  if (row.outcome !== 'proposed') throw moveRefusal(row, field)
}

/**
 * Answers the time that the pro proposes: agreeing moves the booking, declining leaves it as it is. A move at the pro's wish
 * does not cost the customer the right to cancel free of charge. Throws booking_not_found, no_proposed_time,
 * invalid_transition, and slot_unavailable if the time was taken in the meantime.
 */
export async function answerProposedTime(
  deps: Deps,
  customer: BookingCustomer,
  id: string,
  input: ProposedTimeAnswer,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<BookingChanged>> {
  const { clock, config, ids } = deps
  const access = customerAccess(customer)
  const operation = { accountId: customer.accountId, operation: 'answerProposedTime', request: { id, ...input } }
  return await runIdempotently(deps, idempotency, operation, async (tx) => {
    const professionalId = await findProfessionalOf(tx, access, id)
    if (professionalId) await lockSchedule(tx, professionalId)
    const now = clock.now()
    const locked = await getBookingForUpdate(tx, access, id, now)
    const instant = await findProposedStart(tx, id)
    if (instant === undefined)
      throw new AppError('no_proposed_time', 'The pro proposes no other time for this booking.')
    if (input.answer === 'decline') return { success: true, booking: await declineProposedTime(tx, id, now) }
    checkAction(locked, 'agree', now)
    const isLate = locked.freeCancellationUntil === null
    const moved = await moveBookingTime(tx, id, { start: { instant }, isLate, now, baseUrl: config.baseUrl })
    if (moved.outcome === 'unchanged') return { success: true, booking: moved.booking }
    if (moved.outcome !== 'moved') throw moveRefusal(moved, 'body.answer')
    await emitBookingEvent(tx, ids.uuid(), now, { booking: locked, action: 'agree', saved: moved })
    return { success: true, booking: moved.booking }
  })
}
