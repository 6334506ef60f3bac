// Refunds, and the end of payments. A caller that changes a payment has locked the booking or quote that it is for.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { transition } from '../../errors/transition.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { fromCents } from '../../platform/schema/money.ts'
import { configuredProviders, providerNamed, reportMisconfigured } from '../open-provider.ts'
import { ProviderUnavailable, RefundRefused } from '../provider.ts'
import {
  type Capture,
  type Payment,
  type Purpose,
  findPayment,
  lockPaymentOf,
  retainPayment,
  savePayment,
} from '../queries/payments.ts'
import {
  type DueRefund,
  type RefundFact,
  claimRefunds,
  findRefundedPayment,
  insertRefund,
  insertRest,
  isRefundDue,
  replaceRefund,
  saveReturned,
  selectRefundsOf,
  selectSums,
} from '../queries/refunds.ts'
import { PAYMENT, REFUND, type RefundReason, isDue } from '../states.ts'
import { applyReading, applyRefund, fitRefunds, readPayment } from './readings.ts'

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
  const { refundableCents: left } = await selectSums(tx, payment)
  if (amountCents > left)
    throw invalidField('amount', `must be at most ${fromCents(left)}, which is left of the payment`)
  const isRest = amountCents === left
  if (isRest) await savePayment(tx, paymentId, transition(PAYMENT, 'payment', payment.status, 'refund'))
  const now = clock.now()
  await insertRefund(tx, { id, payment, reason: 'operator', note, now, ...(isRest ? {} : { partCents: amountCents }) })
  return payment
}

/**
 * What an operator does about a failed refund: a new refund of the same money is sent, or the money was returned without the
 * provider. Returns the payment and the id of the new refund, if any. Throws invalid_transition for a refund that has not failed,
 * and payment_not_found.
 */
export async function resolveFailedRefund(
  tx: Transaction,
  deps: Pick<Deps, 'clock' | 'ids'>,
  { paymentId, refundId, note }: { paymentId: string; refundId: string; note?: string },
): Promise<{ payment: Payment; newId: string | undefined }> {
  const payment = await lockPaymentOf(tx, { id: paymentId })
  const refund = (await selectRefundsOf(tx, paymentId)).find(({ id }) => id === refundId)
  if (!payment || !refund) throw new AppError('payment_not_found', 'No payment has this refund.')
  const now = deps.clock.now()
  if (note !== undefined) {
    transition(REFUND, 'refund', refund.status, 'return')
    await saveReturned(tx, refundId, note, now)
    await fitRefunds(tx, deps, payment)
    return { payment, newId: undefined }
  }
  if (refund.status !== 'failed')
    throw new AppError('invalid_transition', 'Only a failed refund can be sent again. Open the page again.')
  await replaceRefund(tx, refundId)
  const newId = deps.ids.uuid()
  await insertRest(tx, { id: newId, of: refundId, status: 'part', amountCents: refund.amountCents, now })
  return { payment, newId }
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
 * Sends due refunds to the provider; one that the provider does not answer is due again after a growing delay. Safe to run
 * concurrently, and after any crash: a refund that may have been made is looked up at the provider before it is sent again.
 * With `refundId`, only that refund.
 */
export async function settleRefunds(
  deps: Deps,
  { limit = 50, refundId }: { limit?: number; refundId?: string } = {},
): Promise<{ settled: number; failed: number }> {
  const due = await claimRefunds(deps.write, {
    now: deps.clock.now(),
    limit,
    refundId,
    providers: configuredProviders(deps.config),
  })
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

/** Whether the refund is no longer due. */
async function settle(deps: Deps, refund: DueRefund): Promise<boolean> {
  try {
    if (refund.isUncertain && !(await isStillDue(deps, refund))) return true
    return await send(deps, refund)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    reportMisconfigured(deps, error)
    deps.log.warn({ err: error, refundId: refund.id }, 'refund failed; it stays due')
    return false
  }
}

async function send(deps: Deps, refund: DueRefund): Promise<boolean> {
  try {
    const made = await providerNamed(deps, refund.provider).refund({ ...refund, refundId: refund.id })
    await saveFact(deps, refund, { ...made, providerRefundId: made.id })
    return true
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error
    deps.log.warn({ err: error, refundId: refund.id }, 'the provider refused a refund')
    // Somebody may have refunded it in the provider's dashboard, or a dispute may have been opened.
    if (!(await isStillDue(deps, refund))) return true
    await saveFact(deps, refund, { state: 'failed', providerRefundId: null, failure: error.message.slice(0, 500) })
    return true
  }
}

/** Looks the payment up at the provider. Whether the refund is still to be made, and no dispute holds it. */
const isStillDue = async (deps: Deps, { id, paymentId, provider }: DueRefund): Promise<boolean> => {
  const payment = await findPayment(deps.write, { id: paymentId })
  const reading = payment && (await readPayment(deps, providerNamed(deps, provider), payment))
  return await deps.write.begin('lookUpRefund', async (tx) => {
    const locked = await lockPaymentOf(tx, { id: paymentId })
    if (!locked) return false
    if (reading) await applyReading(tx, deps, locked, reading)
    return await isRefundDue(tx, id)
  })
}

const saveFact = (deps: Deps, refund: DueRefund, fact: RefundFact): Promise<void> =>
  deps.write.begin('settleRefund', async (tx) => {
    const payment = await lockPaymentOf(tx, { id: refund.paymentId })
    const row = (await selectRefundsOf(tx, refund.paymentId)).find(({ id }) => id === refund.id)
    if (!payment || !row) return
    await applyRefund(tx, deps, row, fact)
    await fitRefunds(tx, deps, payment)
  })
