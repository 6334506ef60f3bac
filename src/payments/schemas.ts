// The schemas of payments.
import { type Static, Type } from '@sinclair/typebox'

import { REFUND_REASONS } from './states.ts'
import { Instant, Nullable, OneOf, Uri } from '../platform/schema/types.ts'

/** A payment that confirms a booking or accepts a quote. */
export const PaymentDue = Type.Object(
  {
    clientSecret: Type.String({ description: 'Pays, at the payment provider or on `payUrl`' }),
    amount: Type.Number({ description: 'In units of the currency, such as 47.5' }),
    currency: Type.String({ examples: ['USD'] }),
    expiresAt: Instant({ description: 'The payment deadline: the end of the hold or of the quote' }),
    payUrl: Uri({ description: 'The page where a person can pay' }),
  },
  { $id: 'PaymentDue' },
)
export type PaymentDue = Static<typeof PaymentDue>

/** The refund of a payment. */
export const Refund = Type.Object(
  {
    amount: Type.Number(),
    currency: Type.String(),
    status: OneOf(['pending', 'done', 'failed'], {
      description:
        '`pending`: requested, or accepted by the payment provider and on its way. `done`: the provider has made it. `failed`: the provider could not make it, and an operator returns the money in another way',
    }),
  },
  { $id: 'Refund' },
)
export type Refund = Static<typeof Refund>

/** A dispute of a payment. */
export const Dispute = Type.Object(
  {
    amount: Type.Number(),
    currency: Type.String(),
    status: OneOf(['open', 'won', 'lost'], {
      description:
        '`open`: the bank has not decided; refunds of the payment wait. `won`: the payment stays. `lost`: the bank returned the money to the customer',
    }),
    openedAt: Instant(),
  },
  { $id: 'Dispute' },
)
export type Dispute = Static<typeof Dispute>

const PaymentStatus = OneOf(['requires_payment', 'failed', 'succeeded', 'expired', 'refunding', 'refunded'])

/** A payment in look-ups of bookings, quotes and jobs. */
export const BookingPayment = Type.Object(
  {
    status: PaymentStatus,
    amount: Type.Number({ description: 'Fee and deposit' }),
    fee: Type.Number(),
    deposit: Type.Number(),
    currency: Type.String(),
    paidAt: Nullable(Instant()),
    refund: Nullable(Refund),
    dispute: Nullable(Dispute, {
      description: 'The customer’s bank takes the payment back, or asked for it; of several, an open or lost one',
    }),
  },
  { $id: 'BookingPayment' },
)
export type BookingPayment = Static<typeof BookingPayment>

/** What was agreed, paid and returned, and what is due. Of the visit of a quote: of the whole job. */
export const Balance = Type.Object(
  {
    currency: Type.String({ examples: ['USD'] }),
    agreed: Nullable(Type.Number(), { description: 'Price and fee; null while the price is not known to the cent' }),
    paid: Type.Number({ description: 'In all, also what went back since' }),
    refunded: Type.Number({ description: 'Of that: went back' }),
    refunding: Type.Number({ description: 'Of that: on its way back' }),
    netPaid: Type.Number({ description: 'What remains paid: without what went back and what is on its way back' }),
    refundable: Type.Number({ description: 'Of that: what a refund or a free cancellation would return now' }),
    dueNow: Type.Number({ description: 'To be paid to confirm the booking or accept the quote' }),
    dueAtVisit: Nullable(Type.Number(), {
      description: 'The rest of the price, paid to the pro; null while the price is not known to the cent',
    }),
  },
  { $id: 'Balance' },
)
export type Balance = Static<typeof Balance>

/** A payment in the event `payment.updated`. */
export const PaymentUpdate = Type.Composite(
  [
    Type.Object({
      id: Type.String(),
      professionalId: Type.String(),
      bookingId: Nullable(Type.String(), {
        description: 'The booking that it is for; null for the deposit of a quote',
      }),
      quoteId: Nullable(Type.String(), { description: 'The quote whose deposit it is; null for a booking' }),
    }),
    BookingPayment,
    Type.Object({
      kept: Type.Boolean({ description: 'A late cancellation kept it' }),
      refunds: Type.Array(
        Type.Object({
          id: Type.String(),
          amount: Type.Number(),
          currency: Type.String(),
          status: OneOf(['requested', 'submitted', 'done', 'failed'], {
            description:
              '`submitted`: the payment provider accepted it. `failed`: an operator returns it in another way',
          }),
          reason: OneOf(REFUND_REASONS, { description: '`operator`: the marketplace refunded it' }),
          createdAt: Instant(),
          doneAt: Nullable(Instant()),
        }),
        { description: 'Oldest first' },
      ),
      disputes: Type.Array(
        Type.Object({
          id: Type.String(),
          amount: Type.Number(),
          currency: Type.String(),
          status: OneOf(['open', 'won', 'lost'], { description: '`lost`: the money went back to the customer' }),
          openedAt: Instant(),
          closedAt: Nullable(Instant()),
        }),
        { description: 'The customer’s bank takes the payment back. Oldest first' },
      ),
    }),
  ],
  { $id: 'PaymentUpdate' },
)
export type PaymentUpdate = Static<typeof PaymentUpdate>

export const SandboxParams = Type.Object({ clientSecret: Type.String({ minLength: 1, maxLength: 255 }) })

export const SandboxPayment = Type.Object(
  { outcome: OneOf(['succeeds', 'fails'], { description: 'The result that the sandbox simulates' }) },
  { $id: 'SandboxPayment', additionalProperties: false },
)

export const SandboxReceipt = Type.Object(
  {
    payment: Type.Object({
      status: PaymentStatus,
      amount: Type.Number(),
      currency: Type.String(),
    }),
    booking: Nullable(
      Type.Object({
        id: Type.String(),
        confirmationCode: Type.String(),
        status: OneOf(['pending', 'confirmed', 'completed', 'no_show', 'cancelled']),
      }),
    ),
    quote: Nullable(Type.Object({ id: Type.String(), status: Type.String() }), {
      description: 'The quote whose deposit this is; null for a booking',
    }),
  },
  { $id: 'SandboxReceipt' },
)
export type SandboxReceipt = Static<typeof SandboxReceipt>

export const MaybePaymentDue = Nullable(PaymentDue, {
  description: 'The payment that confirms the booking or accepts the quote; null when nothing is due',
})
