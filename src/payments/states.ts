// The life of a payment. Drawn in ARCHITECTURE.md, repeated in the database (state_transitions).
import type { Transitions } from '../errors/transition.ts'

export type PaymentState = 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'

/**
 * `capture`, `fail` and `settle` are what the provider tells; `expire` is the end of its hold or its booking; `refund`
 * gives back what was taken: for a booking that is off, too late, or in the wrong amount.
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
