// Payments: created at the provider, paid, captured. A caller that changes a payment has locked the booking or quote that
// it is for.
import type { Config } from '../../config.ts'
import type { Ctx, TxCtx } from '../../ctx.ts'
import { AppError } from '../../errors/app-error.ts'
import { fromCents } from '../../platform/schema/money.ts'
import { transition } from '../../transition.ts'
import type { PaymentDue } from '../schemas.ts'
import { newPaymentProvider, paymentsNotConfigured, providerNamed, reportMisconfigured } from '../open-provider.ts'
import {
  type ProviderName,
  PaymentRefused,
  ProviderMisconfigured,
  ProviderNotConfigured,
  ProviderUnavailable,
} from '../provider.ts'
import {
  type Capture,
  type Payment,
  type Purpose,
  findCaptured,
  findPayment,
  insertNotification,
  isTestPro,
  lockPaymentOf,
  savePayment,
} from '../queries/payments.ts'
import { attachIntent, findPaymentOfIntent, insertDepositPayment, selectPaymentsOf } from '../queries/payments.sql.ts'
import { selectSums } from '../queries/refunds.ts'
import { PAYMENT, isDue } from '../states.ts'
import { type Reading, readPayment } from './readings.ts'

export type { Capture, Payment }

/**
 * What the customer needs in order to pay. The intent is created after the payment is committed, by the first call; all
 * calls get the same intent, even after a crash in between. Throws unavailable when the provider does not answer or is not
 * configured any more, and hold_expired when the deadline passed before an intent was created.
 */
export async function presentPayment(ctx: Ctx, { paymentId }: { paymentId: string }): Promise<PaymentDue> {
  const payment = await findPayment(ctx, { id: paymentId })
  if (!payment) throw new Error('The payment of a booking or quote is missing.')
  return await withIntent(ctx, payment)
}

async function withIntent(ctx: Ctx, payment: Payment): Promise<PaymentDue> {
  if (payment.clientSecret) return dueOf(ctx.config, { ...payment, clientSecret: payment.clientSecret })
  if (Date.parse(payment.expiresAt) <= ctx.clock.now().getTime()) throw holdExpired()
  const intent = await callProvider(ctx, () =>
    providerNamed(ctx, payment.provider).createIntent({
      paymentId: payment.id,
      purpose: purposeOf(payment),
      amountCents: payment.amountCents,
      currency: payment.currency,
    }),
  )
  const attached = await attachIntent(ctx, { ...intent, paymentId: payment.id })
  return dueOf(ctx.config, { ...payment, clientSecret: attached?.clientSecret ?? intent.clientSecret })
}

/** What can still be paid for those of the bookings that are held, by booking. Throws like {@link presentPayment}. */
export async function findPaymentsDue(
  ctx: Ctx,
  { bookings }: { bookings: readonly { id: string; holdExpiresAt: string | null }[] },
): Promise<ReadonlyMap<string | null, PaymentDue>> {
  const held = bookings.filter(({ holdExpiresAt }) => holdExpiresAt !== null).map(({ id }) => id)
  const payments = held.length === 0 ? [] : await selectPaymentsOf(ctx, { bookingIds: held })
  const now = ctx.clock.now().getTime()
  const due = payments.filter((payment) => isDue(payment) && Date.parse(payment.expiresAt) > now)
  return new Map(await Promise.all(due.map(async (it) => [it.bookingId, await withIntent(ctx, it)] as const)))
}

/** The number on a payment's receipt, the provider that took it, and what refunds failed to return; undefined before it is paid. */
export async function findReceipt(
  ctx: Ctx,
  purpose: Purpose,
): Promise<{ number: string; provider: ProviderName; capturedAt: string; failedCents: number } | undefined> {
  const payment = await findCaptured(ctx, purpose)
  if (!payment || payment.capturedAt === null) return undefined
  // The end of an id is random; its start is a time.
  const number = payment.id.slice(-12).toUpperCase()
  const { failedCents } = await selectSums(ctx, payment)
  return { number, provider: payment.provider, capturedAt: payment.capturedAt, failedCents }
}

/** What the payment is for. */
export function purposeOf({ bookingId, quoteId }: Payment): Purpose {
  if (bookingId !== null) return { bookingId }
  if (quoteId !== null) return { quoteId }
  throw new Error('A payment is for a booking or a quote.')
}

/** The payment deadline has passed. */
export const holdExpired = (): AppError =>
  new AppError('hold_expired', 'The time to pay has ended. Book again, or ask the pro for a new quote.')

/**
 * The payment of a locked quote's deposit, due until `expiresAt`: the open one, or a new one. One of the sandbox gives way
 * to the provider that was configured since. Returns its id for {@link presentPayment}. Throws payments_not_configured.
 */
export async function startDepositPayment(
  ctx: TxCtx,
  { quoteId, ...due }: { quoteId: string; professionalId: string; depositCents: number; expiresAt: Date },
): Promise<string> {
  const open = await lockPaymentOf(ctx, { quoteId })
  if (open && (open.provider !== 'sandbox' || !isDue(open))) return open.id
  const isTest = await isTestPro(ctx, { professionalId: due.professionalId })
  const provider = isTest ? 'sandbox' : newPaymentProvider(ctx.config)
  if (!provider) throw paymentsNotConfigured()
  if (open?.provider === provider) return open.id
  if (open) await savePayment(ctx, { id: open.id, status: transition(PAYMENT, 'payment', open.status, 'expire') })
  const id = ctx.ids.uuid()
  await insertDepositPayment(ctx, { ...due, id, quoteId, provider, now: ctx.clock.now() })
  return id
}

/**
 * Whether the sandbox may take a payment to this pro: in production only to test pros, because nothing real is paid by
 * a simulation.
 */
export const sandboxTakes = async (ctx: Ctx, { professionalId }: { professionalId: string }): Promise<boolean> =>
  ctx.config.environment !== 'production' || (await isTestPro(ctx, { professionalId }))

/** Whether a deposit to the pro can be paid. */
export const takesDeposits = async (ctx: Ctx, { professionalId }: { professionalId: string }) =>
  newPaymentProvider(ctx.config) !== undefined || (await isTestPro(ctx, { professionalId }))

const dueOf = ({ baseUrl }: Config, payment: Payment & { clientSecret: string }): PaymentDue => ({
  clientSecret: payment.clientSecret,
  amount: fromCents(payment.amountCents),
  currency: payment.currency,
  expiresAt: payment.expiresAt,
  payUrl: `${baseUrl}/pay/${encodeURIComponent(payment.clientSecret)}`,
})

const REFUSALS: Record<PaymentRefused['reason'], string> = {
  declined: 'The payment was declined. Use another payment method.',
  too_small: 'The amount is below the smallest one that can be paid online. Ask the pro for a quote instead.',
  refused: 'The payment provider does not take this payment. Ask the pro for a quote instead.',
}

async function callProvider<T>(ctx: Ctx, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    if (cause instanceof PaymentRefused) {
      ctx.log.error({ err: cause }, 'the payment provider refused to start a payment')
      throw new AppError('payment_refused', REFUSALS[cause.reason], { cause })
    }
    reportMisconfigured(ctx, cause)
    if (cause instanceof ProviderNotConfigured || cause instanceof ProviderMisconfigured)
      throw new AppError('unavailable', 'Payments are not possible at the moment. Try again later.', {
        retryAfterSeconds: 60,
        cause,
      })
    if (!(cause instanceof ProviderUnavailable)) throw cause
    throw new AppError(
      'unavailable',
      'The payment provider does not answer. Try again with the same Idempotency-Key.',
      {
        retryAfterSeconds: 5,
        cause,
      },
    )
  }
}

/** The payment with this id, not locked. */
export const findPaymentById = (ctx: TxCtx, { id }: { id: string }): Promise<Payment | undefined> =>
  findPayment(ctx, { id })

/** Records a notification's id. Returns true the first time it is seen. */
export const recordNotification = (
  ctx: TxCtx,
  { provider, id, now }: { provider: ProviderName; id: string; now: Date },
): Promise<boolean> => insertNotification(ctx, { provider, id, now })

/** Visible ASCII, like the secrets of both providers. */
const SECRET = /^[!-~]{1,255}$/

/** The payment with this client secret. Throws payment_not_found. */
export async function getPaymentBySecret(ctx: Ctx, { clientSecret }: { clientSecret: string }): Promise<Payment> {
  const payment = SECRET.test(clientSecret) ? await findPayment(ctx, { clientSecret }) : undefined
  if (!payment) throw new AppError('payment_not_found', 'No payment has this client secret.')
  return payment
}

/** The payment with this id, locked. */
export const lockPayment = (ctx: TxCtx, { id }: { id: string }): Promise<Payment | undefined> =>
  lockPaymentOf(ctx, { id })

/** Whether it was ever captured. */
export const isCaptured = ({ status }: Payment): boolean =>
  status === 'succeeded' || status === 'refunding' || status === 'refunded'

/** Records the capture. */
export async function capturePayment(
  ctx: TxCtx,
  { payment, capture }: { payment: Payment; capture: Capture },
): Promise<void> {
  await savePayment(ctx, { id: payment.id, status: transition(PAYMENT, 'payment', payment.status, 'capture'), capture })
}

/** Records a failed attempt to pay; another may follow. Does nothing where the state does not allow it. */
export async function failPayment(ctx: TxCtx, payment: Payment): Promise<void> {
  const next = PAYMENT[payment.status].fail
  if (next && next !== payment.status) await savePayment(ctx, { id: payment.id, status: next })
}

/**
 * Reads any intent of Stripe, and the payment that it is of: the one that has it, or the one that its metadata
 * names. Throws ProviderUnavailable.
 */
export async function readAnyIntent(
  ctx: Ctx,
  { intentId }: { intentId: string },
): Promise<{ payment: Payment | undefined; reading: Reading } | undefined> {
  const provider = providerNamed(ctx, 'stripe')
  if (!provider.readIntent) return undefined
  const known = await findPaymentOfIntent(ctx, { provider: provider.name, intentId })
  if (known) {
    const reading = await readPayment(ctx, { provider, payment: known })
    return reading && { payment: known, reading }
  }
  const intent = await provider.readIntent(intentId)
  const named = intent.paymentId === undefined ? undefined : await findPayment(ctx, { id: intent.paymentId })
  return { payment: named, reading: { number: 0, intent } }
}

/**
 * Reads a provider's intent if it is of one of our payments. Throws unavailable when the provider does not answer: it sends
 * its notification again.
 */
export async function readIntentOf(
  ctx: Ctx,
  { provider, intentId }: { provider: ProviderName; intentId: string },
): Promise<{ payment: Payment; reading: Reading } | undefined> {
  const payment = await findPaymentOfIntent(ctx, { provider, intentId })
  if (!payment) return undefined
  const reading = await callProvider(ctx, () => readPayment(ctx, { provider: providerNamed(ctx, provider), payment }))
  return reading && { payment, reading }
}
