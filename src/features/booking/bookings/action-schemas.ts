// The schemas of what customers and pros do with a booking.
import { type Static, Type } from '@sinclair/typebox'

import { Refund } from '../../../payments/schemas.ts'
import {
  CalendarDate,
  ClockTime,
  FreeText,
  Instant,
  Nullable,
  OneOf,
  Text,
  Uuid,
} from '../../../platform/schema/types.ts'
import { Booking, ProBooking } from './schemas.ts'

/** The pro knows the code as well, so it gives no access. Clients may still send it. */
const Code = Type.Optional(Text(40, { minLength: 1, deprecated: true, description: 'Has no effect' }))

export const Cancellation = Type.Object(
  { confirmationCode: Code, reason: Type.Optional(FreeText()) },
  { $id: 'Cancellation', additionalProperties: false },
)
export type Cancellation = Static<typeof Cancellation>

export const BookingCancelled = Type.Object(
  {
    success: Type.Boolean(),
    booking: Booking,
    refund: Nullable(Refund, { description: 'The refund; null when nothing was paid or the payment is kept' }),
    cancellationPolicy: Type.String(),
  },
  { $id: 'BookingCancelled' },
)
export type BookingCancelled = Static<typeof BookingCancelled>

export const Rescheduling = Type.Object(
  {
    confirmationCode: Code,
    date: Type.Optional(CalendarDate({ description: 'With `time`: the new day on the pro’s calendar' })),
    time: Type.Optional(ClockTime({ description: 'With `date`: HH:MM on the pro’s clock' })),
    startDateTime: Type.Optional(Instant({ description: 'Instead of date and time: a whole minute' })),
  },
  { $id: 'Rescheduling', additionalProperties: false },
)
export type Rescheduling = Static<typeof Rescheduling>

export const BookingChanged = Type.Object({ success: Type.Boolean(), booking: Booking }, { $id: 'BookingChanged' })
export type BookingChanged = Static<typeof BookingChanged>

export const ProposedTimeAnswer = Type.Object(
  { answer: OneOf(['agree', 'decline']) },
  { $id: 'ProposedTimeAnswer', additionalProperties: false },
)
export type ProposedTimeAnswer = Static<typeof ProposedTimeAnswer>

export const ProAction = Type.Object(
  {
    action: OneOf(['confirm', 'reject', 'cancel', 'complete', 'no_show', 'assign', 'propose']),
    reason: Type.Optional(
      FreeText({
        description: 'Why the booking is rejected or cancelled; the customer sees it. Required with `cancel`',
      }),
    ),
    date: Type.Optional(CalendarDate({ description: 'With `propose` and `time`: the day on the pro’s calendar' })),
    time: Type.Optional(ClockTime({ description: 'With `propose` and `date`: HH:MM on the pro’s clock' })),
    startDateTime: Type.Optional(Instant({ description: 'With `propose`, instead of date and time: a whole minute' })),
    message: Type.Optional(FreeText({ description: 'With `propose`: a message to the customer' })),
    assignToMemberId: Type.Optional(Uuid({ description: 'With `assign`: an active member of the pro’s team' })),
  },
  { $id: 'ProAction', additionalProperties: false },
)
export type ProAction = Static<typeof ProAction>

export const ProBookingChanged = Type.Object(
  { success: Type.Boolean(), booking: ProBooking },
  { $id: 'ProBookingChanged' },
)
export type ProBookingChanged = Static<typeof ProBookingChanged>
