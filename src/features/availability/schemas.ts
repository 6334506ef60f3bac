// The shapes of availability. Spec §2 and §4.2.
import { type Static, Type } from '@sinclair/typebox'

import { CalendarDate, Instant, Nullable, OneOf, Uri, Uuid } from '../../platform/schema/types.ts'

const Slot = Type.Object(
  {
    start: Type.String({ description: 'HH:MM, local time of the pro' }),
    end: Type.String({ description: 'HH:MM, local time of the pro; 24:00 at midnight' }),
    available: Type.Boolean(),
  },
  { $id: 'Slot' },
)

const NextAvailable = Type.Object(
  { date: CalendarDate(), time: Type.String(), bookingUrl: Uri() },
  { $id: 'NextAvailable' },
)

const bookable = {
  bookable: Type.Boolean({ description: 'Whether the service can be booked at once. If not, no times are listed' }),
  obstacle: Nullable(
    Type.Object({
      reason: OneOf(['instant_booking_off', 'service_unpriced', 'service_too_long']),
      detail: Type.String({ description: 'Why, and what to do instead' }),
      quoteUrl: Uri({ description: 'The page where a person can ask this pro for a quote' }),
    }),
    { description: 'Why the service cannot be booked at once; null if it can' },
  ),
}
const Bookable = Type.Object(bookable)
export type Bookable = Static<typeof Bookable>

export const Availability = Type.Object(
  {
    professionalId: Type.String(),
    slug: Type.String(),
    businessName: Type.String(),
    instantBookingEnabled: Type.Boolean({
      description: 'Whether the service, or without one any service of the pro, can be booked at once',
    }),
    slotDurationMinutes: Type.Integer({
      description: 'The length of the slots: that of the service, or the pro’s default',
    }),
    leadTimeHours: Type.Integer(),
    timezone: Type.String({ description: 'IANA time zone of all dates and times in this response' }),
    availability: Type.Array(Type.Object({ date: CalendarDate(), dayOfWeek: Type.String(), slots: Type.Array(Slot) })),
    nextAvailable: Nullable(NextAvailable, {
      description: 'The first open slot from `date` on, within 60 days; null also when nothing can be booked at once',
    }),
    service: Nullable(
      Type.Object({ id: Type.String(), name: Type.String(), durationMinutes: Type.Integer(), ...bookable }),
      { description: 'The service of the query; null without one' },
    ),
  },
  { $id: 'Availability' },
)

export const AvailabilityQuery = Type.Object({
  date: Type.Optional(CalendarDate({ description: 'The first day; defaults to today in the pro’s time zone' })),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 14, default: 1 })),
  serviceId: Type.Optional(
    Uuid({
      description: 'Lists only times that can be booked for this service, in its length; without it, in default slots',
    }),
  ),
})
export type AvailabilityQuery = Static<typeof AvailabilityQuery>
export type Availability = Static<typeof Availability>

export const ServiceAvailability = Type.Object(
  {
    professionalId: Type.String(),
    serviceId: Type.String(),
    date: CalendarDate(),
    timezone: Type.String(),
    durationMinutes: Type.Integer({ description: 'How long the service takes with this pro' }),
    slots: Type.Array(
      Type.Object({ start: Type.String(), end: Type.String(), startDateTime: Instant(), available: Type.Boolean() }),
    ),
    nextAvailable: Nullable(NextAvailable),
    ...bookable,
  },
  { $id: 'ServiceAvailability' },
)

export const ServiceAvailabilityQuery = Type.Object({
  professionalId: Uuid(),
  serviceId: Uuid(),
  date: CalendarDate(),
})
export type ServiceAvailabilityQuery = Static<typeof ServiceAvailabilityQuery>
