// Sandbox payments, and the view of a payment with its booking.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { SandboxReceipt } from '../../../payments/schemas.ts'
import { type Payment, getPaymentBySecret, holdExpired, isDue } from '../../../payments/verbs.ts'
import { fromCents } from '../../../platform/schema/money.ts'
import type { Booking } from '../../bookings/schemas.ts'
import { findBooking } from '../../bookings/verbs/find-booking.ts'
import { processNotification } from './notifications.ts'

/** A payment and its booking. */
export interface PaymentView {
  payment: Payment
  booking: Booking
}

/** The payment with this client secret and its booking. Throws payment_not_found. */
export async function getPaymentView({ write, clock }: Deps, clientSecret: string): Promise<PaymentView> {
  const payment = await getPaymentBySecret(write, clientSecret)
  const viewer = { accountId: null, professionalId: payment.professionalId }
  const booking = await findBooking(write, viewer, payment.bookingId, clock.now())
  if (!booking) throw new AppError('payment_not_found', 'No payment has this client secret.')
  return { payment: currentState(payment, clock.now()), booking }
}

/** An unpaid payment past its deadline is expired, even if the row does not say so yet. */
const currentState = (payment: Payment, now: Date): Payment =>
  isDue(payment) && Date.parse(payment.expiresAt) <= now.getTime() ? { ...payment, status: 'expired' } : payment

/**
 * Simulates a payment that succeeds or fails. A repeated payment has no effect; a late one is refunded. Throws
 * payment_not_found, also for payments of another provider.
 */
export async function paySandbox(
  deps: Deps,
  clientSecret: string,
  outcome: 'succeeds' | 'fails',
): Promise<SandboxReceipt> {
  const {
    provider,
    id: paymentId,
    intentId,
    amountCents,
    currency,
  } = await getPaymentBySecret(deps.write, clientSecret)
  if (provider !== 'sandbox' || intentId === null)
    throw new AppError('payment_not_found', 'No sandbox payment has this client secret.')
  const id = deps.ids.uuid()
  await processNotification(
    deps,
    'sandbox',
    outcome === 'succeeds'
      ? { kind: 'captured', id, paymentId, intentId, amountCents, currency }
      : { kind: 'failed', id, paymentId },
  )
  const { payment, booking } = await getPaymentView(deps, clientSecret)
  return {
    payment: { status: payment.status, amount: fromCents(amountCents), currency },
    booking: { id: booking.id, confirmationCode: booking.confirmationCode, status: booking.status },
  }
}

/** The wallet tokens that the sandbox accepts. */
const TOKENS: Readonly<Record<string, 'succeeds' | 'fails'>> = { sandbox_succeeds: 'succeeds', sandbox_fails: 'fails' }

/**
 * Pays with a wallet's token. A paid payment stays as it is; a late one is refused instead of captured and refunded. Throws
 * hold_expired, payment_refused for a token that does not pay, and payment_not_found.
 */
export async function paySandboxByToken(deps: Deps, clientSecret: string, token: unknown): Promise<PaymentView> {
  const before = await getPaymentView(deps, clientSecret)
  if (before.payment.status === 'succeeded') return before
  if (!isDue(before.payment)) throw holdExpired()
  const outcome = typeof token === 'string' ? TOKENS[token] : undefined
  if (!outcome)
    throw new AppError('payment_refused', 'This is not a sandbox token. Use sandbox_succeeds or sandbox_fails.')
  await paySandbox(deps, clientSecret, outcome)
  const after = await getPaymentView(deps, clientSecret)
  if (after.payment.status === 'succeeded') return after
  throw after.payment.status === 'failed'
    ? new AppError('payment_refused', 'The payment was declined. Use another payment method.')
    : holdExpired()
}
