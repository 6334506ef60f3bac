// What both sides of a payment say at the end of its life: the fake Stripe and our rows.
import { expect } from 'bun:test'

import type { Sql } from '../../src/platform/postgres/database.ts'
import { type FakeIntent, type StripeLedger, isFailed } from './fake-stripe-ledger.ts'

/** How a payment ended. */
export interface EndedPayment {
  status: string
  hasLostDispute: boolean
}

/** Expects that captured, refunded and disputed money is the same on both sides to the cent, and each refund made once. */
export async function expectAgreement(
  { sql, stripe }: { sql: Sql; stripe: StripeLedger },
  intent: FakeIntent,
  paymentId: string,
): Promise<EndedPayment> {
  const made = stripe.refunds.filter((refund) => refund.intent === intent.id && !isFailed(refund.status))
  const lost = stripe.disputes.filter((dispute) => dispute.intent === intent.id && dispute.status === 'lost')
  const rows = await sql<{ id: string; status: string; cents: number; isOtherwise: boolean }[]>`
    select id, status, amount_cents as cents, returned_otherwise is not null as is_otherwise
    from payment_refunds where payment_id = ${paymentId} and status <> 'replaced'`
  const disputes = await sql<{ cents: number }[]>`
    select amount_cents as cents from payment_disputes where payment_id = ${paymentId} and state = 'lost'`
  const [payment] = await sql<{ status: string; cents: number }[]>`
    select status, captured_cents as cents from payments where id = ${paymentId}`
  const ours = rows.filter(({ isOtherwise }) => !isOtherwise)
  expect({
    captured: payment?.cents,
    refunds: ours.map(({ cents }) => cents).toSorted(byNumber),
    disputed: sum(disputes.map(({ cents }) => cents)),
  }).toEqual({
    captured: intent.captured,
    refunds: made.map(({ amount }) => amount).toSorted(byNumber),
    disputed: sum(lost.map(({ amount }) => amount)),
  })
  // Nothing is left over, and no refund of ours was made twice.
  expect(rows.filter(({ status }) => status !== 'done')).toEqual([])
  const ids = made.flatMap(({ metadata }) => metadata['refund_id'] ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  expect(sum(made.map(({ amount }) => amount))).toBe(intent.refunded)
  const kept = intent.captured - sum(rows.map(({ cents }) => cents)) - sum(disputes.map(({ cents }) => cents))
  const status = kept > 0 ? 'succeeded' : 'refunded'
  expect(payment?.status).toBe(status)
  return { status, hasLostDispute: lost.length > 0 }
}

const byNumber = (one: number, other: number) => one - other
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
