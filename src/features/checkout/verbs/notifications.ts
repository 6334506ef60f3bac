// Applies the payment provider's notifications to payments and their bookings.
import type { Deps } from '../../../deps.ts'
import type { Notification, ProviderName } from '../../../payments/provider.ts'
import {
  type Capture,
  type Payment,
  type RefundReason,
  capturePayment,
  failPayment,
  findPaymentById,
  isCaptured,
  lockPayment,
  recordNotification,
  refundPayment,
  tryRefund,
} from '../../../payments/verbs.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { endHold } from '../../bookings/verbs/holds.ts'
import { type LockedBooking, getBookingForUpdate, moveBooking } from '../../bookings/verbs/transitions.ts'

/** `refunded`: captured too late or in the wrong amount. `ignored`: a repeat, too late to matter, or not one of ours. */
export type NotificationOutcome = 'confirmed' | 'awaits_approval' | 'refunded' | 'failed' | 'ignored'

type PaymentNotification = Exclude<Notification, { kind: 'other' }>
type Captured = Extract<Notification, { kind: 'captured' }>

/**
 * Processes a verified notification once, in any order and number of deliveries. A payment that arrives during the hold
 * confirms the booking, or hands it to a pro who approves first. A payment that is late or of the wrong amount is refunded.
 */
export async function processNotification(
  deps: Deps,
  provider: ProviderName,
  notification: Notification,
): Promise<NotificationOutcome> {
  if (notification.kind === 'other') return 'ignored'
  const { outcome, refundId } = await deps.write.begin('processNotification', (tx) =>
    applyNotification(tx, deps, provider, notification),
  )
  await tryRefund(deps, refundId)
  return outcome
}

interface Applied {
  outcome: NotificationOutcome
  refundId?: string
}

async function applyNotification(
  tx: Transaction,
  deps: Deps,
  provider: ProviderName,
  notification: PaymentNotification,
): Promise<Applied> {
  const now = deps.clock.now()
  const unlocked = await findPaymentById(tx, notification.paymentId)
  if (!unlocked || unlocked.provider !== provider || !(await recordNotification(tx, provider, notification.id, now)))
    return { outcome: 'ignored' }
  const booking = await getBookingForUpdate(tx, 'system', unlocked.bookingId, now)
  const payment = await lockPayment(tx, booking.id)
  if (!payment || isCaptured(payment)) return { outcome: 'ignored' }
  const isHeld = booking.status === 'pending' && booking.holdExpiresAt !== null
  if (notification.kind === 'failed') {
    if (isHeld) await failPayment(tx, payment)
    return { outcome: isHeld ? 'failed' : 'ignored' }
  }
  const { intentId, amountCents, currency } = notification
  const capture = { intentId, amountCents, currency, at: now }
  if (!isHeld) return await refundCapture(tx, deps, { booking, payment }, capture, 'paid_too_late')
  if (!isExpected(notification, payment))
    return await refundCapture(tx, deps, { booking, payment }, capture, 'wrong_amount')
  await capturePayment(tx, payment, capture)
  await moveBooking(tx, deps, booking, booking.requiresApproval ? 'prepay' : 'pay')
  return { outcome: booking.requiresApproval ? 'awaits_approval' : 'confirmed' }
}

const isExpected = ({ amountCents, currency, intentId }: Captured, payment: Payment) =>
  amountCents === payment.amountCents &&
  currency === payment.currency &&
  (payment.intentId === null || intentId === payment.intentId)

/** Makes the refund due and cancels the booking if it is still pending, in this order: the event shows the refund. */
async function refundCapture(
  tx: Transaction,
  deps: Deps,
  { booking, payment }: { booking: LockedBooking; payment: Payment },
  capture: Capture,
  reason: RefundReason,
): Promise<Applied> {
  const refundId = await refundPayment(tx, deps, payment, reason, capture)
  if (booking.status === 'pending') await moveBooking(tx, deps, booking, 'lapse', reason)
  else if (booking.holdExpiresAt !== null) await endHold(tx, booking.id, deps.clock.now())
  return { outcome: 'refunded', refundId }
}
