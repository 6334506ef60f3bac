// Paying in the sandbox, and what the page about a payment shows.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { SandboxReceipt } from '../../../payments/schemas.ts'
import { type Payment, getPaymentBySecret, holdExpired, isDue, wholeCurrency } from '../../../payments/verbs.ts'
import type { Booking } from '../../bookings/schemas.ts'
import { takeNotification } from './payments.ts'
import { findBooking } from '../../bookings/verbs/reserve.ts'

/** A payment and what it is for, as they are now. */
export interface PaymentView {
  payment: Payment
  booking: Booking
}

/** What this secret pays. Throws payment_not_found. */
export async function getPaymentView({ write, clock }: Deps, clientSecret: string): Promise<PaymentView> {
  const payment = await getPaymentBySecret(write, clientSecret)
  const seller = { accountId: null, professionalId: payment.professionalId }
  const booking = await findBooking(write, seller, payment.bookingId, clock.now())
  if (!booking) throw new AppError('payment_not_found', 'No payment has this client secret.')
  return { payment: asOf(payment, clock.now()), booking }
}

/** Unpaid past its time is expired, whether or not that has been written down. */
const asOf = (payment: Payment, now: Date): Payment =>
  isDue(payment) && Date.parse(payment.expiresAt) <= now.getTime() ? { ...payment, status: 'expired' } : payment

/**
 * The imagined bank pays, or does not. Paying twice is paying once; paying too late is given back. Throws
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
    throw new AppError('payment_not_found', 'No payment of the sandbox has this client secret.')
  const id = deps.ids.uuid()
  await takeNotification(
    deps,
    'sandbox',
    outcome === 'succeeds'
      ? { kind: 'captured', id, paymentId, intentId, amountCents, currency }
      : { kind: 'failed', id, paymentId },
  )
  const { payment, booking } = await getPaymentView(deps, clientSecret)
  return {
    payment: { status: payment.status, amount: wholeCurrency(amountCents), currency },
    booking: { id: booking.id, confirmationCode: booking.confirmationCode, status: booking.status },
  }
}

/** What a wallet can pay with at the imagined bank. */
const TOKENS: Readonly<Record<string, 'succeeds' | 'fails'>> = { sandbox_succeeds: 'succeeds', sandbox_fails: 'fails' }

/**
 * Pays with a wallet's token, once: what was paid stays as it is, and nothing is taken that would have to go back. Throws
 * hold_expired once the time is not held any more, payment_refused for a token that does not pay, payment_not_found.
 */
export async function paySandboxByToken(deps: Deps, clientSecret: string, token: unknown): Promise<PaymentView> {
  const before = await getPaymentView(deps, clientSecret)
  if (before.payment.status === 'succeeded') return before
  if (!isDue(before.payment)) throw holdExpired()
  const outcome = typeof token === 'string' ? TOKENS[token] : undefined
  if (!outcome) throw new AppError('payment_refused', 'The sandbox knows no such token.')
  await paySandbox(deps, clientSecret, outcome)
  const after = await getPaymentView(deps, clientSecret)
  if (after.payment.status === 'succeeded') return after
  throw after.payment.status === 'failed' ? new AppError('payment_refused', 'The payment was declined.') : holdExpired()
}
