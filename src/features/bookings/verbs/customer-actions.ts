// What a customer does with a booking: cancels it, moves it.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { closePayment, findRefund, settleSoon, wholeCurrency } from '../../../payments/verbs.ts'
import type { BookingCancelled, BookingChanged, Cancellation, Rescheduling } from '../schemas.ts'
import { type LockedBooking, checkAction, emitBookingEvent, getBookingForUpdate, moveBooking } from './transitions.ts'
import { type MoveRow, findProfessionalOf, findProspects, lockSchedule, moveBookingTime } from '../queries/changes.ts'
import { CANCELLATION_POLICY, dateOutOfRange, readCode, slotUnavailable } from './reserve.ts'
import { type Start, localStart, wholeMinute } from '../start.ts'

/** Until then before its start, cancelling costs nothing (design §7). */
const FREE_CANCELLATION_MS = 24 * 3_600_000

/**
 * Cancels a booking of the caller's account, or one whose code they know. What was paid is given back when there are 24
 * hours left, or when the pro never confirmed. Throws booking_not_found and invalid_transition.
 */
export async function cancelBooking(
  deps: Deps,
  customer: { accountId: string },
  id: string,
  { confirmationCode, reason }: Cancellation,
): Promise<BookingCancelled> {
  const now = deps.clock.now()
  const done = await deps.write.begin('cancelBooking', async (tx) => {
    const booking = await getBookingForUpdate(tx, changer(customer, confirmationCode), id, now)
    const saved = await moveBooking(tx, deps, booking, 'cancel', reason ?? null)
    const keep = isCostly(booking, now)
    return { booking: saved.booking, refundId: await closePayment(tx, deps, id, { reason: 'cancelled', keep }) }
  })
  await settleSoon(deps, done.refundId)
  const refund = done.refundId === undefined ? null : await findRefund(deps.write, id)
  return { success: true, booking: done.booking, refund, cancellationPolicy: CANCELLATION_POLICY }
}

/** What a customer may do with a booking now: whether it can be moved, and what cancelling it costs of what was paid, in dollars. */
export async function prospectsOf(
  { write, clock }: Deps,
  id: string,
): Promise<{ mayMove: boolean; cancellingCosts: number }> {
  const now = clock.now()
  // From the primary: it may have been moved a moment ago.
  const found = await findProspects(write, id, now)
  if (!found) return { mayMove: false, cancellingCosts: 0 }
  return {
    mayMove: found.status === 'confirmed' && found.isProActive && Date.parse(found.startsAt) > now.getTime(),
    cancellingCosts: isCostly(found, now) ? wholeCurrency(found.paidCents) : 0,
  }
}

/**
 * Whether what was paid is kept when the booking is cancelled: less than 24 hours before its start, or before a start from
 * which it was moved when there was less. Otherwise whoever is late would move it to next month first and cancel then.
 */
const isCostly = (
  { status, startsAt, movedLate }: Pick<LockedBooking, 'status' | 'startsAt' | 'movedLate'>,
  now: Date,
): boolean => status === 'confirmed' && (movedLate || Date.parse(startsAt) - now.getTime() < FREE_CANCELLATION_MS)

/**
 * Moves a confirmed booking to another time that fits, its own counting as free. What cancelling it costs stays as it is.
 * One that is at that time already stays as it is, and no event tells of it: a move sent twice is one move. Throws
 * booking_not_found, invalid_transition, validation_failed (neither or both forms of the time, date) and slot_unavailable.
 */
export async function rescheduleBooking(
  deps: Deps,
  customer: { accountId: string },
  id: string,
  wish: Rescheduling,
): Promise<BookingChanged> {
  const { clock, config, ids, write } = deps
  const start = startOf(wish)
  const who = changer(customer, wish.confirmationCode)
  const booking = await write.begin('rescheduleBooking', async (tx) => {
    const professionalId = await findProfessionalOf(tx, who, id)
    // Before the row, as a reservation does that makes lapsed holds give way.
    if (professionalId) await lockSchedule(tx, professionalId)
    const now = clock.now()
    const locked = await getBookingForUpdate(tx, who, id, now)
    checkAction(locked, 'reschedule', now)
    const moved = await moveBookingTime(tx, id, { start, isLate: isCostly(locked, now), now, baseUrl: config.baseUrl })
    if (moved.outcome === 'unchanged') return moved.booking
    if (moved.outcome !== 'moved') throw refusal(moved, 'date' in start ? 'body.date' : 'body.startDateTime')
    await emitBookingEvent(tx, ids.uuid(), now, { booking: locked, action: 'reschedule', saved: moved })
    return moved.booking
  })
  return { success: true, booking }
}

const changer = ({ accountId }: { accountId: string }, code: string | undefined) => ({
  accountId,
  code: code === undefined ? null : readCode(code),
})

function startOf({ date, time, startDateTime }: Rescheduling): Start {
  if (startDateTime !== undefined && date === undefined && time === undefined)
    return { instant: wholeMinute('body.startDateTime', startDateTime) }
  if (startDateTime === undefined && date !== undefined && time !== undefined) return localStart(date, time)
  throw invalidField('body.startDateTime', 'either this or date and time are required')
}

function refusal(row: Exclude<MoveRow, { outcome: 'moved' | 'unchanged' }>, dateField: string): AppError {
  if (row.outcome === 'date_out_of_range') return dateOutOfRange(dateField)
  if (row.outcome === 'slot_unavailable') return slotUnavailable(row.nextAvailable)
  return new AppError('professional_not_found', 'The pro has left; the booking cannot be moved.')
}
