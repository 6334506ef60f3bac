// Bookings that end without a decision of customer or pro: unpaid holds, requests that the pro never answered, and those of a pro who left.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { tryRefund } from '../../../../payments/verbs/refunds.ts'
import { lapseDueHolds, selectUnanswered } from '../queries/changes.ts'
import { lapseHold as recordLapse } from '../queries/changes.sql.ts'
import { lockJobOfVisit } from '../../jobs/verbs/end-job.ts'
import { isHeld } from '../rules/holds.ts'
import { endBooking, getBookingForUpdate } from './transitions.ts'

/**
 * Records up to `limit` expired holds, so that events and lists show them soon. Correctness does not depend on it: from
 * the end of a hold on, its time is free and reads show the booking as cancelled. Returns how many.
 */
export const lapseHolds = (ctx: Ctx, { limit = 100 }: { limit?: number } = {}): Promise<number> =>
  lapseDueHolds(ctx, { now: ctx.clock.now(), limit })

/** Ends a hold that cannot be paid, because the provider was unavailable and no caller has its secret. */
export async function releaseHold(ctx: Ctx, { bookingId }: { bookingId: string }): Promise<void> {
  await ctx.transaction('releaseHold', async (ctx) => {
    const booking = await getBookingForUpdate(ctx, { access: 'system', id: bookingId, now: ctx.clock.now() })
    if (!isHeld(booking)) return
    await endBooking(ctx, { reason: 'payment_unavailable', refund: 'cancelled', booking, action: 'lapse' })
  })
}

/**
 * Cancels up to `limit` bookings that their pro neither confirmed nor rejected before the start, and refunds their
 * payments. Returns how many were due.
 */
export async function cancelUnanswered(ctx: Ctx, { limit = 100 }: { limit?: number } = {}): Promise<number> {
  const due = await selectUnanswered(ctx, { now: ctx.clock.now(), limit })
  for (const id of due) {
    const refundId = await ctx.transaction('cancelUnanswered', async (ctx) => {
      const booking = await getBookingForUpdate(ctx, { access: 'system', id, now: ctx.clock.now() })
      // The pro or another sweeper may have changed it in the meantime.
      if (booking.status !== 'pending') return undefined
      return await endBooking(ctx, { reason: 'not_answered', refund: 'rejected', booking, action: 'lapse' })
    })
    await tryRefund(ctx, { refundId })
  }
  return due.length
}

/**
 * Cancels an open booking of a pro who closed the account: everything that was paid is refunded, and the customer is told. Changes nothing
 * when it is over.
 */
export async function cancelForClosing(ctx: Ctx, { id, reason }: { id: string; reason: string }): Promise<void> {
  const refundId = await ctx.transaction('cancelForClosing', async (ctx) => {
    await lockJobOfVisit(ctx, { bookingId: id })
    const booking = await getBookingForUpdate(ctx, { access: 'system', id, now: ctx.clock.now() })
    if (booking.status !== 'pending' && booking.status !== 'confirmed') return undefined
    return await endBooking(ctx, { reason, refund: 'cancelled', by: 'pro', booking, action: 'cancel' })
  })
  await tryRefund(ctx, { refundId })
}

/** Records the end of the hold of a booking that was not paid in time. */
export const lapseHold = (ctx: TxCtx, { bookingId, now }: { bookingId: string; now: Date }): Promise<void> =>
  recordLapse(ctx, { id: bookingId, now })
