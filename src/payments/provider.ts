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

/** What the provider says of a refund. A later state follows: submitted, done, failed. */
export interface ProviderRefund {
  id: string
  /** Our refund id; undefined for a refund that was made in the provider's dashboard. */
  refundId?: string
  amountCents: number
  state: 'submitted' | 'done' | 'failed'
  /** The provider's reason of a failure. */
  failure: string | null
}

/** What the provider says of a dispute. */
export interface ProviderDispute {
  id: string
  amountCents: number
  reason: string
  state: 'open' | 'won' | 'lost'
  /** A question of the bank, which takes no money. */
  isInquiry: boolean
  openedAt: string
}

/** The present state of an intent at the provider. */
export interface IntentState {
  intentId: string
  /** Our payment id; undefined for an intent of another system. */
  paymentId?: string
  /** Zero before it is paid. */
  capturedCents: number
  currency: string
  /** Oldest first. */
  refunds: ProviderRefund[]
  disputes: ProviderDispute[]
}

/** A verified notification of a provider. `changed`: a refund or dispute of the intent changed. `other` does not concern Hearth. */
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
  | { kind: 'changed'; id: string; intentId: string }
  | { kind: 'other'; id: string }

/** What the provider lists, newest first: the reconciliation compares it with our rows. */
export type ListedKind = 'intents' | 'refunds' | 'disputes'

export interface Listed {
  id: string
  intentId: string
  /** What was captured of an intent, otherwise the amount. */
  cents: number
  /** Of an intent `captured` or `open`. */
  state: string
}

export interface Listing {
  listed: Listed[]
  /** The last object that was read; undefined at the end of the list. */
  after: string | undefined
}

export interface PaymentProvider {
  readonly name: ProviderName
  /** Throws {@link ProviderUnavailable}, to retry with the same request, and {@link PaymentRefused}. */
  createIntent(request: IntentRequest): Promise<Intent>
  /**
   * Makes a refund. The provider makes the same id once for a limited time: before a retry, look it up with
   * {@link readIntent}. Throws {@link ProviderUnavailable} and {@link RefundRefused}.
   */
  refund(request: RefundRequest): Promise<ProviderRefund>
  /** Reads an intent with its refunds and disputes. Throws {@link ProviderUnavailable}. The sandbox has no state to read. */
  readIntent?(intentId: string): Promise<IntentState>
  /** A page of what was created since. `after`: the last object of the page before. Throws {@link ProviderUnavailable}. */
  list?(kind: ListedKind, from: { since: Date; after: string | undefined }): Promise<Listing>
  /** The verified notification; undefined if the signature is invalid. `body` is the raw text. */
  readNotification?(body: string, signature: string, now: Date): Promise<Notification | undefined>
}

/** A stored payment belongs to a provider that this process has no keys of. What is due stays due. */
export class ProviderNotConfigured extends Error {
  override readonly name = 'ProviderNotConfigured'
  constructor(readonly provider: ProviderName) {
    super(`The payment provider ${provider} is not configured: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.`)
  }
}

/** The provider failed or did not answer. The effect is unknown: retry with the same request. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** The provider does not accept our keys. What is due stays due until an operator corrects them. */
export class ProviderMisconfigured extends ProviderUnavailable {}

/** The provider refused to start a payment; it refuses the same request again. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
  constructor(
    readonly reason: 'declined' | 'too_small' | 'refused',
    options: ErrorOptions,
  ) {
    super(`The payment provider refused a payment: ${reason}.`, options)
  }
}

/** The provider refused a refund, with the reason in its words. The refund was not made by this request. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused'
}
