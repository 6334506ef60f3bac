// What pages and messages say about payments.
import type { BookingPayment } from './schemas.ts'
import { longDay, money } from '../platform/text/format.ts'

/** "$55.00 ($5.00 fee and $50.00 deposit), paid on June 1, 2026", and what became of it. */
export function paymentText(payment: BookingPayment): string {
  const { amount, fee, deposit, currency, status, paidAt, refund } = payment
  const parts = fee > 0 && deposit > 0 ? ` (${money(fee, currency)} fee and ${money(deposit, currency)} deposit)` : ''
  const total = `${money(amount, currency)}${parts}`
  if (refund) return `${total}. ${refundText(refund)}`
  return `${total}, ${paidAt === null ? UNPAID[status] : `paid on ${longDay(paidAt)}`}`
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
