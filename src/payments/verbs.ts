// Payments: told to the provider, taken, closed, given back. Whoever changes one has locked its booking before.
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import type { Runner, Transaction } from '../platform/postgres/database.ts'
import { transition } from '../errors/transition.ts'
import type { PaymentDue, Refund } from './schemas.ts'
import { paymentProviderOf } from './open-provider.ts'
import { type ProviderName, ProviderUnavailable } from './provider.ts'
import {
  type Capture,
  type DueRefund,
  type Payment,
  type RefundReason,
  attachIntent,
  deleteNotifications,
  findPayment,
  findRefundOf,
  finishRefund,
  insertRefund,
  leaseRefunds,
  lockPaymentOf,
  noteNotification,
  retainPayment,
  savePayment,
} from './queries.ts'
import { PAYMENT } from './states.ts'

export type { Capture, Payment, RefundReason }

/**
 * What the customer needs to pay. The provider hears of a payment after its booking is committed: whoever asks first makes
 * the intent, and all who ask get that one, also after a crash in between. Throws unavailable when the provider is away,
 * hold_expired when nobody told it of the payment in time.
 */
export async function presentPayment(deps: Deps, paymentId: string): Promise<PaymentDue> {
  const payment = await findPayment(deps.write, { id: paymentId })
  if (!payment) throw new Error('A booking waits for a payment that is not there.')
  if (payment.clientSecret) return dueOf(deps.config, { ...payment, clientSecret: payment.clientSecret })
  if (Date.parse(payment.expiresAt) <= deps.clock.now().getTime()) throw holdExpired()
  const intent = await askProvider(() =>
    paymentProviderOf(deps).createIntent({
      paymentId,
      bookingId: payment.bookingId,
      amountCents: payment.amountCents,
      currency: payment.currency,
    }),
  )
  const attached = await attachIntent(deps.write, paymentId, intent)
  return dueOf(deps.config, { ...payment, clientSecret: attached?.clientSecret ?? intent.clientSecret })
}

/** What is to be paid cannot be paid any more. */
export const holdExpired = (): AppError =>
  new AppError('hold_expired', 'The time was not paid for while it was held. Book again.')

/** Cents as the number of whole currency that the API shows. */
export const wholeCurrency = (cents: number): number => cents / 100

const dueOf = ({ baseUrl }: Config, payment: Payment & { clientSecret: string }): PaymentDue => ({
  clientSecret: payment.clientSecret,
  amount: wholeCurrency(payment.amountCents),
  currency: payment.currency,
  expiresAt: payment.expiresAt,
  payUrl: `${baseUrl}/pay/${encodeURIComponent(payment.clientSecret)}`,
})

async function askProvider<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (!(cause instanceof ProviderUnavailable)) throw cause
    throw new AppError(
      'unavailable',
      'The payment provider does not answer. Try again under the same Idempotency-Key.',
      {
        retryAfterSeconds: 5,
        cause,
      },
    )
  }
}

/** The payment with this id, not locked. */
export const findPaymentById = (db: Runner, id: string): Promise<Payment | undefined> => findPayment(db, { id })

/** Whether a notification is new; it is not the next time. */
export const noteNotice = (tx: Transaction, provider: ProviderName, id: string, now: Date): Promise<boolean> =>
  noteNotification(tx, provider, id, now)

/**
 * How long a notification is known again. Stripe repeats one for 3 days by itself and keeps it for 30, in which people can
 * send it once more; one that came even later would find the payment where it left it.
 */
const NOTIFICATION_DAYS = 90
const DAY_MS = 86_400_000

/** Forgets up to `limit` notifications that are past their time; gives how many. */
export const forgetNotices = ({ write, clock }: Pick<Deps, 'write' | 'clock'>, limit: number): Promise<number> =>
  deleteNotifications(write, { before: new Date(clock.now().getTime() - NOTIFICATION_DAYS * DAY_MS), limit })

/** Visible ASCII, as providers make them. */
const SECRET = /^[!-~]{1,255}$/

/** The payment that this secret pays. Throws payment_not_found. */
export async function getPaymentBySecret(db: Runner, clientSecret: string): Promise<Payment> {
  const payment = SECRET.test(clientSecret) ? await findPayment(db, { clientSecret }) : undefined
  if (!payment) throw new AppError('payment_not_found', 'No payment has this client secret.')
  return payment
}

/** The payment of a booking, locked with it. */
export const lockPayment = (tx: Transaction, bookingId: string): Promise<Payment | undefined> =>
  lockPaymentOf(tx, bookingId)

/** Whether it can still be paid, of a payment as it is now. */
export const isDue = ({ status }: Payment): boolean => status === 'requires_payment' || status === 'failed'

/** Whether money was taken, whatever became of it. */
export const isCaptured = ({ status }: Payment): boolean =>
  status === 'succeeded' || status === 'refunding' || status === 'refunded'

/** Notes that the money is there. */
export async function capturePayment(tx: Transaction, payment: Payment, capture: Capture): Promise<void> {
  await savePayment(tx, payment.id, transition(PAYMENT, 'payment', payment.status, 'capture'), capture)
}

/** Notes that an attempt to pay failed; another one may follow. Nothing, where that is no news any more. */
export async function failPayment(tx: Transaction, payment: Payment): Promise<void> {
  const next = PAYMENT[payment.status].fail
  if (next && next !== payment.status) await savePayment(tx, payment.id, next)
}

/** Makes money due to be given back; with `capture`, it was taken only now. The id is for {@link settleRefunds}. */
export async function refundPayment(
  tx: Transaction,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  payment: Payment,
  reason: RefundReason,
  capture?: Capture,
): Promise<string> {
  const id = ids.uuid()
  await savePayment(tx, payment.id, transition(PAYMENT, 'payment', payment.status, 'refund'), capture)
  await insertRefund(tx, { id, payment, reason, now: clock.now() })
  return id
}

/**
 * Ends the payment of a booking that is called off: what was not paid expires, what was is given back, unless `keep`.
 * The id of the refund, where there is one.
 */
export async function closePayment(
  tx: Transaction,
  deps: Pick<Deps, 'ids' | 'clock'>,
  bookingId: string,
  { reason, keep }: { reason: RefundReason; keep: boolean },
): Promise<string | undefined> {
  const payment = await lockPaymentOf(tx, bookingId)
  if (!payment) return undefined
  if (payment.status === 'requires_payment' || payment.status === 'failed') {
    await savePayment(tx, payment.id, transition(PAYMENT, 'payment', payment.status, 'expire'))
    return undefined
  }
  if (payment.status !== 'succeeded') return undefined
  if (!keep) return await refundPayment(tx, deps, payment, reason)
  await retainPayment(tx, payment.id)
  return undefined
}

/** What is given back of a booking's money; null when nothing is. */
export async function findRefund(db: Runner, bookingId: string): Promise<Refund | null> {
  const found = await findRefundOf(db, bookingId)
  return found ? { amount: wholeCurrency(found.amountCents), currency: found.currency, status: found.status } : null
}

/**
 * Gives back what is due, as far as the provider answers; the rest is due again after a growing delay. Safe to run
 * anywhere at any time: a refund that was under way when a process died is asked for again under its id, which the
 * provider knows. With `refundId`, that one alone.
 */
export async function settleRefunds(
  deps: Deps,
  { limit = 50, refundId }: { limit?: number; refundId?: string } = {},
): Promise<{ settled: number; failed: number }> {
  const due = await leaseRefunds(deps.write, { now: deps.clock.now(), limit, refundId })
  let settled = 0
  for (const refund of due) if (await settle(deps, refund)) settled++
  return { settled, failed: due.length - settled }
}

/** {@link settleRefunds} of one refund right after it became due. Where that fails, it stays due: nobody need know. */
export async function settleSoon(deps: Deps, refundId: string | undefined): Promise<void> {
  if (refundId === undefined) return
  try {
    await settleRefunds(deps, { refundId })
  } catch (error) {
    deps.log.warn({ err: error, refundId }, 'a refund stays due')
  }
}

async function settle(deps: Deps, refund: DueRefund): Promise<boolean> {
  try {
    const providerRefundId = await paymentProviderOf(deps).refund({ ...refund, refundId: refund.id })
    await deps.write.begin('settleRefund', async (tx) => {
      const payment = await findPayment(tx, { id: refund.paymentId })
      if (payment && (await finishRefund(tx, refund.id, providerRefundId, deps.clock.now())))
        await savePayment(tx, payment.id, transition(PAYMENT, 'payment', payment.status, 'settle'))
    })
    return true
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    deps.log.warn({ err: error, refundId: refund.id }, 'a refund stays due')
    return false
  }
}
