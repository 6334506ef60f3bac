// The states of payments, refunds and disputes. docs/design/state-machines.md draws them; the table state_transitions repeats those of
// payments and refunds in the database.
import type { Transitions } from '../transition.ts'

export type PaymentState = 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'

/**
 * The provider causes `capture`, `fail` and all that follows `refund`; the end of the hold, booking or quote causes `expire`.
 * `refund` returns a captured payment: the booking or job is cancelled, or the payment was late or of the wrong amount.
 * `lose`: all of it went back by a lost dispute. `reopen`: a refund that was done failed. `reinstate`: a dispute that was lost
 * was won.
 */
export type PaymentAction = 'capture' | 'fail' | 'expire' | 'refund' | 'settle' | 'lose' | 'reopen' | 'reinstate'

export const PAYMENT: Transitions<PaymentState, PaymentAction> = {
  requires_payment: { capture: 'succeeded', fail: 'failed', expire: 'expired', refund: 'refunding' },
  failed: { capture: 'succeeded', fail: 'failed', expire: 'expired', refund: 'refunding' },
  succeeded: { refund: 'refunding', lose: 'refunded' },
  expired: { refund: 'refunding' },
  refunding: { settle: 'refunded', reinstate: 'succeeded' },
  refunded: { reopen: 'refunding', reinstate: 'succeeded' },
}

/**
 * `pending` and `part` (of the payment) are requested: the provider has not accepted them yet. `submitted`: the provider
 * accepted it. `failed` waits for an operator. `replaced`: another refund or a lost dispute returns this money instead.
 */
export type RefundState = 'pending' | 'part' | 'submitted' | 'done' | 'failed' | 'replaced'

/**
 * The provider causes `submit`, `finish` and `fail`, in this order; a refund that was done fails when the customer's bank
 * returns it. `replace` ends what is not made; the provider may have made it all the same. `return`: an operator says that
 * the money was returned without the provider.
 */
export type RefundAction = 'submit' | 'finish' | 'fail' | 'replace' | 'return'

const ASKED = { submit: 'submitted', finish: 'done', fail: 'failed', replace: 'replaced' } as const

export const REFUND: Transitions<RefundState, RefundAction> = {
  pending: ASKED,
  part: ASKED,
  submitted: { finish: 'done', fail: 'failed' },
  done: { fail: 'failed' },
  failed: { return: 'done', replace: 'replaced' },
  replaced: { submit: 'submitted', finish: 'done' },
}

/** `provider`: made in the provider's dashboard. */
export const REFUND_REASONS = [
  'cancelled',
  'rejected',
  'paid_too_late',
  'wrong_amount',
  'operator',
  'provider',
] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

export type DisputeState = 'open' | 'won' | 'lost'

/** Whether a payment can still be paid. */
export const isDue = ({ status }: { status: PaymentState }): boolean =>
  status === 'requires_payment' || status === 'failed'
