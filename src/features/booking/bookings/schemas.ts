// The schemas of bookings (spec §2 and §4.2).
import { type Static, Type } from '@sinclair/typebox'

import { Integer, Natural } from '../../../platform/schema/numbers.ts'
import {
  CalendarDate,
  ClockTime,
  Email,
  FreeText,
  Instant,
  Name,
  Nullable,
  OneOf,
  Text,
  Uri,
  Uuid,
} from '../../../platform/schema/types.ts'
import { Price } from '../../../platform/schema/price.ts'
import { LocalTime } from '../../../platform/schema/local-time.ts'
import { PageMeta, pageParameters } from '../../../platform/schema/paging.ts'
import { Balance, BookingPayment, MaybePaymentDue } from '../../../payments/schemas.ts'
import { JobOfVisit, ProposedTime } from './parts.ts'

/** The interface that a request came from. */
export const Source = OneOf(['web', 'api', 'chatgpt', 'gemini', 'perplexity', 'agent'], { default: 'api' })
export type Source = Static<typeof Source>

export const Address = Type.Object(
  {
    street: Type.Optional(Text(200)),
    city: Type.Optional(Text(200)),
    state: Type.Optional(Text(200)),
    zipCode: Type.Optional(Text(20)),
  },
  { $id: 'Address', additionalProperties: false },
)

export const Customer = Type.Object(
  { name: Name(), email: Email(), phone: Type.Optional(Text(50)) },
  { $id: 'Customer', additionalProperties: false },
)

const minutes = (description: string) => Integer({ minimum: 15, maximum: 720, multipleOf: 5, description })

const OnlyInServiceArea = Type.Optional(
  Type.Boolean({
    description: 'Refuse (409) an address outside the pro’s `serviceRadius`, which else awaits approval',
  }),
)

/** Of a request by a signed-in customer. */
export const NotifyEmail = Type.Optional(
  Email({ description: 'Of the person who is visited, if a signed-in customer books for another: told of the visit' }),
)

export const NewBooking = Type.Object(
  {
    professionalId: Uuid(),
    serviceId: Uuid(),
    date: CalendarDate({ description: 'The day on the pro’s calendar' }),
    time: ClockTime({ description: 'HH:MM on the pro’s clock' }),
    duration: Type.Optional(minutes('Minutes, for a listed time its length; defaults to the pro’s default slot')),
    customer: Customer,
    address: Type.Optional(Address),
    notifyEmail: NotifyEmail,
    description: Type.Optional(FreeText({ description: 'Notes on the job' })),
    onlyInServiceArea: OnlyInServiceArea,
    source: Type.Optional(Source),
    sourceAgentId: Type.Optional(Text(200, { description: 'The AI agent that calls' })),
  },
  { $id: 'NewBooking', additionalProperties: false },
)
export type NewBooking = Static<typeof NewBooking>

/** Spec §4.2, POST /bookings/create. */
export const BookingStart = Type.Object(
  {
    professionalId: Uuid(),
    serviceId: Uuid(),
    startDateTime: Instant({ description: 'The start, a whole minute' }),
    durationMinutes: Type.Optional(
      minutes('Defaults to the length of the service. A package has its own length: leave it out'),
    ),
    guestName: Name(),
    guestEmail: Email(),
    guestPhone: Type.Optional(Text(50)),
    notifyEmail: NotifyEmail,
    address: Type.Optional(Address),
    description: Type.Optional(FreeText({ description: 'Notes on the job' })),
    zipCode: Type.Optional(Text(20, { description: 'Where the job is, if `address` does not say it' })),
    onlyInServiceArea: OnlyInServiceArea,
    packageId: Type.Optional(
      Uuid({
        description: 'A package of this pro and service, which sets duration and price. Needs the scope packages:book',
      }),
    ),
  },
  { $id: 'BookingStart', additionalProperties: false },
)
export type BookingStart = Static<typeof BookingStart>

const BookedService = Type.Object({ id: Type.String(), name: Type.String() }, { description: 'As it was booked' })

export const AgreedPrice = Type.Object(Price.properties, {
  $id: 'AgreedPrice',
  description: 'The price as it was booked; later changes of the offer do not reach it',
})

const BookedPackage = Nullable(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    includes: Type.Array(Type.String()),
    price: Type.Number(),
  }),
  { description: 'The package as it was booked; null without one' },
)

const InServiceArea = Nullable(Type.Boolean(), {
  description: 'Whether the pro comes to the address, by `serviceRadius`; null where it is not known',
})

const FreeCancellationHours = Natural({ description: 'Hours before the start, as agreed' })

const FreeCancellationUntil = Nullable(Instant(), {
  description:
    'Cancelling later keeps the payment. Null after a move that was made too late: then it is kept at any time',
})

export const BookingReceipt = Type.Object(
  {
    id: Type.String(),
    confirmationCode: Type.String({
      description: '`HTH-` and 12 characters. Anyone with the code, also the pro, can see the booking',
    }),
    status: OneOf(['pending', 'confirmed', 'cancelled']),
    scheduledAt: Instant(),
    ...LocalTime,
    durationMinutes: Natural(),
    service: BookedService,
    package: BookedPackage,
    price: AgreedPrice,
    professional: Type.Object({
      id: Type.String(),
      slug: Type.String(),
      businessName: Type.String(),
      phone: Nullable(Type.String()),
      location: Type.String(),
    }),
    fee: Type.Number({ description: 'Paid before confirmation, besides the deposit' }),
    deposit: Type.Number({ description: 'Paid before confirmation; a part of the price' }),
    freeCancellationHours: FreeCancellationHours,
    freeCancellationUntil: FreeCancellationUntil,
    inServiceArea: InServiceArea,
  },
  { $id: 'BookingReceipt' },
)
export type BookingReceipt = Static<typeof BookingReceipt>

export const ManageUrl = Nullable(
  Uri({
    description: 'The page on which the customer sees, moves and cancels the booking. Give it to the customer only',
  }),
  { description: 'Null for the pro’s own key: the customer gets the link by e-mail' },
)

export const BookingCreated = Type.Object(
  {
    success: Type.Boolean(),
    booking: BookingReceipt,
    manageUrl: ManageUrl,
    depositRequired: Type.Boolean(),
    depositPercentage: Nullable(Type.Number()),
    listedDurationMinutes: Type.Optional(
      Natural({
        description: 'As the service’s times are listed; only where the default slot made the booking differ',
      }),
    ),
    payment: MaybePaymentDue,
    nextSteps: Type.Array(Type.String()),
    cancellationPolicy: Type.String(),
  },
  { $id: 'BookingCreated' },
)
export type BookingCreated = Static<typeof BookingCreated>

export const BookingStarted = Type.Object(
  {
    success: Type.Boolean(),
    booking: BookingReceipt,
    manageUrl: ManageUrl,
    clientSecret: Nullable(Type.String({ description: 'The same as in `payment`' })),
    payment: MaybePaymentDue,
    nextSteps: Type.Array(Type.String()),
    cancellationPolicy: Type.String(),
  },
  { $id: 'BookingStarted' },
)
export type BookingStarted = Static<typeof BookingStarted>

export const Booking = Type.Object(
  {
    id: Type.String(),
    confirmationCode: Type.String(),
    status: OneOf(['pending', 'confirmed', 'completed', 'no_show', 'cancelled']),
    scheduledDate: CalendarDate(),
    scheduledTime: Type.String({ description: 'HH:MM on the pro’s clock' }),
    ...LocalTime,
    durationMinutes: Natural(),
    service: BookedService,
    package: BookedPackage,
    price: AgreedPrice,
    professional: Type.Object({
      id: Type.String(),
      businessName: Type.String(),
      phone: Nullable(Type.String()),
      location: Type.String(),
    }),
    customer: Type.Object({ name: Type.String(), email: Type.String() }),
    address: Nullable(Address, { description: 'Where the work is, as given by the customer' }),
    description: Nullable(Type.String()),
    payment: Nullable(BookingPayment, {
      description: 'The fee and deposit; null when nothing was due. Of the visit of a quote: the deposit of the quote',
    }),
    balance: Balance,
    job: Nullable(JobOfVisit, { description: 'The job whose visit it is; null for other bookings' }),
    holdExpiresAt: Nullable(Instant(), { description: 'The payment deadline; null when the time is not held for one' }),
    freeCancellationHours: FreeCancellationHours,
    freeCancellationUntil: FreeCancellationUntil,
    proposedTime: Nullable(ProposedTime, { description: 'Another time that the pro proposes; null without one' }),
    createdAt: Instant(),
    confirmedAt: Nullable(Instant()),
    cancelledAt: Nullable(Instant()),
    cancelledBy: Nullable(OneOf(['customer', 'pro', 'hearth']), {
      description: '`hearth`: not paid or not answered in time',
    }),
    cancellationReason: Nullable(Type.String(), {
      description: 'In the words of the customer or pro; for `hearth` a code such as `payment_expired`',
    }),
  },
  { $id: 'Booking' },
)
export type Booking = Static<typeof Booking>

/** A receipt read later: the booking may have been rescheduled or cancelled, or be over. */
export const PresentReceipt = Type.Object({ ...BookingReceipt.properties, status: Booking.properties.status })
export type PresentReceipt = Static<typeof PresentReceipt>

export const BookingAnswer = Type.Object({ booking: Booking }, { $id: 'BookingAnswer' })

export const BookingByCode = Type.Object({
  code: Text(40, {
    minLength: 1,
    description: 'The confirmation code',
    examples: ['HTH-0123456789AB'],
  }),
})

export const BookingParams = Type.Object({ id: Uuid() })

export const ProBooking = Type.Object(
  {
    ...Booking.properties,
    assignedTo: Nullable(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: 'The team member who does the work',
    }),
    customerPhone: Nullable(Type.String()),
    inServiceArea: InServiceArea,
  },
  { $id: 'ProBooking' },
)
export type ProBooking = Static<typeof ProBooking>

export const ProBookingQuery = Type.Object({
  date: Type.Optional(
    CalendarDate({ description: 'Only bookings that start on this day of the pro’s calendar, in order of start' }),
  ),
  status: Type.Optional(OneOf(['pending', 'confirmed', 'completed', 'cancelled', 'no_show'])),
  ...pageParameters,
})
export type ProBookingQuery = Static<typeof ProBookingQuery>

export const ProBookings = Type.Object({ bookings: Type.Array(ProBooking), meta: PageMeta }, { $id: 'ProBookings' })
export type ProBookings = Static<typeof ProBookings>

/** The lists of a pro's bookings in the console. `unpaid` waits for the customer's payment. */
export const BookingView = OneOf(['upcoming', 'to_confirm', 'unpaid', 'past', 'cancelled', 'all'])
export type BookingView = Static<typeof BookingView>

/** A customer as the pro's bookings tell. */
export interface ProCustomer {
  name: string
  email: string
  phone: string | null
  bookings: number
}
