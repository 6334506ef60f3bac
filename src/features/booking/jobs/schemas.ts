// The schemas of jobs: work from accepted quotes.
import { type Static, Type } from '@sinclair/typebox'

import { Decimal, Natural } from '../../../platform/schema/numbers.ts'
import { LocalTime, inWords } from '../../../platform/schema/local-time.ts'
import { Price } from '../../../platform/schema/price.ts'
import { FreeText, HttpUrl, Instant, Nullable, OneOf } from '../../../platform/schema/types.ts'
import { PageMeta, pageParameters } from '../../../platform/schema/paging.ts'
import { Balance, BookingPayment } from '../../../payments/schemas.ts'
import { File } from '../../files/files/schemas.ts'
import { MAX_DOLLARS } from '../../quoting/quotes/schemas.ts'
import { Contact, KnownAddress, NamedService } from '../../quoting/rfqs/schemas.ts'
import { JOB_ACTIONS, JOB_STATES } from './states.ts'

const NullableText = Nullable(Type.String())

/** A booking on which the work of a job is done. */
const Visit = Type.Object({
  id: Type.String({ description: 'Of the booking' }),
  confirmationCode: Type.String(),
  status: OneOf(['pending', 'confirmed', 'completed', 'no_show', 'cancelled']),
  startDateTime: Instant(),
  localTime: LocalTime.localTime,
  durationMinutes: Natural(),
})

export const Job = Type.Object(
  {
    id: Type.String(),
    status: OneOf(JOB_STATES),
    amount: Type.Number({ description: 'US dollars; the final amount once completed' }),
    currency: Type.String(),
    price: Price,
    units: Nullable(Type.Number({ description: 'How many of the service’s units the amount covers, if known' })),
    quoteId: NullableText,
    quotedAmount: Nullable(Type.Number({ description: 'US dollars' })),
    payment: Nullable(BookingPayment, {
      description: 'The deposit that was paid to accept the quote; null without one',
    }),
    balance: Balance,
    rfqId: NullableText,
    service: NamedService,
    customer: Nullable(Contact),
    address: KnownAddress,
    description: NullableText,
    timeZone: LocalTime.timeZone,
    localTime: Nullable(inWords('The start of its latest visit; null before one is chosen')),
    visits: Type.Array(Visit, { description: 'In the order of their start' }),
    createdAt: Instant(),
    startedAt: Nullable(Instant()),
    completedAt: Nullable(Instant()),
    cancelledAt: Nullable(Instant()),
    cancelledBy: Nullable(OneOf(['customer', 'pro'])),
    cancellationReason: NullableText,
  },
  { $id: 'Job' },
)
export type Job = Static<typeof Job>

export const JobAnswer = Type.Object({ job: Job }, { $id: 'JobAnswer' })

export const JobList = Type.Object({ jobs: Type.Array(Job), meta: PageMeta }, { $id: 'JobList' })
export type JobList = Static<typeof JobList>

export const JobsQuery = Type.Object({ status: Type.Optional(OneOf(JOB_STATES)), ...pageParameters })
export type JobsQuery = Static<typeof JobsQuery>

export const JobProgress = Type.Object(
  {
    action: OneOf(JOB_ACTIONS),
    finalAmount: Type.Optional(
      Decimal({
        minimum: 0.01,
        maximum: MAX_DOLLARS,
        description: 'With `complete`: the final amount in US dollars; defaults to the quoted amount',
      }),
    ),
    reason: Type.Optional(FreeText({ description: 'With `cancel`' })),
  },
  { $id: 'JobMove', additionalProperties: false },
)
export type JobProgress = Static<typeof JobProgress>

/** In one call; a job may have more. */
const MAX_JOB_PHOTOS = 10

export const NewJobPhotos = Type.Object(
  { photos: Type.Array(HttpUrl(), { maxItems: MAX_JOB_PHOTOS }) },
  { $id: 'NewJobPhotos', additionalProperties: false },
)
/** Those that are not decoded yet are left out. */
export const JobPhotos = Type.Object({ photos: Type.Array(File) }, { $id: 'JobPhotos' })
