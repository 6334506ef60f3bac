// Sandbox payments, and the view of a payment with what it is for.
import { type Actor, refuseOwnBusiness } from '../../../../auth/accounts/verbs.ts'
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { SandboxReceipt } from '../../../../payments/schemas.ts'
import { isDue } from '../../../../payments/states.ts'
import {
  type Payment,
  getPaymentBySecret,
  holdExpired,
  purposeOf,
  sandboxTakes,
} from '../../../../payments/verbs/payments.ts'
import { fromCents } from '../../../../platform/schema/money.ts'
import type { Booking } from '../../../booking/bookings/schemas.ts'
import { findBooking } from '../../../booking/bookings/verbs/find-booking.ts'
import type { Quote } from '../../../quoting/quotes/schemas.ts'
import { getStored } from '../../../quoting/quotes/verbs/quotes.ts'
import { processNotification } from './notifications.ts'

/** A payment and its booking or quote. */
export interface PaymentView {
  payment: Payment
  booking: Booking | null
  quote: Quote | null
}

/** A payment and its booking. */
export type BookingPaymentView = PaymentView & { booking: Booking }

/**
 * The payment with this client secret and what it is for. Throws payment_not_found, also for an unpaid one of the sandbox
 * where real payments are made.
 */
export async function getPaymentView(ctx: Ctx, { clientSecret }: { clientSecret: string }): Promise<PaymentView> {
  const { clock } = ctx
  const stored = await getPaymentBySecret(ctx, { clientSecret })
  if (
    stored.provider === 'sandbox' &&
    isDue(stored) &&
    !(await sandboxTakes(ctx, { professionalId: stored.professionalId }))
  )
    throw paymentNotFound()
  const payment = currentState(stored, clock.now())
  const purpose = purposeOf(payment)
  if ('quoteId' in purpose)
    return { payment, booking: null, quote: await getStored(ctx, { id: purpose.quoteId, now: clock.now() }) }
  const viewer = { accountId: null, professionalId: payment.professionalId }
  const booking = await findBooking(ctx.as(viewer), { id: purpose.bookingId, now: clock.now() })
  if (!booking) throw paymentNotFound()
  return { payment, booking, quote: null }
}

/** The same for bookings only: agents pay for what they book, but never accept a quote. Throws payment_not_found. */
export async function getBookingPaymentView(
  ctx: Ctx,
  { clientSecret }: { clientSecret: string },
): Promise<BookingPaymentView> {
  const { booking, ...view } = await getPaymentView(ctx, { clientSecret })
  if (!booking) throw paymentNotFound()
  return { ...view, booking }
}

const paymentNotFound = () => new AppError('payment_not_found', 'No payment has this client secret.')

/** An unpaid payment past its deadline is expired, even if the row does not say so yet. */
const currentState = (payment: Payment, now: Date): Payment =>
  isDue(payment) && Date.parse(payment.expiresAt) <= now.getTime() ? { ...payment, status: 'expired' } : payment

/**
 * Simulates a payment that succeeds or fails. A repeated payment has no effect; a late one is refunded. Throws
 * payment_not_found, also for payments of another provider.
 */
export async function paySandbox(
  ctx: Ctx,
  { clientSecret, outcome }: { clientSecret: string; outcome: 'succeeds' | 'fails' },
): Promise<SandboxReceipt> {
  const {
    provider,
    professionalId,
    id: paymentId,
    intentId,
    amountCents,
    currency,
  } = await getPaymentBySecret(ctx, { clientSecret })
  const isOurs = provider === 'sandbox' && (await sandboxTakes(ctx, { professionalId }))
  if (!isOurs || intentId === null)
    throw new AppError('payment_not_found', 'No sandbox payment has this client secret.')
  const id = ctx.ids.uuid()
  await processNotification(ctx, {
    provider: 'sandbox',
    notification:
      outcome === 'succeeds'
        ? { kind: 'captured', id, paymentId, intentId, amountCents, currency }
        : { kind: 'failed', id, paymentId },
  })
  const { payment, booking, quote } = await getPaymentView(ctx, { clientSecret })
  return {
    payment: { status: payment.status, amount: fromCents(amountCents), currency },
    booking: booking && { id: booking.id, confirmationCode: booking.confirmationCode, status: booking.status },
    quote: quote && { id: quote.id, status: quote.status },
  }
}

/** {@link paySandbox} by the secret's holder. Throws own_business when a pro pays as the customer, which accepts a quote. */
export async function payAsCustomer(
  ctx: Ctx<Actor>,
  { clientSecret, outcome }: { clientSecret: string; outcome: 'succeeds' | 'fails' },
): Promise<SandboxReceipt> {
  await refuseOwnBusiness(ctx, { professionalId: (await getPaymentBySecret(ctx, { clientSecret })).professionalId })
  return await paySandbox(ctx, { clientSecret, outcome })
}

/** The wallet tokens that the sandbox accepts. */
const TOKENS: Readonly<Record<string, 'succeeds' | 'fails'>> = { sandbox_succeeds: 'succeeds', sandbox_fails: 'fails' }

/**
 * Pays with a wallet's token. A paid payment stays as it is; a late one is refused instead of captured and refunded. Throws
 * hold_expired, payment_refused for a token that does not pay, and payment_not_found.
 */
export async function paySandboxByToken(
  ctx: Ctx,
  { clientSecret, token }: { clientSecret: string; token: unknown },
): Promise<BookingPaymentView> {
  const before = await getBookingPaymentView(ctx, { clientSecret })
  if (before.payment.status === 'succeeded') return before
  if (!isDue(before.payment)) throw holdExpired()
  const outcome = typeof token === 'string' ? TOKENS[token] : undefined
  if (!outcome)
    throw new AppError('payment_refused', 'This is not a sandbox token. Use sandbox_succeeds or sandbox_fails.')
  await paySandbox(ctx, { clientSecret, outcome })
  const after = await getBookingPaymentView(ctx, { clientSecret })
  if (after.payment.status === 'succeeded') return after
  throw after.payment.status === 'failed'
    ? new AppError('payment_refused', 'The payment was declined. Use another payment method.')
    : holdExpired()
}
