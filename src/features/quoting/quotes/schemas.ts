// The schemas of quotes (spec §4.6).
import { type Static, Type } from '@sinclair/typebox'

import { Decimal, Integer, Natural } from '../../../platform/schema/numbers.ts'
import { FreeText, Instant, Nullable, OneOf, Text, Uuid } from '../../../platform/schema/types.ts'
import { LocalTime, inWords } from '../../../platform/schema/local-time.ts'
import { Price } from '../../../platform/schema/price.ts'
import { PageMeta, pageParameters } from '../../../platform/schema/paging.ts'
import { MAX_VALID_FOR_DAYS, VALID_FOR_DAYS } from './rules/validity.ts'
import { SMALL_DEPOSITS } from '../../booking/bookings/rules/deposits.ts'
import { Balance, BookingPayment, MaybePaymentDue, Refund } from '../../../payments/schemas.ts'
import { QUOTE_STATES } from './states.ts'

/** In dollars; its cents fit into an integer column. */
export const MAX_DOLLARS = 10_000_000

const LineItem = Type.Object(
  {
    description: Text(500, { minLength: 1 }),
    quantity: Decimal({ minimum: 0.000_001, maximum: 1_000_000 }),
    unitPrice: Decimal({ minimum: -MAX_DOLLARS, maximum: MAX_DOLLARS, description: 'Less than 0 for a discount' }),
    amount: Decimal({
      minimum: -MAX_DOLLARS,
      maximum: MAX_DOLLARS,
      description: 'Quantity × unit price, to the cent',
    }),
  },
  { $id: 'LineItem', additionalProperties: false },
)
export type LineItem = Static<typeof LineItem>

export const NewQuote = Type.Object(
  {
    rfqId: Uuid(),
    amount: Decimal({ minimum: 0.01, maximum: MAX_DOLLARS, description: 'US dollars, to the cent' }),
    lineItems: Type.Optional(
      Type.Array(LineItem, { maxItems: 100, description: 'If given, their amounts must add up to `amount`' }),
    ),
    estimatedDays: Type.Optional(Integer({ minimum: 1, maximum: 3650 })),
    depositRequired: Type.Optional(Type.Boolean({ default: false })),
    depositPercentage: Type.Optional(
      Decimal({ minimum: 0.01, maximum: 100, description: 'Only with `depositRequired`' }),
    ),
    paymentTerms: Type.Optional(FreeText()),
    message: Type.Optional(FreeText({ description: 'To the customer, shown above the amounts' })),
    validForDays: Type.Optional(Integer({ minimum: 1, maximum: MAX_VALID_FOR_DAYS, default: VALID_FOR_DAYS })),
  },
  { $id: 'NewQuote', additionalProperties: false },
)
export type NewQuote = Static<typeof NewQuote>

/** A line of a draft. Its amount is quantity × unit price. */
const DraftItem = Type.Object(
  {
    description: LineItem.properties.description,
    quantity: LineItem.properties.quantity,
    unitPrice: LineItem.properties.unitPrice,
  },
  { $id: 'DraftItem', additionalProperties: false },
)
export type DraftItem = Static<typeof DraftItem>

export const DraftChange = Type.Object(
  {
    amount: Type.Optional(
      Decimal({
        minimum: 0.01,
        maximum: MAX_DOLLARS,
        description: 'US dollars; the sum of the line items, if any',
      }),
    ),
    lineItems: Type.Optional(Type.Array(DraftItem, { maxItems: 100, description: 'Replaces all line items' })),
    estimatedDays: Type.Optional(Nullable(Integer({ minimum: 1, maximum: 3650 }))),
    depositRequired: Type.Optional(Type.Boolean()),
    depositPercentage: Type.Optional(
      Nullable(Decimal({ minimum: 0.01, maximum: 100, description: 'Only with `depositRequired`' })),
    ),
    paymentTerms: Type.Optional(Nullable(FreeText())),
    message: Type.Optional(Nullable(FreeText({ description: 'To the customer, shown above the amounts' }))),
    validForDays: Type.Optional(Integer({ minimum: 1, maximum: MAX_VALID_FOR_DAYS })),
  },
  { $id: 'DraftChange', additionalProperties: false },
)
export type DraftChange = Static<typeof DraftChange>

const status = OneOf(QUOTE_STATES)
const NullableText = Nullable(Type.String())

export const Quote = Type.Object(
  {
    id: Type.String(),
    rfqId: Type.String(),
    jobId: Nullable(Type.String({ description: 'The job that was created when the quote was accepted' })),
    status,
    amount: Type.Number({ description: 'US dollars' }),
    price: Price,
    currency: Type.String(),
    units: Nullable(Type.Number({ description: 'How many of the service’s units the amount covers, if known' })),
    lineItems: Type.Array(LineItem),
    estimatedDays: Nullable(Natural()),
    depositRequired: Type.Boolean(),
    depositPercentage: Nullable(Type.Number()),
    depositAmount: Nullable(
      Type.Number({ description: `US dollars, paid to accept the quote; null without a deposit. ${SMALL_DEPOSITS}` }),
    ),
    payment: Nullable(BookingPayment, {
      description: 'The payment of the deposit; null until the customer starts it. Once paid, the quote is accepted',
    }),
    balance: Balance,
    freeCancellationHours: Natural({
      description:
        'The deposit comes back in full if the customer cancels before a time is chosen, or at least this many hours before the start. After that, it is kept',
    }),
    paymentTerms: NullableText,
    message: NullableText,
    validForDays: Nullable(Natural({ description: 'Of a draft: how long the quote will be valid after it is sent' })),
    validUntil: Nullable(Instant()),
    timeZone: LocalTime.timeZone,
    validUntilLocal: Nullable(inWords('`validUntil` as people there say it')),
    service: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    professional: Type.Object({
      id: Type.String(),
      slug: Type.String(),
      businessName: Type.String(),
      phone: NullableText,
    }),
    customer: Type.Object({ name: Type.String(), email: Type.String() }),
    request: Type.Object({ description: Type.String(), createdAt: Instant() }),
    createdAt: Instant(),
    sentAt: Nullable(Instant()),
    viewedAt: Nullable(Instant()),
    acceptedAt: Nullable(Instant()),
    declinedAt: Nullable(Instant()),
    declineReason: NullableText,
  },
  { $id: 'Quote' },
)
export type Quote = Static<typeof Quote>

export const QuoteSent = Type.Object(
  {
    success: Type.Boolean(),
    quote: Quote,
    nextSteps: Type.Array(Type.String()),
  },
  { $id: 'QuoteSent' },
)
export type QuoteSent = Static<typeof QuoteSent>

export const QuoteAccepted = Type.Object({ quote: Quote, payment: MaybePaymentDue }, { $id: 'QuoteAccepted' })
export type QuoteAccepted = Static<typeof QuoteAccepted>

export const QuoteAnswer = Type.Object({ quote: Quote }, { $id: 'QuoteAnswer' })

export const WorkCancelled = Type.Object(
  {
    success: Type.Boolean(),
    quote: Quote,
    refund: Nullable(Refund, { description: 'The refund of the deposit; null when nothing was paid' }),
  },
  { $id: 'WorkCancelled' },
)
export type WorkCancelled = Static<typeof WorkCancelled>

export const QuoteList = Type.Object({ quotes: Type.Array(Quote), meta: PageMeta }, { $id: 'QuoteList' })
export type QuoteList = Static<typeof QuoteList>

export const QuotesQuery = Type.Object({
  status: Type.Optional(status),
  rfqId: Type.Optional(Uuid({ description: 'Only quotes for this request' })),
  ...pageParameters,
})
export type QuotesQuery = Static<typeof QuotesQuery>

export const IdParams = Type.Object({ id: Uuid() })

/** The path parameters of a customer's link. */
export const TokenParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 1000, description: 'From the customer’s link' }),
})

export const Declining = Type.Object(
  { reason: Type.Optional(FreeText({ description: 'A reason that the pro can read' })) },
  { $id: 'Declining', additionalProperties: false },
)
