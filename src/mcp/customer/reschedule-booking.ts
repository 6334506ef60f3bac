// reschedule_booking: POST /bookings/{id}/reschedule for a model; also agrees to the time that the pro proposes.
import { type Static, Type } from '@sinclair/typebox'

import { BookingStart, Booking } from '../../features/bookings/schemas.ts'
import { rescheduleBooking as reschedule } from '../../features/bookings/verbs/customer-actions.ts'
import { findBooking } from '../../features/bookings/verbs/find-booking.ts'
import { answerProposedTime } from '../../features/bookings/verbs/proposed-times.ts'
import { mapValue, pick } from '../server/results.ts'
import { defineCustomerTool } from '../server/tool.ts'
import { bookingFields, getNamedBooking, signInPage } from './whose-booking.ts'

const { confirmationCode, status, scheduledDate, scheduledTime, durationMinutes, freeCancellationUntil } =
  Booking.properties
const Moved = Type.Object({
  bookingId: Type.String(),
  confirmationCode,
  status,
  scheduledDate,
  scheduledTime,
  durationMinutes,
  freeCancellationUntil,
})

export const rescheduleBooking = defineCustomerTool({
  name: 'reschedule_booking',
  title: 'Move a booking',
  description:
    'Move a confirmed booking to another open time, after the person agreed. For open times: query_availability with the booking’s professional.id and service.id (and package.id). The length and price stay. Also agrees to the time that the pro proposes.',
  access: 'write',
  hints: { destructive: true, idempotent: true, openWorld: true },
  idempotent: true,
  input: Type.Object(
    { ...bookingFields, startDateTime: BookingStart.properties.startDateTime },
    { additionalProperties: false },
  ),
  output: Moved,
  askBefore: (deps, caller, { bookingId }) => Promise.resolve(signInPage(deps, caller, bookingId)),
  call: async (deps, caller, { startDateTime, ...named }, { idempotency }) => {
    const { booking, by } = await getNamedBooking(deps, caller, named)
    const { id, proposedTime } = booking
    const isProposed = proposedTime && Date.parse(proposedTime.startDateTime) === Date.parse(startDateTime)
    const result =
      isProposed && proposedTime.declinedAt === null
        ? await answerProposedTime(deps, by, id, { answer: 'agree' }, idempotency)
        : await reschedule(deps, by, id, { startDateTime }, idempotency)
    // A replay stored the booking as it was then.
    const viewer = { accountId: null, professionalId: booking.professional.id }
    const now = await findBooking(deps.write, viewer, id, deps.clock.now())
    return mapValue(result, (stored) => moved(now ?? stored.booking))
  },
  next: ({ status, scheduledDate, scheduledTime }) =>
    status === 'confirmed' ? `The visit is on ${scheduledDate} at ${scheduledTime}, on the pro’s clock.` : undefined,
})

const moved = ({ id, ...rest }: Booking): Static<typeof Moved> => pick(Moved, { ...rest, bookingId: id })
