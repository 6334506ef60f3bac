// reschedule_booking: POST /bookings/{id}/reschedule for a model; also agrees to the time that the pro proposes.
import { type Static, Type } from '@sinclair/typebox'

import { freeUntilText, isLaterVisit } from '../../features/booking/bookings/rules/cancellation.ts'
import { BookingStart, Booking } from '../../features/booking/bookings/schemas.ts'
import { rescheduleBooking as reschedule } from '../../features/booking/bookings/verbs/customer-actions.ts'
import { findBooking } from '../../features/booking/bookings/verbs/find-booking.ts'
import { answerProposedTime } from '../../features/booking/bookings/verbs/proposed-times.ts'
import { cancellingText } from '../../platform/text/cancelling.ts'
import { pick } from '../server/results.ts'
import { defineCustomerTool } from '../server/tool.ts'
import { bookingFields, getNamedBooking, signInPage } from './whose-booking.ts'

const {
  confirmationCode,
  status,
  scheduledDate,
  scheduledTime,
  timeZone,
  localTime,
  durationMinutes,
  freeCancellationUntil,
} = Booking.properties
const Moved = Type.Object({
  bookingId: Type.String(),
  confirmationCode,
  status,
  scheduledDate,
  scheduledTime,
  timeZone,
  localTime,
  durationMinutes,
  freeCancellationUntil,
})

export const rescheduleBooking = defineCustomerTool({
  name: 'reschedule_booking',
  title: 'Move a booking',
  description:
    'Move a confirmed booking to another open time, after the person agreed. For open times: query_availability with the booking’s professional.id and service.id (and package.id). The length and price stay. Times with lateCancellation keep the payment if cancelled: say so before. Also agrees to the time that the pro proposes.',
  access: 'write',
  hints: { destructive: true, idempotent: true, openWorld: true },
  idempotent: true,
  input: Type.Object(
    { ...bookingFields, startDateTime: BookingStart.properties.startDateTime },
    { additionalProperties: false },
  ),
  output: Moved,
  askBefore: async (ctx, { startDateTime, ...named }) => {
    const signIn = signInPage(ctx, ctx.actor, named.bookingId)
    if (signIn) return signIn
    const { booking } = await getNamedBooking(ctx, named)
    return lateMove(booking, startDateTime, ctx.clock.now())
  },
  call: async (ctx, { startDateTime, ...named }) => {
    const { booking, by } = await getNamedBooking(ctx, named)
    const { id, proposedTime } = booking
    const isProposed = proposedTime && Date.parse(proposedTime.startDateTime) === Date.parse(startDateTime)
    const result =
      isProposed && proposedTime.declinedAt === null
        ? await answerProposedTime(ctx.as(by), { answer: 'agree', id })
        : await reschedule(ctx.as(by), { startDateTime, id })
    // Reads the booking again, because a replay returns it as it was at the first call.
    const viewer = { accountId: null, professionalId: booking.professional.id }
    const now = await findBooking(ctx.as(viewer), { id, now: ctx.clock.now() })
    const stored = result
    return moved(now ?? stored.booking)
  },
  next: ({ status, localTime }) => (status === 'confirmed' ? `The visit is on ${localTime}.` : undefined),
})

/** The question before a move to a time that cannot be cancelled free of charge; undefined for others. */
function lateMove(booking: Booking, startsAt: string, now: Date) {
  const { balance, freeCancellationHours: hours, timeZone } = booking
  const until = freeUntilText({ startsAt, timeZone, hours }, now)
  return balance.refundable > 0 && until === null && !isLaterVisit(booking)
    ? `Move the booking? ${cancellingText({ due: balance.refundable, until })}`
    : undefined
}

const moved = ({ id, ...rest }: Booking): Static<typeof Moved> => pick(Moved, { ...rest, bookingId: id })
