// A booking as operators see it: everything about it on one page, and what they send once more.
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { PaymentDetail } from '../../money/operator-refunds/schemas.ts'
import { getPaymentDetail } from '../../money/operator-refunds/verbs.ts'
import { type AuditEntry, type OperatorId, listActions, recordAction } from '../../upkeep/audit/verbs.ts'
import type { ProBooking } from '../bookings/schemas.ts'
import { getProBooking } from '../bookings/verbs/find-booking.ts'
import * as statements from './queries.sql.ts'

export type BookingParties = NonNullable<Awaited<ReturnType<typeof statements.findParties>>>
export type BookingEvent = Awaited<ReturnType<typeof statements.selectEvents>>[number]
export type StoryMessage = Awaited<ReturnType<typeof statements.selectMessages>>[number]
export type StoryDelivery = Awaited<ReturnType<typeof statements.selectDeliveries>>[number]

/** Lists have the latest first. Events are those of the last days, deliveries those that are kept. */
export interface BookingStory {
  readonly booking: ProBooking
  readonly parties: BookingParties
  readonly payment: PaymentDetail | undefined
  readonly events: readonly BookingEvent[]
  readonly messages: readonly StoryMessage[]
  readonly deliveries: readonly StoryDelivery[]
  readonly actions: readonly AuditEntry[]
}

/** Throws booking_not_found. */
export async function getBookingStory(ctx: Ctx, { id }: { id: string }): Promise<BookingStory> {
  const parties = await statements.findParties(ctx, { id })
  if (!parties) throw new AppError('booking_not_found', 'There is no booking with this id.')
  const { professionalId, paymentId } = parties
  const [booking, payment, events, messages, deliveries, actions] = await Promise.all([
    getProBooking(ctx, { professionalId, id }),
    paymentId === null ? undefined : getPaymentDetail(ctx, { id: paymentId }),
    statements.selectEvents(ctx, { id }),
    statements.selectMessages(ctx, { id }),
    statements.selectDeliveries(ctx, { id }),
    listActions(ctx, { subjectId: id }),
  ])
  return { booking, parties, payment, events, messages, deliveries, actions }
}

/**
 * Sends a message about the booking now: one that waits or was given up, or a copy of one that was sent. Throws
 * invalid_transition for one that is not of the booking, is not due yet, or had a secret that is gone.
 */
export const resendBookingMessage = (
  ctx: Ctx,
  { id, messageId, by }: { id: string; messageId: number; by: OperatorId },
): Promise<void> =>
  ctx.transaction('resendBookingMessage', async (ctx) => {
    const now = ctx.clock.now()
    const [waiting] = await statements.hastenMessage(ctx, { id, messageId, now })
    const [sent] = waiting ? [waiting] : await statements.copyMessage(ctx, { id, messageId, now, key: ctx.ids.uuid() })
    if (!sent)
      throw new AppError(
        'invalid_transition',
        'This message cannot be sent again: it is not due yet, or its content is no longer kept.',
      )
    const details = { messageId, kind: sent.kind }
    const { professionalId } = sent
    await recordAction(ctx, { action: 'message.resent', subjectId: id, professionalId, by, details })
  })

/** Logs that an event of the booking is sent to an endpoint once more, and returns whose it is. Throws delivery_not_found. */
export const recordResentDelivery = (
  ctx: Ctx,
  { id, endpointId, eventId, by }: { id: string; endpointId: string; eventId: string; by: OperatorId },
): Promise<{ accountId: string }> =>
  ctx.transaction('recordResentDelivery', async (ctx) => {
    const found = await statements.findDelivery(ctx, { id, endpointId, eventId })
    if (!found) throw new AppError('delivery_not_found', 'The booking has no such delivery.')
    const { accountId, professionalId } = found
    const details = { endpointId, eventId }
    await recordAction(ctx, { action: 'delivery.resent', subjectId: id, professionalId, by, details })
    return { accountId }
  })
