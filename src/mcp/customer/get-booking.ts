// get_booking: a booking in its present state, for the holder of its link, a signed-in customer, or a reader of its code.
import { Type } from '@sinclair/typebox'

import type { CustomerCaller } from '../../auth/caller.ts'
import type { Ctx } from '../../ctx.ts'
import { Booking, BookingByCode } from '../../features/booking/bookings/schemas.ts'
import { getCustomerTerms } from '../../features/booking/bookings/verbs/customer-actions.ts'
import { getBookingByCode, listBookingsOfCustomer } from '../../features/booking/bookings/verbs/find-booking.ts'
import { findPaymentsDue } from '../../payments/verbs/payments.ts'
import { minutesLeft } from '../../platform/clock/dates.ts'
import { Natural } from '../../platform/schema/numbers.ts'
import { Nullable, Uri } from '../../platform/schema/types.ts'
import { plural } from '../../platform/text/format.ts'
import { page, pick } from '../server/results.ts'
import { defineCustomerTool, described } from '../server/tool.ts'
import { bookingFields, getNamedBooking, signInPage } from './whose-booking.ts'

const MAX_LISTED = 20

const { status, scheduledDate, scheduledTime, localTime } = Booking.properties

const BriefBooking = Type.Object({
  bookingId: Type.String(),
  status,
  scheduledDate,
  scheduledTime,
  localTime,
  service: Type.String(),
  businessName: Type.String(),
})

export const getBooking = defineCustomerTool({
  name: 'get_booking',
  title: 'See a booking',
  description:
    'The present state of a booking: `localTime`, price, payment, a time that the pro proposes, and (not by confirmationCode, which only reads) whether it can be moved and what cancelling costs. For a signed-in customer without arguments: their bookings.',
  access: 'read',
  quotes: 'names and notes',
  guessable: 'confirmationCode',
  input: Type.Object(
    {
      ...bookingFields,
      confirmationCode: Type.Optional(described(BookingByCode.properties.code)),
      offset: page.offset,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    booking: Type.Optional(Booking),
    canMove: Type.Optional(Type.Boolean()),
    cancellationCost: Type.Optional(
      Type.Number({ description: 'What cancelling now keeps of the payment, in dollars' }),
    ),
    manageUrl: Type.Optional(Uri()),
    payUrl: Type.Optional(Nullable(Uri())),
    minutesLeft: Type.Optional(Nullable(Natural(), { description: 'To pay, before the time is free again' })),
    bookings: Type.Optional(Type.Array(BriefBooking)),
    total: Type.Optional(Natural()),
  }),
  askBefore: (ctx, { bookingId }) => Promise.resolve(signInPage(ctx, ctx.actor, bookingId)),
  call: async (ctx, { confirmationCode, offset = 0, ...named }) => {
    if (confirmationCode !== undefined) {
      const reader = ctx.actor.customer ?? { accountId: ctx.actor.accountId }
      return { booking: await getBookingByCode(ctx, { code: confirmationCode, reader }) }
    }
    if (ctx.actor.customer && Object.keys(named).length === 0) return await listOwn(ctx.as(ctx.actor.customer), offset)
    const { booking, manageUrl } = await getNamedBooking(ctx, named)
    // Where agents take no payments, they name neither the page to pay on nor the time left to pay.
    const payment = ctx.config.sellsNothing
      ? undefined
      : (await findPaymentsDue(ctx, { bookings: [booking] })).get(booking.id)
    const { canReschedule, cancellationCost } = await getCustomerTerms(ctx, { id: booking.id })
    return {
      booking,
      canMove: canReschedule,
      cancellationCost,
      manageUrl,
      payUrl: payment?.payUrl ?? null,
      minutesLeft: payment ? minutesLeft(payment.expiresAt, ctx.clock.now()) : null,
    }
  },
  next: ({ booking, bookings, canMove, payUrl, minutesLeft }) => {
    if (bookings) return bookings.length > 0 ? 'See one with its bookingId.' : 'No bookings.'
    if (payUrl) return `Not confirmed yet: the person pays on ${payUrl} within ${plural(minutesLeft ?? 0, 'minute')}.`
    const proposed = canMove === undefined ? null : booking?.proposedTime
    if (proposed && proposed.declinedAt === null)
      return `The pro proposes another time: ${proposed.localTime}. If the person agrees: reschedule_booking with startDateTime ${proposed.startDateTime}.`
    return canMove ? 'To change it: reschedule_booking or cancel_booking.' : undefined
  },
})

/** The bookings to come, the next one first, and then the earlier ones, the latest first, in pages. */
async function listOwn(ctx: Ctx<CustomerCaller>, offset: number) {
  const { bookings, meta } = await listBookingsOfCustomer(ctx, { limit: MAX_LISTED, offset })
  return { bookings: bookings.map(brief), total: meta.total }
}

const brief = ({ id, service, professional, ...rest }: Booking) =>
  pick(BriefBooking, { ...rest, bookingId: id, service: service.name, businessName: professional.businessName })
