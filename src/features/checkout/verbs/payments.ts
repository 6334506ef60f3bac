// Money and bookings meet here: a payment that arrives confirms its booking, or goes back.
import type { Deps } from '../../../deps.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
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
  noteNotice,
  refundPayment,
  settleSoon,
} from '../../../payments/verbs.ts'
import { type LockedBooking, getBookingForUpdate, moveBooking } from '../../bookings/verbs/transitions.ts'
import { endHold } from '../../bookings/verbs/holds.ts'

/** `ignored`: it was known already, came too late to matter, or is about nothing of ours. */
export type Taken = 'confirmed' | 'awaits_approval' | 'refused' | 'failed' | 'ignored'

type Told = Exclude<Notification, { kind: 'other' }>
type Captured = Extract<Notification, { kind: 'captured' }>

/**
 * Takes a verified notification of the provider, once, in whatever order and however often they come. Money that arrives
 * while the time is held confirms the booking (or hands it to a pro who approves first); money that comes later, or is not
 * what was asked for, goes back.
 */
export async function takeNotification(deps: Deps, provider: ProviderName, notification: Notification): Promise<Taken> {
  if (notification.kind === 'other') return 'ignored'
  const done = await deps.write.begin('takeNotification', (tx) => take(tx, deps, provider, notification))
  await settleSoon(deps, done.refundId)
  return done.taken
}

interface Done {
  taken: Taken
  refundId?: string
}

async function take(tx: Transaction, deps: Deps, provider: ProviderName, told: Told): Promise<Done> {
  const now = deps.clock.now()
  const known = await findPaymentById(tx, told.paymentId)
  if (!known || known.provider !== provider || !(await noteNotice(tx, provider, told.id, now)))
    return { taken: 'ignored' }
  const booking = await getBookingForUpdate(tx, 'hearth', known.bookingId, now)
  const payment = await lockPayment(tx, booking.id)
  if (!payment || isCaptured(payment)) return { taken: 'ignored' }
  const isHeld = booking.status === 'pending' && booking.holdExpiresAt !== null
  if (told.kind === 'failed') {
    if (isHeld) await failPayment(tx, payment)
    return { taken: isHeld ? 'failed' : 'ignored' }
  }
  const capture = { intentId: told.intentId, amountCents: told.amountCents, currency: told.currency, at: now }
  if (!isHeld) return await giveBack(tx, deps, booking, capture, 'paid_too_late')
  if (!isAsAsked(told, payment)) return await giveBack(tx, deps, booking, capture, 'wrong_amount')
  await capturePayment(tx, payment, capture)
  await moveBooking(tx, deps, booking, booking.requiresApproval ? 'prepay' : 'pay')
  return { taken: booking.requiresApproval ? 'awaits_approval' : 'confirmed' }
}

const isAsAsked = ({ amountCents, currency, intentId }: Captured, payment: Payment) =>
  amountCents === payment.amountCents &&
  currency === payment.currency &&
  (payment.intentId === null || intentId === payment.intentId)

/** The booking is off, if it was not before, and the money is due to go back. */
async function giveBack(
  tx: Transaction,
  deps: Deps,
  booking: LockedBooking,
  capture: Capture,
  reason: RefundReason,
): Promise<Done> {
  if (booking.status === 'pending') await moveBooking(tx, deps, booking, 'lapse', reason)
  else if (booking.holdExpiresAt !== null) await endHold(tx, booking.id, deps.clock.now())
  const payment = await lockPayment(tx, booking.id)
  if (!payment) throw new Error('A locked payment is gone.')
  return { taken: 'refused', refundId: await refundPayment(tx, deps, payment, reason, capture) }
}
