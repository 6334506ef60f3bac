// What pages and messages say about a booking.
import { looksLikeLink, oneLine } from '../../../platform/text/plain.ts'
import type { Booking } from './schemas.ts'
import { balanceText, paymentText } from '../../../payments/texts.ts'

type Reader = 'customer' | 'pro'

/** What a completed booking says: its job, if it is the visit of one, may go on. */
export const doneText = ({ job }: { job?: Booking['job'] }): string =>
  job && job.status !== 'completed' ? 'The visit is done' : 'The work is done'

/** An address on one line; empty without one. */
export const addressText = (
  address: { [Part in 'street' | 'city' | 'state' | 'zipCode']?: string | null | undefined } | null | undefined,
): string => [address?.street, address?.city, address?.state, address?.zipCode].filter(Boolean).join(', ')

/**
 * An address for an e-mail to the customer; empty if it could contain a link. Anyone can book with another person's e-mail
 * address, and must not send links to it through Hearth.
 */
export function addressWithoutLinks(address: Booking['address']): string {
  const text = oneLine(addressText(address))
  return looksLikeLink(text) ? '' : text
}

/** Who cancelled a booking and why, for its customer or pro; null if it is not cancelled. */
export function cancellationText(
  { status, cancelledBy, cancellationReason: reason }: Pick<Booking, 'status' | 'cancelledBy' | 'cancellationReason'>,
  reader: Reader,
): string | null {
  if (status !== 'cancelled') return null
  if (cancelledBy === 'hearth') return HEARTH_REASONS[reason ?? '']?.[reader] ?? 'It was cancelled automatically.'
  if (cancelledBy === null) return reason
  const who = cancelledBy === reader ? 'You' : `The ${cancelledBy}`
  return `${who} cancelled it${reason === null ? '.' : `: ${reason}`}`
}

const both = (text: string): Record<Reader, string> => ({ customer: text, pro: text })

/** The codes of `cancellationReason` of bookings that Hearth cancelled. */
const HEARTH_REASONS: Readonly<Record<string, Record<Reader, string>>> = {
  payment_expired: both('It was not paid in time.'),
  payment_unavailable: both('It could not be paid, because the payment provider did not answer.'),
  paid_too_late: both('The payment arrived after the time to pay had ended.'),
  wrong_amount: both('The payment was not of the agreed amount.'),
  not_answered: {
    customer: 'The pro did not confirm it before its start.',
    pro: 'You did not confirm it before its start.',
  },
}

/** The payment of a booking, and that a cancelled booking's payment is kept; null if nothing was due. */
export function bookingPaymentText({ status, payment }: Pick<Booking, 'status' | 'payment'>): string | null {
  return payment && paymentText(payment, { isKept: status === 'cancelled' && payment.status === 'succeeded' })
}

/** What is paid and due of a booking that takes a payment; null for others. */
export const bookingBalanceText = ({ payment, balance }: Pick<Booking, 'payment' | 'balance'>): string | null =>
  payment && (balanceText(balance) || null)
