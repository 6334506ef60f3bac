// Pending bookings that end without a decision: unpaid holds, and requests that the pro never answered.
import type { Deps } from '../../../deps.ts'
import { tryRefund } from '../../../payments/verbs/refunds.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { lapseDueHolds, lapseHold, selectUnanswered } from '../queries/changes.ts'
import { endBooking, getBookingForUpdate } from './transitions.ts'

/**
 * Records up to `limit` expired holds, so that events and lists show them soon. Correctness does not depend on it: from
 * the end of a hold on, its time is free and reads show the booking as cancelled. Returns how many.
 */
export const lapseHolds = ({ write, clock }: Deps, limit = 100): Promise<number> =>
  lapseDueHolds(write, clock.now(), limit)

/** Ends a hold that cannot be paid, because the provider was unavailable and no caller has its secret. */
export async function releaseHold(deps: Deps, bookingId: string): Promise<void> {
  await deps.write.begin('releaseHold', async (tx) => {
    const booking = await getBookingForUpdate(tx, 'system', bookingId, deps.clock.now())
    if (booking.status !== 'pending' || booking.holdExpiresAt === null) return
    await endBooking(tx, deps, booking, 'lapse', { reason: 'payment_unavailable', refund: 'cancelled' })
  })
}

/**
 * Cancels up to `limit` bookings that their pro neither confirmed nor rejected before the start, and refunds their
 * payments. Returns how many were due.
 */
export async function cancelUnanswered(deps: Deps, limit = 100): Promise<number> {
  const due = await selectUnanswered(deps.write, deps.clock.now(), limit)
  for (const id of due) {
    const refundId = await deps.write.begin('cancelUnanswered', async (tx) => {
      const booking = await getBookingForUpdate(tx, 'system', id, deps.clock.now())
      // The pro or another sweeper may have changed it in the meantime.
      if (booking.status !== 'pending') return undefined
      return await endBooking(tx, deps, booking, 'lapse', { reason: 'not_answered', refund: 'rejected' })
    })
    await tryRefund(deps, refundId)
  }
  return due.length
}

/** Ends the hold of a booking that was not paid in time. */
export const endHold = (tx: Transaction, bookingId: string, now: Date): Promise<void> => lapseHold(tx, bookingId, now)
