// SQL of refunds.
import type { ProviderName } from '../provider.ts'
import type { RefundReason, RefundState } from '../states.ts'
import type { Ctx, TxCtx } from '../../ctx.ts'
import { boolean, composed, number, oneOf, text } from '../../platform/postgres/composed.ts'
import * as statements from './refunds.sql.ts'

/** The payment that a row is of. */
interface OfPayment {
  id: string
  professionalId: string
}

export interface Refund {
  id: string
  reason: RefundReason
  status: RefundState
  amountCents: number
  note: string | null
  providerRefundId: string | null
  returnedOtherwise: string | null
}

export interface NewRefund {
  id: string
  payment: OfPayment
  reason: RefundReason
  /** A part of the payment; without it, all that is left. */
  partCents?: number
  /** Why an operator refunds it. */
  note?: string | null
  now: Date
}

/** Inserts a refund that is asked for. */
export async function insertRefund(ctx: TxCtx, refund: NewRefund): Promise<void> {
  const { id, payment, reason, partCents = null, note = null } = refund
  const now = refund.now.toISOString()
  await statements.insertRefund(ctx, {
    id,
    paymentId: payment.id,
    professionalId: payment.professionalId,
    reason,
    status: partCents === null ? 'pending' : 'part',
    partCents,
    note,
    now,
  })
}

/** What the provider says of a refund. */
export interface RefundFact {
  state: 'submitted' | 'done' | 'failed'
  providerRefundId: string | null
  failure: string | null
}

export type MadeRefund = RefundFact & { id: string; payment: OfPayment; amountCents: number; now: Date }

/** Inserts a refund that was made at the provider. */
export async function insertMadeRefund(ctx: TxCtx, refund: MadeRefund): Promise<void> {
  const { id, payment, state, amountCents, providerRefundId, failure } = refund
  const now = refund.now.toISOString()
  await statements.insertMadeRefund(ctx, {
    id,
    paymentId: payment.id,
    professionalId: payment.professionalId,
    state,
    amountCents,
    providerRefundId,
    failure,
    now,
    doneAt: state === 'done' ? now : null,
    failedAt: state === 'failed' ? now : null,
  })
}

/** Saves what the provider says of a refund. */
export async function saveRefund(
  ctx: TxCtx,
  { id, fact }: { id: string; fact: RefundFact & { now: Date } },
): Promise<void> {
  const { state, providerRefundId, failure } = fact
  const now = fact.now.toISOString()
  await statements.saveRefund(ctx, {
    state,
    providerRefundId,
    failure,
    submittedAt: providerRefundId === null ? null : now,
    doneAt: state === 'done' ? now : null,
    failedAt: state === 'failed' ? now : null,
    id,
  })
}

/** Inserts what is left of a replaced refund: asked for again, or failed like it. */
export async function insertRest(
  ctx: TxCtx,
  rest: { id: string; of: string; status: 'part' | 'failed'; amountCents: number; now: Date },
): Promise<void> {
  const now = rest.now.toISOString()
  await statements.insertRest(ctx, {
    id: rest.id,
    status: rest.status,
    amountCents: rest.amountCents,
    isFailed: rest.status === 'failed',
    now,
    of: rest.of,
  })
}

/** What can still be refunded of a payment, and what refunds failed to return, in cents. */
export async function selectSums(
  ctx: Ctx,
  { id, professionalId }: OfPayment,
): Promise<{ refundableCents: number; failedCents: number }> {
  const row = await statements.selectSums(ctx, { professionalId, id })
  return row ?? { refundableCents: 0, failedCents: 0 }
}

/** The payment of a refund; undefined for an unknown refund. */
export async function findRefundedPayment(ctx: TxCtx, { refundId }: { refundId: string }): Promise<string | undefined> {
  const row = await statements.findRefundedPayment(ctx, { refundId })
  return row?.paymentId
}

export interface DueRefund {
  id: string
  paymentId: string
  provider: ProviderName
  intentId: string
  amountCents: number
  /** It may have been made: it was sent before, or its payment is from before the database was restored. */
  isUncertain: boolean
}

/**
 * Claims up to `limit` due refunds. A claim counts as an attempt: the refund is due again after 15 seconds, twice as long
 * after each attempt, at most an hour. With `refundId`, only that refund, if it is due. Refunds of a restored copy and
 * of payments with an open dispute are left out. Those of other providers stay due for a process that can make them.
 */
export async function claimRefunds(
  ctx: Ctx,
  {
    now,
    limit,
    refundId,
    providers,
  }: { now: Date; limit: number; refundId?: string | undefined; providers: readonly ProviderName[] },
): Promise<DueRefund[]> {
  return await composed<DueRefund>(
    ctx.write,
    'claimRefunds',
    {
      id: text,
      paymentId: text,
      provider: oneOf('sandbox', 'stripe'),
      intentId: text,
      amountCents: number,
      isUncertain: boolean,
    },
    (sql) => sql`
      with due as materialized (
        select d.id, d.payment_id from payment_refunds d
        where d.status in ('pending', 'part') and restored_copy() is null
          and exists (
            select from payments o
            where o.professional_id = d.professional_id and o.id = d.payment_id
              and o.provider = any (${[...providers]}::text[]))
          and d.next_attempt_at <= ${now.toISOString()}
          and not exists (
            select from payment_disputes o where o.payment_id = d.payment_id and o.state = 'open' and not o.is_inquiry)
          ${refundId ? sql`and d.id = ${refundId}` : sql``}
        order by d.next_attempt_at limit ${limit} for update of d skip locked)
      update payment_refunds r set attempts = r.attempts + 1,
        next_attempt_at = ${now.toISOString()}::timestamptz
          + least(3600, 15 * 2 ^ least(r.attempts, 10)) * interval '1 second'
      from due join payments p on p.id = due.payment_id
      where r.id = due.id
      returning r.id, r.payment_id, p.provider, p.intent_id, r.amount_cents,
        r.attempts > 1 or exists (select from restorations t where t.declared_at > p.created_at) as is_uncertain`,
  )
}

/** Whether a refund is still to be made, and no open dispute holds it. */
export async function isRefundDue(ctx: TxCtx, { id }: { id: string }): Promise<boolean> {
  const rows = await statements.isRefundDue(ctx, { id })
  return rows.length === 1
}

/** Plans the message about a refund that was made, or that the bank sent back, which no event tells. */
export async function planRefundMessage(
  ctx: TxCtx,
  { id, now, isFailed = false }: { id: string; now: Date; isFailed?: boolean },
): Promise<void> {
  await statements.planRefundMessage(ctx, { id, now, isFailed })
}
