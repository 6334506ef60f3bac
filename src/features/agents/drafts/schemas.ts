// Shapes of prepared work: drafts and notes for the pro. Nothing here is sent.
import { type Static, Type } from '@sinclair/typebox'

import { Natural } from '../../../platform/schema/numbers.ts'
import { CalendarDate, Instant, Nullable, OneOf, Uuid } from '../../../platform/schema/types.ts'
import type { KnownAddress } from '../../quoting/rfqs/schemas.ts'

const Texts = (description?: string) => Type.Array(Type.String(), description ? { description } : {})
const NullableText = Nullable(Type.String())

/** The subject of prepared work: exactly one of the three. */
export interface SubjectRef {
  leadId?: string | undefined
  bookingId?: string | undefined
  jobId?: string | undefined
}

export const About = Type.Object({ type: OneOf(['lead', 'booking', 'job']), id: Type.String() })
export type About = Static<typeof About>

/** The sources of a draft quote's figures, and their confidence. */
export const QuoteBasis = Type.Object(
  {
    confidence: OneOf(['high', 'medium', 'low']),
    assumptions: Texts('Check these with the customer'),
    sources: Type.Array(
      Type.Object({
        figure: Type.String({ examples: ['unitPrice'] }),
        value: Type.Union([Type.Number(), Type.String()]),
        from: Type.String({ examples: ['the median of 7 accepted quotes and completed jobs'] }),
      }),
    ),
  },
  { $id: 'QuoteBasis' },
)
export type QuoteBasis = Static<typeof QuoteBasis>

export const Assessment = Type.Object(
  {
    id: Type.String(),
    about: About,
    service: NullableText,
    known: Texts('What the customer said'),
    toAsk: Texts('Questions to the customer'),
    toCheck: Texts('To check on site'),
    history: Type.Array(
      Type.Object({
        kind: OneOf(['request', 'booking', 'job']),
        service: NullableText,
        status: Type.String(),
        date: CalendarDate(),
        amount: Nullable(Type.Number()),
      }),
      { description: 'This customer’s other requests, bookings and jobs with the pro, latest first' },
    ),
    price: Nullable(Type.Object({ low: Type.Number(), high: Type.Number(), unit: NullableText, from: Type.String() }), {
      description: 'In US dollars, from the pro’s listed or paid prices',
    }),
    photos: Natural(),
    preparedAt: Instant(),
  },
  { $id: 'Assessment' },
)
export type Assessment = Static<typeof Assessment>

const Person = Type.Object({ name: Type.String(), phone: NullableText })
const Interval = { start: Type.String({ description: 'HH:MM, local' }), end: Type.String() }

export const DayBrief = Type.Object(
  {
    date: CalendarDate(),
    timezone: Type.String(),
    open: Type.Array(Type.Object(Interval)),
    stops: Type.Array(
      Type.Object({
        bookingId: Type.String(),
        status: Type.String(),
        ...Interval,
        service: Type.String(),
        customer: Person,
        address: NullableText,
        notes: NullableText,
        bring: Texts('From the booked package'),
        assignedTo: NullableText,
      }),
      { description: 'Bookings in the order of the day' },
    ),
    jobs: Type.Array(
      Type.Object({
        jobId: Type.String(),
        status: Type.String(),
        service: NullableText,
        customer: Nullable(Person),
        address: NullableText,
        bring: Texts('From the agreed line items'),
      }),
      { description: 'Jobs in progress, and jobs that the customer wants on this day; without a time' },
    ),
    gaps: Type.Array(Type.Object({ ...Interval, minutes: Natural() }), {
      description: 'Free working time, from now on',
    }),
    blocks: Type.Array(Type.Object({ ...Interval, reason: NullableText })),
    bookedMinutes: Natural(),
    warnings: Texts(),
  },
  { $id: 'DayBrief' },
)
export type DayBrief = Static<typeof DayBrief>

export const JobSpec = Type.Object(
  {
    about: About,
    title: Type.String(),
    request: NullableText,
    customer: Nullable(Person),
    address: NullableText,
    scope: Type.Array(Type.Object({ item: Type.String(), quantity: Type.Number() })),
    price: Nullable(Type.Object({ amount: Type.Number(), deposit: Nullable(Type.Number()), terms: NullableText })),
    estimatedDays: Nullable(Natural()),
    wanted: NullableText,
    photos: Texts(),
    doneWhen: Texts('Criteria that the customer can check'),
    open: Texts('Open points'),
  },
  { $id: 'JobSpec' },
)
export type JobSpec = Static<typeof JobSpec>

/** Purposes of a message to a customer. */
export const PURPOSES = ['answer', 'ask_details', 'confirm_visit', 'follow_up', 'thank_you'] as const
export type Purpose = (typeof PURPOSES)[number]

export const CustomerMessage = Type.Object(
  {
    about: About,
    purpose: OneOf(PURPOSES),
    to: Type.Object({ name: Type.String(), email: Type.String() }),
    subject: Type.String(),
    body: Type.String(),
  },
  { $id: 'CustomerMessage' },
)
export type CustomerMessage = Static<typeof CustomerMessage>

export const JobMedia = Type.Object(
  {
    media: Type.Array(
      Type.Object({
        url: Type.String(),
        caption: NullableText,
        from: OneOf(['request', 'review', 'pro'], { description: 'The customer’s before or after the work, or yours' }),
        at: Instant(),
      }),
    ),
  },
  { $id: 'JobMedia' },
)
export type JobMedia = Static<typeof JobMedia>

export const SubjectInput = {
  leadId: Type.Optional(Uuid()),
  bookingId: Type.Optional(Uuid()),
  jobId: Type.Optional(Uuid()),
}

type Address = Static<typeof KnownAddress>

/** `1 Main Street, Austin, TX 78701`; null for an empty address. */
export function formatAddress(address: Address): string | null {
  const { street, city, state, zipCode } = address ?? {}
  const place = [state, zipCode].filter(Boolean).join(' ')
  return [street, city, place].filter(Boolean).join(', ') || null
}
