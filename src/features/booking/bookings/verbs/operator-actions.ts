// An operator moves or cancels a booking for its customer or its pro, with a reason. Each act is in the operators' log.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { tryRefund } from '../../../../payments/verbs/refunds.ts'
import { type OperatorId, recordAction } from '../../../upkeep/audit/verbs.ts'
import { lockJobOfVisit } from '../../jobs/verbs/end-job.ts'
import { findProfessionalOf, rescheduleTo } from '../queries/changes.ts'
import { lockSchedule, tellProOfCancellation } from '../queries/changes.sql.ts'
import { keepsPayment } from '../rules/cancellation.ts'
import { rescheduleRefusal } from './customer-actions.ts'
import { localStart } from './start-time.ts'
import { checkAction, emitBookingEvent, endBooking, getBookingForUpdate } from './transitions.ts'

interface OperatorAct {
  id: string
  reason: string
  by: OperatorId
}

/** In whose place the operator acts. */
export const ACTED_FOR = ['customer', 'pro'] as const
export type ActedFor = (typeof ACTED_FOR)[number]

/** The pro of the booking. Throws booking_not_found. */
async function getProOf(ctx: TxCtx, id: string): Promise<string> {
  const professionalId = await findProfessionalOf(ctx, { access: 'system', id })
  if (professionalId === undefined) throw new AppError('booking_not_found', 'There is no booking with this id.')
  return professionalId
}

/**
 * Moves a confirmed booking to another time on the pro's clock. Both are told, and cancelling costs the customer what it cost
 * before. Throws booking_not_found, invalid_transition, validation_failed and slot_unavailable.
 */
export const moveBookingAsOperator = (
  ctx: Ctx,
  { id, date, time, reason, by }: OperatorAct & { date: string; time: string },
): Promise<void> =>
  ctx.transaction('moveBookingAsOperator', async (ctx) => {
    const professionalId = await getProOf(ctx, id)
    // Before the row, in the same order as every change of a schedule.
    await lockSchedule(ctx, { professionalId })
    const now = ctx.clock.now()
    const locked = await getBookingForUpdate(ctx, { access: 'system', id, now })
    checkAction(locked, 'reschedule', now)
    const { baseUrl } = ctx.config
    const moved = await rescheduleTo(ctx, { start: localStart(date, time), isLate: false, now, baseUrl, id })
    if (moved.outcome === 'unchanged') throw invalidField('time', 'is the time that the booking has')
    if (moved.outcome !== 'rescheduled') throw rescheduleRefusal(moved, 'date')
    const event = { booking: locked, saved: moved, id: ctx.ids.uuid(), createdAt: now }
    await emitBookingEvent(ctx, { ...event, action: 'reschedule' })
    const details = { from: locked.startsAt, date, time }
    await recordAction(ctx, { action: 'booking.moved', subjectId: id, professionalId, by, reason, details })
  })

/**
 * Cancels a booking in the place of its customer or its pro. Both are told. For the customer the payment is kept as the terms
 * say, unless all is refunded; for the pro all is refunded, also after the start. Throws booking_not_found and invalid_transition.
 */
export async function cancelBookingAsOperator(
  ctx: Ctx,
  { id, actedFor, refundsAll, reason, by }: OperatorAct & { actedFor: ActedFor; refundsAll: boolean },
): Promise<void> {
  const refundId = await ctx.transaction('cancelBookingAsOperator', async (ctx) => {
    const professionalId = await getProOf(ctx, id)
    await lockJobOfVisit(ctx, { bookingId: id })
    const now = ctx.clock.now()
    const booking = await getBookingForUpdate(ctx, { access: 'system', id, now })
    const keep = actedFor === 'customer' && !refundsAll && keepsPayment(booking, now)
    const ended = { reason, refund: 'cancelled', keep, by: actedFor } as const
    const refundId = await endBooking(ctx, { ...ended, booking, action: 'cancel' })
    // The event tells a pro of what others cancelled only.
    if (actedFor === 'pro') await tellProOfCancellation(ctx, { id, now })
    const details = { actedFor, refundsAll }
    await recordAction(ctx, { action: 'booking.cancelled', subjectId: id, professionalId, by, reason, details })
    return refundId
  })
  await tryRefund(ctx, { refundId })
}

/** Keeps a note of operators about a booking; only they see it. Throws booking_not_found. */
export const noteOnBooking = (ctx: Ctx, { id, reason, by }: OperatorAct): Promise<void> =>
  ctx.transaction('noteOnBooking', async (ctx) => {
    const professionalId = await getProOf(ctx, id)
    await recordAction(ctx, { action: 'booking.noted', subjectId: id, professionalId, by, reason })
  })
