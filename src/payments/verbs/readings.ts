// Updates the refunds and disputes of a payment from its provider. Notifications, retries of refunds and the daily
// reconciliation all read the provider and do not trust an earlier message.
import type { Ctx, TxCtx } from '../../ctx.ts'
import { transition } from '../../transition.ts'
import type { IntentState, PaymentProvider, ProviderRefund } from '../provider.ts'
import { saveDispute } from '../queries/disputes.ts'
import { selectDisputesOf } from '../queries/disputes.sql.ts'
import { type Payment, savePayment, startReading } from '../queries/payments.ts'
import {
  type Refund,
  type RefundFact,
  insertMadeRefund,
  insertRest,
  planRefundMessage,
  saveRefund,
} from '../queries/refunds.ts'
import { replaceRefund, selectRefundsOf } from '../queries/refunds.sql.ts'
import { PAYMENT, type PaymentAction, type PaymentState, REFUND } from '../states.ts'

/** The state of a payment's intent, and the number of the reading: a later reading began later. */
export interface Reading {
  number: number
  intent: IntentState
}

/** Reads a payment at its provider. Undefined for the sandbox, and before it has an intent. Throws ProviderUnavailable. */
export async function readPayment(
  ctx: Ctx,
  { provider, payment }: { provider: PaymentProvider; payment: Payment },
): Promise<Reading | undefined> {
  if (!provider.readIntent || payment.intentId === null) return undefined
  const number = await startReading(ctx, { id: payment.id })
  return { number, intent: await provider.readIntent(payment.intentId) }
}

/** Applies a reading to a locked, captured payment. */
export async function applyReading(
  ctx: TxCtx,
  { payment, number, intent }: { payment: Payment } & Reading,
): Promise<void> {
  const rows = await selectRefundsOf(ctx, { paymentId: payment.id })
  for (const made of intent.refunds) {
    const row = rowOf(rows, made)
    if (row) await applyRefund(ctx, { row, fact: { ...made, providerRefundId: made.id } })
    else await recordRefund(ctx, payment, made)
  }
  const now = ctx.clock.now()
  for (const dispute of intent.disputes)
    await saveDispute(ctx, { id: ctx.ids.uuid(), dispute, reading: number, now, payment })
  await fitRefunds(ctx, payment)
}

/**
 * The row of a refund at the provider. If the response to the refund was lost, the row lacks the provider’s id and is found
 * by the id in the metadata.
 */
const rowOf = (rows: readonly Refund[], made: ProviderRefund): Refund | undefined =>
  rows.find(({ providerRefundId }) => providerRefundId === made.id) ??
  rows.find(({ id, providerRefundId }) => id === made.refundId && providerRefundId === null)

const ACTIONS = { submitted: 'submit', done: 'finish', failed: 'fail' } as const

/** Applies what the provider says of a refund. Nothing leads back to an earlier state. */
export async function applyRefund(ctx: TxCtx, { row, fact }: { row: Refund; fact: RefundFact }): Promise<void> {
  const next = REFUND[row.status][ACTIONS[fact.state]]
  if (next === undefined || row.returnedOtherwise !== null) return
  const now = ctx.clock.now()
  await saveRefund(ctx, { id: row.id, fact: { ...fact, now } })
  if (next === 'done') await planRefundMessage(ctx, { now, id: row.id })
  // A refund that the provider refused at once was never announced as being on its way.
  if (next === 'failed' && (row.status === 'done' || row.status === 'submitted'))
    await planRefundMessage(ctx, { now, isFailed: true, id: row.id })
}

/** Records a refund that was made in the provider's dashboard. */
async function recordRefund(ctx: TxCtx, payment: Payment, made: ProviderRefund): Promise<void> {
  // A failed refund that was made in the dashboard: Hearth did not request it, and no money was returned.
  if (made.state === 'failed') return
  const [id, now] = [ctx.ids.uuid(), ctx.clock.now()]
  await insertMadeRefund(ctx, { ...made, id, providerRefundId: made.id, payment, now })
  if (made.state === 'done') await planRefundMessage(ctx, { now, id })
}

/**
 * Adjusts the refunds of a payment to the amount that is left: refunds that were made and lost disputes reduce or replace
 * those that were not made yet. Then saves the state of the payment.
 */
export async function fitRefunds(ctx: TxCtx, payment: Payment): Promise<void> {
  const rows = (await selectRefundsOf(ctx, { paymentId: payment.id })).filter(({ status }) => status !== 'replaced')
  const lost = (await selectDisputesOf(ctx, { paymentId: payment.id })).filter(({ state }) => state === 'lost')
  const captured = payment.capturedCents ?? 0
  const done = centsOf(lost) + centsOf(rows.filter(({ status }) => status === 'done'))
  let left = captured - done - centsOf(rows.filter(({ status }) => status === 'submitted'))
  let rest: Omit<Parameters<typeof insertRest>[1], 'id' | 'now'> | undefined
  for (const { id, status, amountCents } of rows) {
    if (status === 'done' || status === 'submitted') continue
    if (amountCents > left) await replaceRefund(ctx, { id })
    if (amountCents > left && left > 0)
      rest = { of: id, status: status === 'failed' ? 'failed' : 'part', amountCents: left }
    left -= Math.min(amountCents, Math.max(left, 0))
  }
  // Inserted after the other refunds were replaced: with them it would exceed the payment.
  if (rest) await insertRest(ctx, { ...rest, id: ctx.ids.uuid(), now: ctx.clock.now() })
  const status = stateOf(payment, { left, done })
  if (status === payment.status) return
  await savePayment(ctx, {
    id: payment.id,
    status: transition(PAYMENT, 'payment', payment.status, actionOf(payment.status, status)),
  })
}

const centsOf = (rows: readonly { amountCents: number }[]): number =>
  rows.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** `left`: not asked for. `done`: returned. A payment of the wrong amount or currency is never kept. */
function stateOf(payment: Payment, { left, done }: { left: number; done: number }): PaymentState {
  const { capturedCents, capturedCurrency, amountCents, currency, status } = payment
  if (capturedCents === null) return status
  if (left <= 0) return done >= capturedCents ? 'refunded' : 'refunding'
  return capturedCents === amountCents && capturedCurrency === currency ? 'succeeded' : status
}

function actionOf(from: PaymentState, to: PaymentState): PaymentAction {
  if (to === 'succeeded') return 'reinstate'
  if (to === 'refunded') return from === 'succeeded' ? 'lose' : 'settle'
  return from === 'succeeded' ? 'refund' : 'reopen'
}
