// Refunds by operators: finds payments, and returns all or a part of one with a reason.
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { refundByOperator, resolveFailedRefund, tryRefund } from '../../payments/verbs/refunds.ts'
import { normalEmail } from '../../platform/schema/email.ts'
import { isUuid } from '../../platform/schema/types.ts'
import { type OperatorId, recordAction } from '../audit/verbs.ts'
import { type PaymentSearch, findPaymentDetail, selectFailed, selectPayments } from './queries.ts'
import type { FoundPayment, PaymentDetail } from './schemas.ts'

const MAX_FOUND = 50

/**
 * Payments by confirmation code, e-mail address, or an id of a payment, refund, booking or quote, also the provider's. The
 * latest ones for an empty text. At most 50, newest first.
 */
export const findPayments = ({ write }: Pick<Deps, 'write'>, text: string): Promise<FoundPayment[]> =>
  selectPayments(write, searchOf(text.trim()), MAX_FOUND)

function searchOf(text: string): PaymentSearch {
  const nothing: PaymentSearch = { code: null, email: null, id: null, providerId: null }
  if (text === '') return nothing
  if (text.includes('@')) return { ...nothing, email: normalEmail(text) }
  if (isUuid(text)) return { ...nothing, id: text.toLowerCase() }
  return { ...nothing, code: text.toUpperCase(), providerId: text }
}

/** Payments whose refund failed: an operator decides. */
export const listFailedRefunds = ({ write }: Pick<Deps, 'write'>): Promise<FoundPayment[]> =>
  selectFailed(write, MAX_FOUND)

/** A payment with what it consists of and its refunds. Throws payment_not_found. */
export async function getPaymentDetail({ write }: Pick<Deps, 'write'>, id: string): Promise<PaymentDetail> {
  const found = await findPaymentDetail(write, id)
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
export async function refundPaymentAsOperator(deps: Deps, refund: NewRefund): Promise<boolean> {
  const { refundId, paymentId, amountCents, reason, by } = refund
  const isNew = await deps.write.begin('refundPaymentAsOperator', async (tx) => {
    const payment = await refundByOperator(tx, deps, { id: refundId, paymentId, amountCents, note: reason })
    if (!payment) return false
    const { professionalId } = payment
    const details = { refundId, amountCents }
    await recordAction(deps, tx, {
      action: 'payment.refunded',
      subjectId: paymentId,
      professionalId,
      by,
      reason,
      details,
    })
    return true
  })
  if (isNew) await tryRefund(deps, refundId)
  return isNew
}

export interface FailedRefund {
  paymentId: string
  refundId: string
  by: OperatorId
}

/** Sends the money of a failed refund again, as a new refund. Throws payment_not_found and invalid_transition. */
export async function resendRefund(deps: Deps, { paymentId, refundId, by }: FailedRefund): Promise<void> {
  const newId = await deps.write.begin('resendRefund', async (tx) => {
    const { payment, newId } = await resolveFailedRefund(tx, deps, { paymentId, refundId })
    const { professionalId } = payment
    const details = { refundId, newId }
    await recordAction(deps, tx, { action: 'refund.resent', subjectId: paymentId, professionalId, by, details })
    return newId
  })
  await tryRefund(deps, newId)
}

/**
 * Records that the money of a failed refund was returned without the provider, such as by a bank transfer. Throws
 * payment_not_found and invalid_transition.
 */
export async function markReturned(
  deps: Deps,
  { paymentId, refundId, note, by }: FailedRefund & { note: string },
): Promise<void> {
  await deps.write.begin('markReturned', async (tx) => {
    const { payment } = await resolveFailedRefund(tx, deps, { paymentId, refundId, note })
    const { professionalId } = payment
    await recordAction(deps, tx, {
      action: 'refund.returned',
      subjectId: paymentId,
      professionalId,
      by,
      reason: note,
      details: { refundId },
    })
  })
}
