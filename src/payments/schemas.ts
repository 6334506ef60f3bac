// The shapes of payments.
import { type Static, Type } from '@sinclair/typebox'

import { Instant, Nullable, OneOf, Uri } from '../platform/schema/types.ts'

/** What a customer has to pay before a booking is confirmed. */
export const PaymentDue = Type.Object(
  {
    clientSecret: Type.String({ description: 'Pays this booking: at the payment provider, or on `payUrl`' }),
    amount: Type.Number({ description: 'In whole currency, such as 47.5' }),
    currency: Type.String({ examples: ['USD'] }),
    expiresAt: Instant({ description: 'Until then the time is held; unpaid, it is free again' }),
    payUrl: Uri({ description: 'A page where a person pays' }),
  },
  { $id: 'PaymentDue' },
)
export type PaymentDue = Static<typeof PaymentDue>

/** What becomes of the money of a booking that is off. */
export const Refund = Type.Object(
  {
    amount: Type.Number(),
    currency: Type.String(),
    status: OneOf(['pending', 'done'], { description: '`pending`: it is on its way to the payment provider' }),
  },
  { $id: 'Refund' },
)
export type Refund = Static<typeof Refund>

export const SandboxParams = Type.Object({ clientSecret: Type.String({ minLength: 1, maxLength: 255 }) })

export const SandboxPayment = Type.Object(
  { outcome: OneOf(['succeeds', 'fails'], { description: 'What the imagined bank says' }) },
  { $id: 'SandboxPayment', additionalProperties: false },
)

export const SandboxReceipt = Type.Object(
  {
    payment: Type.Object({
      status: OneOf(['requires_payment', 'failed', 'succeeded', 'expired', 'refunding', 'refunded']),
      amount: Type.Number(),
      currency: Type.String(),
    }),
    booking: Type.Object({
      id: Type.String(),
      confirmationCode: Type.String(),
      status: OneOf(['pending', 'confirmed', 'completed', 'no_show', 'cancelled']),
    }),
  },
  { $id: 'SandboxReceipt' },
)
export type SandboxReceipt = Static<typeof SandboxReceipt>

export const MaybePaymentDue = Nullable(PaymentDue, {
  description: 'What to pay before the booking is confirmed; null when there is nothing to pay',
})
