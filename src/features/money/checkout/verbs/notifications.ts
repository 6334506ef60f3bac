// Applies the payment provider's notifications to payments and to the bookings and quotes that they are for.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import type { Notification, ProviderName } from '../../../../payments/provider.ts'
import {
  type Capture,
  type Payment,
  capturePayment,
  failPayment,
  findPaymentById,
  isCaptured,
  lockPayment,
  purposeOf,
  readIntentOf,
  recordNotification,
} from '../../../../payments/verbs/payments.ts'
import { isDue } from '../../../../payments/states.ts'
import { type Reading, applyReading } from '../../../../payments/verbs/readings.ts'
import { type RefundReason, refundPayment, tryRefund } from '../../../../payments/verbs/refunds.ts'
import { lapseHold } from '../../../booking/bookings/verbs/holds.ts'
import { isHeld } from '../../../booking/bookings/rules/holds.ts'
import { getBookingForUpdate, transitionBooking } from '../../../booking/bookings/verbs/transitions.ts'
import { completeAcceptance } from '../../../quoting/quotes/verbs/complete-acceptance.ts'
import { getQuoteForUpdate } from '../../../quoting/quotes/verbs/transitions.ts'

/**
 * `refunded`: captured too late or with the wrong amount. `updated`: the payment was read at the provider. `ignored`: a
 * repeated notification, one that is outdated, or one about a payment that Hearth does not have.
 */
export type NotificationOutcome =
  | 'confirmed'
  | 'awaits_approval'
  | 'accepted'
  | 'refunded'
  | 'failed'
  | 'updated'
  | 'ignored'

type PaymentNotification = Exclude<Notification, { kind: 'other' | 'changed' }>
type Captured = Extract<Notification, { kind: 'captured' }>

/**
 * Processes a verified notification once, in any order and number of deliveries. A payment that arrives in time confirms the
 * booking, or hands it to a pro who approves first, or accepts the quote. A payment that is late or of the wrong amount is
 * refunded.
 */
export async function processNotification(
  ctx: Ctx,
  { provider, notification }: { provider: ProviderName; notification: Notification },
): Promise<NotificationOutcome> {
  if (notification.kind === 'other') return 'ignored'
  if (notification.kind === 'changed') return await readIntent(ctx, provider, notification.intentId)
  const { outcome, refundId } = await ctx.transaction('processNotification', (ctx) =>
    applyNotification(ctx, provider, notification),
  )
  await tryRefund(ctx, { refundId })
  return outcome
}

/**
 * Reads the intent of a payment at its provider and updates the payment. A capture whose notification was lost is applied
 * first. Throws unavailable when the provider does not answer; the provider then sends the notification again.
 */
async function readIntent(ctx: Ctx, provider: ProviderName, intentId: string): Promise<NotificationOutcome> {
  const read = await readIntentOf(ctx, { provider, intentId })
  if (!read) return 'ignored'
  await applyIntent(ctx, { payment: read.payment, reading: read.reading })
  return 'updated'
}

/** Applies what the provider says of a payment's intent, as its notifications would. */
export async function applyIntent(
  ctx: Ctx,
  { payment, reading }: { payment: Payment; reading: Reading },
): Promise<void> {
  const { intentId, capturedCents: amountCents, currency } = reading.intent
  if (!isCaptured(payment) && amountCents > 0) {
    const captured = { id: `read-${intentId}`, paymentId: payment.id, intentId, amountCents, currency }
    await processNotification(ctx, { provider: payment.provider, notification: { kind: 'captured', ...captured } })
  }
  await ctx.transaction('applyReading', async (ctx) => {
    const locked = await lockPayment(ctx, { id: payment.id })
    // If a payment was paid by two intents, only the refunds and disputes of the first one are applied.
    if (locked?.intentId === intentId && isCaptured(locked)) await applyReading(ctx, { ...reading, payment: locked })
  })
}

interface Applied {
  outcome: NotificationOutcome
  refundId?: string
}

/** The booking or quote that a locked payment is for. */
interface Payable {
  /** Whether the booking or quote waits for this payment. */
  isOpen: boolean
  complete(): Promise<NotificationOutcome>
  /**
   * Ends a booking or quote that can no longer be paid. Call it after the refund became due, so that events show the refund.
   */
  refuse(reason: RefundReason): Promise<void>
}

async function applyNotification(
  ctx: TxCtx,
  provider: ProviderName,
  notification: PaymentNotification,
): Promise<Applied> {
  const now = ctx.clock.now()
  const unlocked = await findPaymentById(ctx, { id: notification.paymentId })
  if (
    !unlocked ||
    unlocked.provider !== provider ||
    !(await recordNotification(ctx, { provider, id: notification.id, now }))
  )
    return { outcome: 'ignored' }
  const payable = await lockPayable(ctx, unlocked)
  const payment = await lockPayment(ctx, { id: unlocked.id })
  if (!payment || isCaptured(payment)) return { outcome: 'ignored' }
  const isOpen = payable.isOpen && isDue(payment)
  if (notification.kind === 'failed') {
    if (isOpen) await failPayment(ctx, payment)
    return { outcome: isOpen ? 'failed' : 'ignored' }
  }
  const { intentId, amountCents, currency } = notification
  const capture: Capture = { intentId, amountCents, currency, at: now }
  if (isOpen && isExpected(notification, payment)) {
    await capturePayment(ctx, { payment, capture })
    return { outcome: await payable.complete() }
  }
  const reason = isOpen ? 'wrong_amount' : 'paid_too_late'
  const refundId = await refundPayment(ctx, { payment, reason, capture })
  await payable.refuse(reason)
  return { outcome: 'refunded', refundId }
}

const isExpected = ({ amountCents, currency, intentId }: Captured, payment: Payment) =>
  amountCents === payment.amountCents &&
  currency === payment.currency &&
  (payment.intentId === null || intentId === payment.intentId)

/** Locks the booking or quote of a payment, in its current state. */
function lockPayable(ctx: TxCtx, payment: Payment): Promise<Payable> {
  const purpose = purposeOf(payment)
  return 'bookingId' in purpose ? lockBooking(ctx, purpose.bookingId) : lockQuote(ctx, purpose.quoteId)
}

async function lockBooking(ctx: TxCtx, id: string): Promise<Payable> {
  const booking = await getBookingForUpdate(ctx, { access: 'system', id, now: ctx.clock.now() })
  return {
    isOpen: isHeld(booking),
    complete: async () => {
      await transitionBooking(ctx, { booking, action: booking.requiresApproval ? 'prepay' : 'pay' })
      return booking.requiresApproval ? 'awaits_approval' : 'confirmed'
    },
    refuse: async (reason) => {
      if (booking.status === 'pending') await transitionBooking(ctx, { reason, booking, action: 'lapse' })
      else if (booking.holdExpiresAt !== null) await lapseHold(ctx, { bookingId: id, now: ctx.clock.now() })
    },
  }
}

/** A quote stays open after a payment of the wrong amount: the customer may start another payment. */
async function lockQuote(ctx: TxCtx, id: string): Promise<Payable> {
  const quote = await getQuoteForUpdate(ctx, { id })
  return {
    isOpen: quote.status === 'sent' || quote.status === 'viewed',
    complete: async () => {
      await completeAcceptance(ctx, quote)
      return 'accepted'
    },
    refuse: async () => {},
  }
}
