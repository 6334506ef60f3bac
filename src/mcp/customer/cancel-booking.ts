// cancel_booking: POST /bookings/{id}/cancel for a model.
import { Type } from '@sinclair/typebox'

import { AppError } from '../../errors/app-error.ts'
import { BookingCancelled, Cancellation } from '../../features/booking/bookings/action-schemas.ts'
import { Booking } from '../../features/booking/bookings/schemas.ts'
import { cancelBooking as cancel, getCustomerTerms } from '../../features/booking/bookings/verbs/customer-actions.ts'
import { MAX_DOLLARS } from '../../features/quoting/quotes/schemas.ts'
import { Decimal } from '../../platform/schema/numbers.ts'
import { shortMoney } from '../../platform/text/format.ts'
import { defineCustomerTool } from '../server/tool.ts'
import { bookingFields, getNamedBooking, signInPage } from './whose-booking.ts'

const { status, cancelledAt } = Booking.properties

export const cancelBooking = defineCustomerTool({
  name: 'cancel_booking',
  title: 'Cancel a booking',
  description:
    'Cancel a booking, after the person agreed. Paid money is refunded, but late cancelling keeps it: get_booking shows that as cancellationCost; send it as acceptedCost if the person accepts it.',
  access: 'write',
  hints: { destructive: true, idempotent: true, openWorld: true },
  idempotent: true,
  input: Type.Object(
    {
      ...bookingFields,
      reason: Cancellation.properties.reason,
      acceptedCost: Type.Optional(
        Decimal({
          minimum: 0,
          maximum: MAX_DOLLARS,
          description: 'Dollars of the payment that the person accepts to lose; default 0',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    bookingId: Type.String(),
    status,
    cancelledAt,
    refund: BookingCancelled.properties.refund,
    cancellationPolicy: Type.String(),
  }),
  askBefore: async (ctx, { acceptedCost = 0, manageUrl, bookingId }) => {
    const signIn = signInPage(ctx, ctx.actor, bookingId)
    if (signIn) return signIn
    const { booking } = await getNamedBooking(ctx, { manageUrl, bookingId })
    const { cancellationCost } = await getCustomerTerms(ctx, { id: booking.id })
    if (cancellationCost > acceptedCost || booking.status === 'cancelled') return undefined
    const { service, professional, localTime } = booking
    const kept = cancellationCost > 0 ? ` ${shortMoney(cancellationCost)} of the payment is kept.` : ''
    return `Cancel ${service.name} with ${professional.businessName} on ${localTime}?${kept}`
  },
  call: async (ctx, { reason, acceptedCost = 0, ...named }) => {
    const { booking, by } = await getNamedBooking(ctx, named)
    const { cancellationCost } = await getCustomerTerms(ctx, { id: booking.id })
    if (cancellationCost > acceptedCost)
      throw new AppError(
        'cancellation_costs',
        `Cancelling now keeps ${shortMoney(cancellationCost)} of the payment. If the person accepts that, call again with acceptedCost ${cancellationCost}.`,
        { extensions: { cancellationCost } },
      )
    const input = reason === undefined ? {} : { reason }
    const cancelled = await cancel(ctx.as(by), { ...input, id: booking.id })
    return {
      bookingId: booking.id,
      status: cancelled.booking.status,
      cancelledAt: cancelled.booking.cancelledAt,
      refund: cancelled.refund,
      cancellationPolicy: cancelled.cancellationPolicy,
    }
  },
  next: ({ refund }) =>
    refund ? `Cancelled. $${refund.amount} goes back to the way it was paid.` : 'Cancelled. Nothing is refunded.',
})
