// Refunds by operators: finds payments, and returns all or a part of one with a reason.
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { refundByOperator, resolveFailedRefund, tryRefund } from '../../../payments/verbs/refunds.ts'
import { normalEmail } from '../../../platform/schema/email.ts'
import { isUuid } from '../../../platform/schema/types.ts'
import { type OperatorId, recordAction } from '../../upkeep/audit/verbs.ts'
import { type PaymentSearch, findPaymentDetail, selectFailed, selectPayments } from './queries.ts'
import type { FoundPayment, PaymentDetail } from './schemas.ts'

const MAX_FOUND = 50

/**
 * Payments by confirmation code, e-mail address, or an id of a payment, refund, booking or quote, also the provider's. The
 * latest ones for an empty text. Those of test pros only by a code or an id. At most 50, newest first.
 */
export const findPayments = (ctx: Ctx, { text }: { text: string }): Promise<FoundPayment[]> =>
  selectPayments(ctx, { search: searchOf(text.trim()), limit: MAX_FOUND })

function searchOf(text: string): PaymentSearch {
  const nothing: PaymentSearch = { code: null, email: null, id: null, providerId: null }
  if (text === '') return nothing
  if (text.includes('@')) return { ...nothing, email: normalEmail(text) }
  if (isUuid(text)) return { ...nothing, id: text.toLowerCase() }
  return { ...nothing, code: text.toUpperCase(), providerId: text }
}

/** Payments whose refund failed: an operator decides. */
export const listFailedRefunds = (ctx: Ctx): Promise<FoundPayment[]> => selectFailed(ctx, { limit: MAX_FOUND })

/** A payment with what it consists of and its refunds. Throws payment_not_found. */
export async function getPaymentDetail(ctx: Ctx, { id }: { id: string }): Promise<PaymentDetail> {
  const found = await findPaymentDetail(ctx, { id })
  if (!found) throw new AppError('payment_not_found', 'No payment has this id.')
  return found
}

export interface NewRefund {
  /** Chosen by the form. The same id takes effect once. */
  refundId: string
  paymentId: string
  amountCents: number
  /** The customer can read it. */
  reason: string
  by: OperatorId
}

/**
 * Refunds all or a part of a payment. The customer of a booking is told with the reason once the provider has made it; if
 * the provider does not answer, the refund stays due and is sent again. Returns whether it is new. Throws payment_not_found,
 * invalid_transition, and validation_failed for more than what is left.
 */
export async function refundPaymentAsOperator(ctx: Ctx, refund: NewRefund): Promise<boolean> {
  const { refundId, paymentId, amountCents, reason, by } = refund
  const isNew = await ctx.transaction('refundPaymentAsOperator', async (ctx) => {
    const payment = await refundByOperator(ctx, { id: refundId, paymentId, amountCents, note: reason })
    if (!payment) return false
    const { professionalId } = payment
    const details = { refundId, amountCents }
    await recordAction(ctx, {
      action: 'payment.refunded',
      subjectId: paymentId,
      professionalId,
      by,
      reason,
      details,
    })
    return true
  })
  if (isNew) await tryRefund(ctx, { refundId })
  return isNew
}

export interface FailedRefund {
  paymentId: string
  refundId: string
  by: OperatorId
}

/** Sends the money of a failed refund again, as a new refund. Throws payment_not_found and invalid_transition. */
export async function resendRefund(ctx: Ctx, { paymentId, refundId, by }: FailedRefund): Promise<void> {
  const newId = await ctx.transaction('resendRefund', async (ctx) => {
    const { payment, newId } = await resolveFailedRefund(ctx, { paymentId, refundId })
    const { professionalId } = payment
    const details = { refundId, newId }
    await recordAction(ctx, { action: 'refund.resent', subjectId: paymentId, professionalId, by, details })
    return newId
  })
  await tryRefund(ctx, { refundId: newId })
}

/**
 * Records that the money of a failed refund was returned without the provider, such as by a bank transfer. Throws
 * payment_not_found and invalid_transition.
 */
export async function markReturned(
  ctx: Ctx,
  { paymentId, refundId, note, by }: FailedRefund & { note: string },
): Promise<void> {
  await ctx.transaction('markReturned', async (ctx) => {
    const { payment } = await resolveFailedRefund(ctx, { paymentId, refundId, note })
    const { professionalId } = payment
    await recordAction(ctx, {
      action: 'refund.returned',
      subjectId: paymentId,
      professionalId,
      by,
      reason: note,
      details: { refundId },
    })
  })
}
