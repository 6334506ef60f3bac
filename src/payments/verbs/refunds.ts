// Refunds, and the end of payments. A caller that changes a payment has locked the booking or quote that it is for.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { transition } from '../../errors/transition.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { fromCents } from '../../platform/schema/money.ts'
import { providerNamed } from '../open-provider.ts'
import { ProviderUnavailable } from '../provider.ts'
import {
  type Capture,
  type DueRefund,
  type Payment,
  type Purpose,
  findRefundedPayment,
  claimRefunds,
  finishRefund,
  insertRefund,
  lockPaymentOf,
  planRefundMessage,
  retainPayment,
  savePayment,
  sumRefunds,
} from '../queries.ts'
import { PAYMENT, type RefundReason, isDue } from '../states.ts'

export type { RefundReason }

/** Makes a refund due, after recording `capture` if given. Returns the refund's id for {@link settleRefunds}. */
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

/** An operator's refund. */
export interface OperatorRefund {
  /** Chosen by the form, so that it takes effect once however often it is sent. */
  id: string
  paymentId: string
  amountCents: number
  note: string
}

/**
 * Makes an operator's refund of a captured payment due: of a part, after which the payment stays captured, or of all that
 * is left. Returns the locked payment, or undefined if the refund exists. Throws payment_not_found,
 * invalid_transition for a payment that is not paid, and validation_failed for more than what is left. The database refuses more than what was paid, too.
 */
export async function refundByOperator(
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { id, paymentId, amountCents, note }: OperatorRefund,
): Promise<Payment | undefined> {
  const payment = await lockPaymentOf(tx, { id: paymentId })
  if (!payment) throw new AppError('payment_not_found', 'No payment has this id.')
  const refunded = await findRefundedPayment(tx, id)
  if (refunded === paymentId) return undefined
  if (refunded !== undefined) throw invalidField('refundId', 'must be of this payment: open the page again')
  if (payment.status !== 'succeeded')
    throw new AppError('invalid_transition', `${NOT_REFUNDABLE[payment.status]} There is nothing to refund.`)
  const left = payment.amountCents - (await sumRefunds(tx, paymentId)).cents
  if (amountCents > left)
    throw invalidField('amount', `must be at most ${fromCents(left)}, which is left of the payment`)
  const isRest = amountCents === left
  if (isRest) await savePayment(tx, paymentId, transition(PAYMENT, 'payment', payment.status, 'refund'))
  const now = clock.now()
  await insertRefund(tx, { id, payment, reason: 'operator', note, now, ...(isRest ? {} : { partCents: amountCents }) })
  return payment
}

const NOT_REFUNDABLE: Record<Exclude<Payment['status'], 'succeeded'>, string> = {
  requires_payment: 'It was not paid yet.',
  failed: 'It was not paid yet.',
  expired: 'It was not paid in time.',
  refunding: 'All of it is being refunded.',
  refunded: 'All of it was refunded.',
}

/**
 * Ends the payment of what is cancelled or over: an unpaid one expires, a paid one is refunded unless `keep`. Returns the
 * refund's id, if any.
 */
export async function closePayment(
  tx: Transaction,
  deps: Pick<Deps, 'ids' | 'clock'>,
  purpose: Purpose,
  { reason, keep = false }: { reason: RefundReason; keep?: boolean },
): Promise<string | undefined> {
  const payment = await lockPaymentOf(tx, purpose)
  if (!payment) return undefined
  if (isDue(payment)) {
    await savePayment(tx, payment.id, transition(PAYMENT, 'payment', payment.status, 'expire'))
    return undefined
  }
  if (payment.status !== 'succeeded') return undefined
  if (!keep) return await refundPayment(tx, deps, payment, reason)
  await retainPayment(tx, payment.id)
  return undefined
}

/**
 * Sends due refunds to the provider; a failed one is due again after a growing delay. Safe to run concurrently: a refund
 * that a dying process had started is sent again under the same id, which the provider refunds only once. With `refundId`,
 * only that refund.
 */
export async function settleRefunds(
  deps: Deps,
  { limit = 50, refundId }: { limit?: number; refundId?: string } = {},
): Promise<{ settled: number; failed: number }> {
  const due = await claimRefunds(deps.write, { now: deps.clock.now(), limit, refundId })
  let settled = 0
  for (const refund of due) if (await settle(deps, refund)) settled++
  return { settled, failed: due.length - settled }
}

/** Sends a refund right after it became due. On failure it stays due for the sweep. */
export async function tryRefund(deps: Deps, refundId: string | undefined): Promise<void> {
  if (refundId === undefined) return
  try {
    await settleRefunds(deps, { refundId })
  } catch (error) {
    deps.log.warn({ err: error, refundId }, 'refund failed; it stays due')
  }
}

async function settle(deps: Deps, refund: DueRefund): Promise<boolean> {
  try {
    const providerRefundId = await providerNamed(deps, refund.provider).refund({ ...refund, refundId: refund.id })
    await deps.write.begin('settleRefund', async (tx) => {
      const payment = await lockPaymentOf(tx, { id: refund.paymentId })
      if (!payment || !(await finishRefund(tx, refund.id, providerRefundId, deps.clock.now()))) return
      const isLast = payment.status === 'refunding' && !(await sumRefunds(tx, payment.id)).isPending
      if (isLast) await savePayment(tx, payment.id, transition(PAYMENT, 'payment', payment.status, 'settle'))
      await planRefundMessage(tx, refund.id, deps.clock.now())
    })
    return true
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    deps.log.warn({ err: error, refundId: refund.id }, 'refund failed; it stays due')
    return false
  }
}
