// Refunds, and the end of payments. A caller that changes a payment has locked the booking or quote that it is for.
import type { Ctx, TxCtx } from '../../ctx.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { transition } from '../../transition.ts'
import { fromCents } from '../../platform/schema/money.ts'
import { configuredProviders, providerNamed, reportMisconfigured } from '../open-provider.ts'
import { ProviderUnavailable, RefundRefused } from '../provider.ts'
import {
  type Capture,
  type Payment,
  type Purpose,
  findPayment,
  lockPaymentOf,
  savePayment,
} from '../queries/payments.ts'
import { retainPayment } from '../queries/payments.sql.ts'
import {
  type DueRefund,
  type RefundFact,
  claimRefunds,
  findRefundedPayment,
  insertRefund,
  insertRest,
  isRefundDue,
  selectSums,
} from '../queries/refunds.ts'
import { replaceRefund, saveReturned, selectRefundsOf } from '../queries/refunds.sql.ts'
import { PAYMENT, REFUND, type RefundReason, isDue } from '../states.ts'
import { applyReading, applyRefund, fitRefunds, readPayment } from './readings.ts'

export type { RefundReason }

/** Makes a refund due, after recording `capture` if given. Returns the refund's id for {@link settleRefunds}. */
export async function refundPayment(
  ctx: TxCtx,
  { payment, reason, capture }: { payment: Payment; reason: RefundReason; capture?: Capture },
): Promise<string> {
  const id = ctx.ids.uuid()
  await savePayment(ctx, { id: payment.id, status: transition(PAYMENT, 'payment', payment.status, 'refund'), capture })
  await insertRefund(ctx, { id, payment, reason, now: ctx.clock.now() })
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
  ctx: TxCtx,
  { id, paymentId, amountCents, note }: OperatorRefund,
): Promise<Payment | undefined> {
  const payment = await lockPaymentOf(ctx, { id: paymentId })
  if (!payment) throw new AppError('payment_not_found', 'No payment has this id.')
  const refunded = await findRefundedPayment(ctx, { refundId: id })
  if (refunded === paymentId) return undefined
  if (refunded !== undefined) throw invalidField('refundId', 'must belong to this payment: open the page again')
  if (payment.status !== 'succeeded')
    throw new AppError('invalid_transition', `${NOT_REFUNDABLE[payment.status]} There is nothing to refund.`)
  const { refundableCents: left } = await selectSums(ctx, payment)
  if (amountCents > left)
    throw invalidField('amount', `must be at most ${fromCents(left)}, which is left of the payment`)
  const isRest = amountCents === left
  if (isRest)
    await savePayment(ctx, { id: paymentId, status: transition(PAYMENT, 'payment', payment.status, 'refund') })
  const now = ctx.clock.now()
  await insertRefund(ctx, { id, payment, reason: 'operator', note, now, ...(isRest ? {} : { partCents: amountCents }) })
  return payment
}

/**
 * What an operator does about a failed refund: a new refund of the same money is sent, or the money was returned without the
 * provider. Returns the payment and the id of the new refund, if any. Throws invalid_transition for a refund that has not failed,
 * and payment_not_found.
 */
export async function resolveFailedRefund(
  ctx: TxCtx,
  { paymentId, refundId, note }: { paymentId: string; refundId: string; note?: string },
): Promise<{ payment: Payment; newId: string | undefined }> {
  const payment = await lockPaymentOf(ctx, { id: paymentId })
  const refund = (await selectRefundsOf(ctx, { paymentId })).find(({ id }) => id === refundId)
  if (!payment || !refund) throw new AppError('payment_not_found', 'No payment has this refund.')
  const now = ctx.clock.now()
  if (note !== undefined) {
    transition(REFUND, 'refund', refund.status, 'return')
    await saveReturned(ctx, { id: refundId, note, now })
    await fitRefunds(ctx, payment)
    return { payment, newId: undefined }
  }
  if (refund.status !== 'failed')
    throw new AppError('invalid_transition', 'Only a failed refund can be sent again. Open the page again.')
  await replaceRefund(ctx, { id: refundId })
  const newId = ctx.ids.uuid()
  await insertRest(ctx, { id: newId, of: refundId, status: 'part', amountCents: refund.amountCents, now })
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
  ctx: TxCtx,
  { purpose, reason, keep = false }: { purpose: Purpose; reason: RefundReason; keep?: boolean },
): Promise<string | undefined> {
  const payment = await lockPaymentOf(ctx, purpose)
  if (!payment) return undefined
  if (isDue(payment)) {
    await savePayment(ctx, { id: payment.id, status: transition(PAYMENT, 'payment', payment.status, 'expire') })
    return undefined
  }
  if (payment.status !== 'succeeded') return undefined
  if (!keep) return await refundPayment(ctx, { payment, reason })
  await retainPayment(ctx, { id: payment.id })
  return undefined
}

/**
 * Sends due refunds to the provider; one that the provider does not answer is due again after a growing delay. Safe to run
 * concurrently, and after any crash: a refund that may have been made is looked up at the provider before it is sent again.
 * With `refundId`, only that refund.
 */
export async function settleRefunds(
  ctx: Ctx,
  { limit = 50, refundId }: { limit?: number; refundId?: string } = {},
): Promise<{ settled: number; failed: number }> {
  const due = await claimRefunds(ctx, {
    now: ctx.clock.now(),
    limit,
    refundId,
    providers: configuredProviders(ctx.config),
  })
  let settled = 0
  for (const refund of due) if (await settle(ctx, refund)) settled++
  return { settled, failed: due.length - settled }
}

/** Sends a refund right after it became due. On failure it stays due for the sweep. */
export async function tryRefund(ctx: Ctx, { refundId }: { refundId: string | undefined }): Promise<void> {
  if (refundId === undefined) return
  try {
    await settleRefunds(ctx, { refundId })
  } catch (error) {
    ctx.log.warn({ err: error, refundId }, 'a refund failed; it stays due and is sent again')
  }
}

/** Whether the refund is no longer due. */
async function settle(ctx: Ctx, refund: DueRefund): Promise<boolean> {
  try {
    if (refund.isUncertain && !(await isStillDue(ctx, refund))) return true
    return await send(ctx, refund)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    reportMisconfigured(ctx, error)
    ctx.log.warn({ err: error, refundId: refund.id }, 'a refund failed; it stays due and is sent again')
    return false
  }
}

async function send(ctx: Ctx, refund: DueRefund): Promise<boolean> {
  try {
    const made = await providerNamed(ctx, refund.provider).refund({ ...refund, refundId: refund.id })
    await saveFact(ctx, refund, { ...made, providerRefundId: made.id })
    return true
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error
    ctx.log.warn({ err: error, refundId: refund.id }, 'the provider refused a refund')
    // The refund may have been made in the provider's dashboard, or a dispute may have been opened.
    if (!(await isStillDue(ctx, refund))) return true
    await saveFact(ctx, refund, { state: 'failed', providerRefundId: null, failure: error.message.slice(0, 500) })
    return true
  }
}

/** Reads the payment at the provider. Returns whether the refund is still to be made and no dispute blocks it. */
const isStillDue = async (ctx: Ctx, { id, paymentId, provider }: DueRefund): Promise<boolean> => {
  const payment = await findPayment(ctx, { id: paymentId })
  const reading = payment && (await readPayment(ctx, { provider: providerNamed(ctx, provider), payment }))
  return await ctx.transaction('lookUpRefund', async (ctx) => {
    const locked = await lockPaymentOf(ctx, { id: paymentId })
    if (!locked) return false
    if (reading) await applyReading(ctx, { ...reading, payment: locked })
    return await isRefundDue(ctx, { id })
  })
}

const saveFact = (ctx: Ctx, refund: DueRefund, fact: RefundFact): Promise<void> =>
  ctx.transaction('settleRefund', async (ctx) => {
    const payment = await lockPaymentOf(ctx, { id: refund.paymentId })
    const row = (await selectRefundsOf(ctx, { paymentId: refund.paymentId })).find(({ id }) => id === refund.id)
    if (!payment || !row) return
    await applyRefund(ctx, { row, fact })
    await fitRefunds(ctx, payment)
  })
