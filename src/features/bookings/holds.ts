// Bookings that wait for their payment, and do not get it.
import type { Deps } from '../../deps.ts'
import { closePayment } from '../payments/service.ts'
import { getBookingForUpdate, moveBooking } from './moving.ts'
import { lapseDueHolds } from './queries/change.ts'

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
