// The shapes of payments and refunds as operators see them. Amounts in cents.
import type { DisputeState, PaymentState, RefundReason, RefundState } from '../../../payments/states.ts'

/** A payment in a search. */
export interface FoundPayment {
  readonly id: string
  readonly status: PaymentState
  readonly amountCents: number
  readonly refundedCents: number
  /** On its way back. */
  readonly refundingCents: number
  readonly refundableCents: number
  readonly createdAt: string
  readonly paidAt: string | null
  /** Null for a quote's deposit. */
  readonly bookingId: string | null
  readonly confirmationCode: string | null
  /** The package or service. */
  readonly title: string
  readonly customerName: string
  readonly customerEmail: string
  readonly professionalId: string
  readonly businessName: string
}

export interface MadeRefund {
  readonly id: string
  readonly amountCents: number
  readonly reason: RefundReason
  readonly note: string | null
  readonly status: RefundState
  /** Why the provider could not make it. */
  readonly failure: string | null
  /** How an operator returned it without the provider. */
  readonly returnedOtherwise: string | null
  readonly attempts: number
  readonly createdAt: string
  readonly doneAt: string | null
  readonly providerRefundId: string | null
}

export interface PaymentDispute {
  readonly providerDisputeId: string
  readonly amountCents: number
  readonly reason: string
  readonly state: DisputeState
  readonly isInquiry: boolean
  readonly openedAt: string
}

export interface PaymentDetail extends FoundPayment {
  readonly feeCents: number
  readonly depositCents: number
  readonly capturedCents: number | null
  readonly provider: string
  readonly intentId: string | null
  /** The customer cancelled too late and got nothing back. */
  readonly retained: boolean
  readonly bookingStatus: string | null
  readonly startsAt: string | null
  readonly timeZone: string
  readonly refunds: readonly MadeRefund[]
  readonly disputes: readonly PaymentDispute[]
}
