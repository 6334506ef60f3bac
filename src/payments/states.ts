// The states of a payment. ARCHITECTURE.md draws them; the table state_transitions repeats them in the database.
import type { Transitions } from '../errors/transition.ts'

export type PaymentState = 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'

/**
 * The provider causes `capture`, `fail` and `settle`; the end of the hold, booking or quote causes `expire`. `refund` returns
 * a captured payment: the booking or job is cancelled, or the payment was late or of the wrong amount.
 */
export type PaymentAction = 'capture' | 'fail' | 'expire' | 'refund' | 'settle'

export const PAYMENT: Transitions<PaymentState, PaymentAction> = {
  requires_payment: { capture: 'succeeded', fail: 'failed', expire: 'expired', refund: 'refunding' },
  failed: { capture: 'succeeded', fail: 'failed', expire: 'expired', refund: 'refunding' },
  succeeded: { refund: 'refunding' },
  expired: { refund: 'refunding' },
  refunding: { settle: 'refunded' },
  refunded: {},
}

export const REFUND_REASONS = ['cancelled', 'rejected', 'paid_too_late', 'wrong_amount', 'operator'] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/** Whether a payment can still be paid. */
export const isDue = ({ status }: { status: PaymentState }): boolean =>
  status === 'requires_payment' || status === 'failed'
