// The port to whoever takes money: Stripe where it is configured, the embedded sandbox otherwise.
export type ProviderName = 'sandbox' | 'stripe'

export interface IntentWish {
  /** Our id of the payment: asked again under it, the provider answers with the same intent. */
  paymentId: string
  bookingId: string
  amountCents: number
  /** ISO 4217, upper case. */
  currency: string
}

export interface Intent {
  intentId: string
  /** Whoever has it may pay, and see what is to be paid. */
  clientSecret: string
}

export interface RefundWish {
  /** Our id of the refund: asked again under it, the provider gives nothing back twice. */
  refundId: string
  intentId: string
  amountCents: number
}

/** What a provider told, verified. `other` is of no concern to us. */
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
  /** Throws {@link ProviderUnavailable} when the provider does not answer as it should; ask again with the same wish. */
  createIntent(wish: IntentWish): Promise<Intent>
  /** The provider's id of the refund. Throws {@link ProviderUnavailable}. */
  refund(wish: RefundWish): Promise<string>
  /** What a notification says, or undefined when it is not the provider's. `body` is the raw text. */
  readNotification?(body: string, signature: string, now: Date): Promise<Notification | undefined>
}

/** The provider did not answer, or not as it should. What it did is not known: ask again with the same wish. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}
