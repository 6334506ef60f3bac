// Bookings that wait, for their payment or for their pro, and wait in vain.
import type { Transaction } from '../../../platform/postgres/database.ts'
import type { Deps } from '../../../deps.ts'
import { closePayment, settleSoon } from '../../../payments/verbs.ts'
import { getBookingForUpdate, moveBooking } from './transitions.ts'
import { lapseDueHolds, lapseHold, selectUnanswered } from '../queries/changes.ts'

/**
 * Writes down that holds are over, up to `limit` of them, for those who want events and lists to say so soon. Nothing
 * depends on it: their time is free and reads show them as cancelled from the end of the hold on.
 */
export const lapseHolds = ({ write, clock }: Deps, limit = 100): Promise<number> =>
  lapseDueHolds(write, clock.now(), limit)

/** Gives up a hold that nobody can pay, because the provider could not be told of it and nobody has its secret. */
export async function releaseHold(deps: Deps, bookingId: string): Promise<void> {
  await deps.write.begin('releaseHold', async (tx) => {
    const booking = await getBookingForUpdate(tx, 'hearth', bookingId, deps.clock.now())
    if (booking.status !== 'pending' || booking.holdExpiresAt === null) return
    await moveBooking(tx, deps, booking, 'lapse', 'payment_unavailable')
    await closePayment(tx, deps, bookingId, { reason: 'cancelled', keep: false })
  })
}

/**
 * Cancels up to `limit` bookings that their pro neither confirmed nor rejected before they should have begun, and gives
 * back what was paid for them. How many there were.
 */
export async function cancelUnanswered(deps: Deps, limit = 100): Promise<number> {
  const waiting = await selectUnanswered(deps.write, deps.clock.now(), limit)
  for (const id of waiting) {
    const refundId = await deps.write.begin('cancelUnanswered', async (tx) => {
      const booking = await getBookingForUpdate(tx, 'hearth', id, deps.clock.now())
      // The pro may have answered meanwhile, or another sweeper been here.
      if (booking.status !== 'pending') return undefined
      await moveBooking(tx, deps, booking, 'lapse', 'not_answered')
      return await closePayment(tx, deps, id, { reason: 'rejected', keep: false })
    })
    await settleSoon(deps, refundId)
  }
  return waiting.length
}

/** Ends the hold of a booking that its payment did not confirm in time. */
export const endHold = (tx: Transaction, bookingId: string, now: Date): Promise<void> => lapseHold(tx, bookingId, now)
