// The port to a payment provider: Stripe if configured, otherwise the embedded sandbox.
export type ProviderName = 'sandbox' | 'stripe'

export interface IntentRequest {
  /** Our payment id. The provider returns the same intent for the same id. */
  paymentId: string
  /** What is paid for. */
  purpose: { bookingId: string } | { quoteId: string }
  amountCents: number
  /** ISO 4217 in upper case. */
  currency: string
}

export interface Intent {
  intentId: string
  /** Allows its holder to see and make the payment. */
  clientSecret: string
}

export interface RefundRequest {
  /** Our refund id. The provider refunds the same id only once. */
  refundId: string
  intentId: string
  amountCents: number
}

/** A verified notification of a provider. `other` does not concern Hearth. */
export type Notification =
  | {
      kind: 'captured'
      id: string
      paymentId: string
      intentId: string
      amountCents: number
      currency: string
    }
  | { kind: 'failed'; id: string; paymentId: string }
  | { kind: 'other'; id: string }

export interface PaymentProvider {
  readonly name: ProviderName
  /** Throws {@link ProviderUnavailable}; retry with the same request. */
  createIntent(request: IntentRequest): Promise<Intent>
  /** Returns the provider's refund id. Throws {@link ProviderUnavailable}. */
  refund(request: RefundRequest): Promise<string>
  /** The verified notification; undefined if the signature is invalid. `body` is the raw text. */
  readNotification?(body: string, signature: string, now: Date): Promise<Notification | undefined>
}

/** The provider failed or did not answer. The effect is unknown: retry with the same request. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}
