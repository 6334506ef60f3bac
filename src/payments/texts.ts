// What pages and messages say about payments.
import type { Balance, BookingPayment, Dispute } from './schemas.ts'
import { longDay, money } from '../platform/text/format.ts'

/**
 * "$55.00 ($5.00 fee and $50.00 deposit), paid on June 1, 2026", and what became of it. `isKept`: a late cancellation keeps what
 * was not refunded. The same words are for customers and pros.
 */
export function paymentText(payment: BookingPayment, { isKept = false } = {}): string {
  const { amount, fee, deposit, currency, status, paidAt, refund, dispute } = payment
  const parts = fee > 0 && deposit > 0 ? ` (${money(fee, currency)} fee and ${money(deposit, currency)} deposit)` : ''
  const total = `${money(amount, currency)}${parts}`
  const text = refund
    ? `${total}. ${refundText(refund)}${isKept ? ', and the rest is kept because of the late cancellation' : ''}`
    : `${total}, ${paidAt === null ? UNPAID[status] : `paid on ${longDay(paidAt)}`}${isKept ? ', and not refunded because of the late cancellation' : ''}`
  return dispute ? `${text}. ${DISPUTE_TEXTS[dispute.status](money(dispute.amount, dispute.currency))}` : text
}

const UNPAID: Partial<Record<BookingPayment['status'], string>> = {
  requires_payment: 'not paid yet',
  failed: 'the last attempt to pay failed',
  expired: 'not paid in time',
}

/** "$50.00 was refunded", or that it is on its way or delayed. */
const refundText = ({ amount, currency, status }: NonNullable<BookingPayment['refund']>): string =>
  `${money(amount, currency)} ${REFUND_TEXTS[status]}`

const REFUND_TEXTS: Record<NonNullable<BookingPayment['refund']>['status'], string> = {
  pending: 'is being refunded',
  done: 'was refunded',
  failed: 'could not be refunded yet; we are returning it in another way',
}

const DISPUTE_TEXTS: Record<Dispute['status'], (amount: string) => string> = {
  open: (amount) => `${amount} of it is disputed: the bank that issued the card has not decided yet`,
  won: (amount) => `A dispute over ${amount} is closed, and the payment stays`,
  lost: (amount) => `After a dispute, the bank returned ${amount} to the card`,
}

/** "$80.00 of $320.00 paid, $240.00 due at the visit". Empty if nothing was paid and nothing is due. */
export function balanceText({ currency, agreed, paid, refunded, refunding, dueNow, dueAtVisit }: Balance): string {
  const sum = (amount: number) => money(amount, currency)
  return [
    paid > 0 && `${sum(paid)}${agreed === null ? '' : ` of ${sum(agreed)}`} paid`,
    refunded > 0 && `${sum(refunded)} refunded`,
    refunding > 0 && `${sum(refunding)} on its way back`,
    dueNow > 0 && `${sum(dueNow)} due now`,
    dueAtVisit === null
      ? 'the rest of the price due at the visit'
      : dueAtVisit > 0 && `${sum(dueAtVisit)} due at the visit`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

/** The deposit of a job, and that it was kept after the job was cancelled. */
export const depositPaymentText = ({
  payment,
  status,
}: {
  payment: BookingPayment | null
  status: string
}): string | null =>
  payment && paymentText(payment, { isKept: status === 'cancelled' && payment.status === 'succeeded' })
