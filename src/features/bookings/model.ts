// The shapes of bookings. Spec §2 and §4.2.
import { type Static, Type } from '@sinclair/typebox'

import {
  CalendarDate,
  ClockTime,
  Email,
  FreeText,
  Instant,
  Name,
  Nullable,
  OneOf,
  Uuid,
} from '../../platform/schema.ts'

/** Where a request came from. */
export const Source = OneOf(['web', 'api', 'chatgpt', 'gemini', 'perplexity', 'agent'], { default: 'api' })

export const Address = Type.Object(
  {
    street: Type.Optional(Type.String({ maxLength: 200 })),
    city: Type.Optional(Type.String({ maxLength: 200 })),
    state: Type.Optional(Type.String({ maxLength: 200 })),
    zipCode: Type.Optional(Type.String({ maxLength: 20 })),
  },
  { $id: 'Address', additionalProperties: false },
)

export const Customer = Type.Object(
  { name: Name(), email: Email(), phone: Type.Optional(Type.String({ maxLength: 50 })) },
  { $id: 'Customer', additionalProperties: false },
)

export const NewBooking = Type.Object(
  {
    professionalId: Uuid(),
    serviceId: Uuid(),
    date: CalendarDate({ description: 'The day on the pro’s calendar' }),
    time: ClockTime({ description: 'HH:MM on the pro’s clock' }),
    duration: Type.Optional(
      Type.Integer({
        minimum: 15,
        maximum: 720,
        multipleOf: 5,
        description: 'Minutes; the pro’s default slot unless given',
      }),
    ),
    customer: Customer,
    address: Type.Optional(Address),
    description: Type.Optional(FreeText({ description: 'Notes on the job' })),
    source: Type.Optional(Source),
    sourceAgentId: Type.Optional(Type.String({ maxLength: 200, description: 'Which AI agent is calling' })),
  },
  { $id: 'NewBooking', additionalProperties: false },
)
export type NewBooking = Static<typeof NewBooking>

const BookedService = Type.Object({ id: Type.String(), name: Type.String() })

export const BookingReceipt = Type.Object(
  {
    id: Type.String(),
    confirmationCode: Type.String({ description: '`HTH-` and 12 characters; whoever has it can see the booking' }),
    status: OneOf(['pending', 'confirmed', 'cancelled']),
    scheduledAt: Instant(),
    durationMinutes: Type.Integer(),
    service: BookedService,
    professional: Type.Object({
      id: Type.String(),
      slug: Type.String(),
      businessName: Type.String(),
      phone: Nullable(Type.String()),
      location: Type.String(),
    }),
  },
  { $id: 'BookingReceipt' },
)
export type BookingReceipt = Static<typeof BookingReceipt>

export const BookingCreated = Type.Object(
  {
    success: Type.Boolean(),
    booking: BookingReceipt,
    depositRequired: Type.Boolean(),
    depositPercentage: Nullable(Type.Number()),
    nextSteps: Type.Array(Type.String()),
    cancellationPolicy: Type.String(),
  },
  { $id: 'BookingCreated' },
)
export type BookingCreated = Static<typeof BookingCreated>

export const Booking = Type.Object(
  {
    id: Type.String(),
    confirmationCode: Type.String(),
    status: OneOf(['pending', 'confirmed', 'completed', 'no_show', 'cancelled']),
    scheduledDate: CalendarDate(),
    scheduledTime: Type.String({ description: 'HH:MM on the pro’s clock' }),
    durationMinutes: Type.Integer(),
    service: BookedService,
    professional: Type.Object({
      id: Type.String(),
      businessName: Type.String(),
      phone: Nullable(Type.String()),
      location: Type.String(),
    }),
    customer: Type.Object({ name: Type.String(), email: Type.String() }),
    description: Nullable(Type.String()),
    createdAt: Instant(),
    confirmedAt: Nullable(Instant()),
    cancelledAt: Nullable(Instant()),
  },
  { $id: 'Booking' },
)
export type Booking = Static<typeof Booking>

export const BookingAnswer = Type.Object({ booking: Booking }, { $id: 'BookingAnswer' })

export const BookingByCode = Type.Object({
  code: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'The confirmation code',
    examples: ['HTH-0123456789AB'],
  }),
})

export const BookingParams = Type.Object({ id: Uuid() })
