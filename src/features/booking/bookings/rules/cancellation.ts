// Cancelling as the customer: until when it is free, what it costs then, and how people read it. The database holds the end of
// free cancellation too: `free_cancellation_until` in sql/functions/booking_object.sql.
import type { Balance } from '../../../../payments/schemas.ts'
import { beforeStart, cancellingTerms, cancellingText } from '../../../../platform/text/cancelling.ts'
import { localDateTime, shortMoney } from '../../../../platform/text/format.ts'
import type { Booking, BookingReceipt } from '../schemas.ts'
import type { BookingState } from '../states.ts'

interface Visit {
  status: BookingState
  startsAt: string
}

interface Paid {
  status: BookingState
  /** Null: cancelling keeps the payment at any time. */
  freeCancellationUntil: string | null
}

/** Whether its customer can cancel a booking now. One that was never confirmed can be cancelled at any time. */
export const canCancel = ({ status, startsAt }: Visit, now: Date): boolean =>
  status === 'pending' || (status === 'confirmed' && Date.parse(startsAt) > now.getTime())

/** Until when cancelling is free, unless the booking is rescheduled after that. */
export const freeCancellationEnd = (startsAt: string, hours: number): Date =>
  new Date(Date.parse(startsAt) - hours * 3_600_000)

/**
 * Whether cancelling now keeps the payment: later than agreed, or after rescheduling too late. Otherwise a late customer
 * could reschedule it to next month and then cancel for free.
 */
export const keepsPayment = ({ status, freeCancellationUntil }: Paid, now: Date): boolean =>
  status === 'confirmed' && (freeCancellationUntil === null || Date.parse(freeCancellationUntil) < now.getTime())

/** What cancelling now keeps of the payment, in dollars. */
export const cancellationCost = (booking: Paid & { balance: Balance; hasWorkBegun: boolean }, now: Date): number =>
  keepsPayment(booking, now) && !booking.hasWorkBegun ? booking.balance.refundable : 0

/** In words, until when cancelling is free for a visit at this time; null if that is over. */
export function freeUntilText(
  { startsAt, timeZone, hours }: { startsAt: string; timeZone: string; hours: number },
  now: Date,
): string | null {
  const until = freeCancellationEnd(startsAt, hours)
  return until >= now ? localDateTime(until.toISOString(), timeZone) : null
}

/** What cancelling costs, in the response that creates a booking: as of `madeAt`, so that a replay says the same. */
export const policyOfNewBooking = (
  { freeCancellationUntil: until, timeZone }: Pick<BookingReceipt, 'freeCancellationUntil' | 'timeZone'>,
  { due, madeAt }: { due: number; madeAt: number },
): string =>
  cancellingText({
    due,
    until: until !== null && Date.parse(until) >= madeAt ? localDateTime(until, timeZone) : null,
  })

const LATER_VISIT = 'Cancelling this visit costs nothing: the work has begun, and what was paid for it stays with it.'

/** Whether a booking is a visit of work that has begun: cancelling it ends neither the work nor its payment. */
export const isLaterVisit = ({ job }: { job: Booking['job'] | undefined }): boolean =>
  job !== null && job !== undefined && job.status !== 'scheduled'

/** What cancelling a booking costs: agreed when it is made, and kept with it. */
export function cancellationPolicyOf(booking: Booking, now: Date): string {
  const { status, freeCancellationUntil: until, freeCancellationHours: hours, timeZone, payment, balance } = booking
  if (isLaterVisit(booking)) return LATER_VISIT
  const due = balance.refundable > 0 ? balance.refundable : balance.dueNow
  if (status !== 'pending' && status !== 'confirmed') return cancellingTerms({ due: payment?.amount ?? 0, hours })
  if (due > 0 && until === null)
    return 'Cancelling keeps the payment, because the booking was moved after its free cancellation had ended.'
  const isFree = until !== null && Date.parse(until) >= now.getTime()
  const text = cancellingText({ due, until: isFree ? localDateTime(until, timeZone) : null })
  return due > 0 && isFree ? `${text} Moving the booking after that does not change it.` : text
}

/** What cancelling costs wherever something is paid when booking, before a service is chosen. A booking keeps the hours it was made with. */
export const paidTerms = ({ freeCancellationHours: hours }: { freeCancellationHours: number }): string =>
  `Free until ${beforeStart(hours)}; after that, what was paid when booking is kept.`

/** The same of the deposit of a quote, before its work has a time. */
export const depositPolicyOf = ({ freeCancellationHours: hours }: Pick<Booking, 'freeCancellationHours'>): string =>
  `The deposit comes back in full if you cancel before you choose a time, and then until ${beforeStart(hours)}. After that, it is kept.`

/** What cancelling now returns. */
export function cancellationRefundText({
  balance: { paid, refundable },
  cancellationCost: cost,
  hasWorkBegun,
}: {
  balance: Balance
  cancellationCost: number
  hasWorkBegun: boolean
}): string {
  if (hasWorkBegun) return LATER_VISIT
  if (paid === 0) return 'You have not paid anything, so cancelling costs nothing.'
  if (refundable === 0) return 'Cancelling costs nothing. All that you paid went back or is on its way back.'
  if (cost > 0) return `It is too late for a free cancellation. Your payment of ${shortMoney(cost)} is not refundable.`
  return refundable === paid
    ? `You get all of the ${shortMoney(paid)} back that you paid.`
    : `You get the other ${shortMoney(refundable)} back that you paid.`
}
