// The shapes of availability. Spec §2 and §4.2.
import { OBSTACLES } from '../../booking/bookings/rules/bookable.ts'
import { type Static, Type } from '@sinclair/typebox'

import { Integer, Natural } from '../../../platform/schema/numbers.ts'
import { LocalTime, inWords } from '../../../platform/schema/local-time.ts'
import { Price } from '../../../platform/schema/price.ts'
import { CalendarDate, Instant, Nullable, OneOf, Uri, Uuid } from '../../../platform/schema/types.ts'

const Slot = Type.Object(
  {
    start: Type.String({ description: 'HH:MM, local time of the pro' }),
    end: Type.String({ description: 'HH:MM, local time of the pro; 24:00 at midnight' }),
    startDateTime: Instant({ description: 'The start as an instant, as POST /bookings/create takes it' }),
    available: Type.Boolean(),
    freeCancellationUntil: Type.Optional(
      Nullable(Instant(), {
        description:
          'Of an available time: until when cancelling returns what is paid when booking; null if that is over for this time',
      }),
    ),
    freeCancellationLocal: Type.Optional(Nullable(inWords('The same as people there say it'))),
  },
  { $id: 'Slot' },
)

const timeZoneName = Type.String({ description: 'What people call the time zone', examples: ['Central Time'] })

const NextAvailable = Type.Object(
  { date: CalendarDate(), time: Type.String(), localTime: LocalTime.localTime, bookingUrl: Uri() },
  { $id: 'NextAvailable' },
)

const terms = {
  price: Type.Object(Price.properties, { description: 'What a booking agrees on' }),
  deposit: Nullable(Type.Number(), {
    description: 'The deposit that is paid when booking, in dollars; 0 for none, null if the price is not known',
  }),
  fee: Type.Number({
    description: 'The fee of POST /bookings/create and of packages, in dollars. POST /bookings takes none',
  }),
  dueNow: Nullable(Type.Number(), {
    description:
      'What is paid when booking, in dollars: the deposit, and of a package the fee; null if it is not known',
  }),
  dueAtVisit: Nullable(Type.Number(), {
    description: 'The rest of `price.total`, paid to the pro; null while the price is not known to the cent',
  }),
  cancellation: Nullable(Type.String(), {
    description:
      'What cancelling costs, in a sentence; of one time see its `freeCancellationUntil`. Null if it cannot be booked',
  }),
  bookable: Type.Boolean({ description: 'Whether it can be booked at once. If not, no times are listed' }),
  obstacle: Nullable(
    Type.Object({
      reason: OneOf(OBSTACLES, {
        description: 'The code of the error that a booking answers',
      }),
      detail: Type.String(),
      quoteUrl: Uri({ description: 'The page where a person can ask this pro for a quote for the service' }),
    }),
    { description: 'Why it cannot be booked at once; null if it can. Ask for a quote: POST /rfqs, or at `quoteUrl`' },
  ),
}

/** A service or package of a pro, with what a booking of it costs and takes. */
const ChosenOffer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    package: Nullable(Type.Object({ id: Type.String(), name: Type.String(), includes: Type.Array(Type.String()) })),
    durationMinutes: Natural({ description: 'How long it takes with this pro' }),
    ...terms,
  },
  { $id: 'ChosenOffer' },
)
export type ChosenOffer = Static<typeof ChosenOffer>

export const Availability = Type.Object(
  {
    professionalId: Type.String(),
    slug: Type.String(),
    businessName: Type.String(),
    instantBookingEnabled: Type.Boolean({
      description: 'Whether the service or package, or without one any service of the pro, can be booked at once',
    }),
    slotDurationMinutes: Natural({
      description: 'The length of the slots: that of the service or package, or the pro’s default',
    }),
    leadTimeHours: Natural(),
    timezone: Type.String({ description: 'IANA time zone of all dates and times in this response' }),
    timeZoneName,
    availability: Type.Array(Type.Object({ date: CalendarDate(), dayOfWeek: Type.String(), slots: Type.Array(Slot) })),
    nextAvailable: Nullable(NextAvailable, {
      description: 'The first open slot from `date` on, within 60 days; null also when nothing can be booked at once',
    }),
    service: Nullable(ChosenOffer, { description: 'The service of the query, or of its package; null without one' }),
  },
  { $id: 'Availability' },
)

export const AvailabilityQuery = Type.Object({
  date: Type.Optional(CalendarDate({ description: 'The first day; defaults to today in the pro’s time zone' })),
  days: Type.Optional(Integer({ minimum: 1, maximum: 14, default: 1 })),
  serviceId: Type.Optional(
    Uuid({
      description: 'Lists only times that can be booked for this service, in its length; without it, in default slots',
    }),
  ),
  packageId: Type.Optional(
    Uuid({ description: 'Lists only times that can be booked for this package of the pro, in its length' }),
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
    timeZoneName,
    durationMinutes: Natural({ description: 'How long the service takes with this pro' }),
    slots: Type.Array(Slot),
    nextAvailable: Nullable(NextAvailable),
    ...terms,
  },
  { $id: 'ServiceAvailability' },
)

export type ServiceAvailability = Static<typeof ServiceAvailability>

export const ServiceAvailabilityQuery = Type.Object({
  professionalId: Uuid(),
  serviceId: Uuid(),
  date: CalendarDate(),
})
export type ServiceAvailabilityQuery = Static<typeof ServiceAvailabilityQuery>
