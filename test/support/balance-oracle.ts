// What a test of payments knows by itself of one booking or quote: what was paid, went back and is due.
import type { Balance } from '../../src/payments/schemas.ts'

export const DEPOSIT_CENTS = 5_000
export const PRICE_CENTS = 25_000

/** In cents. */
export interface Oracle {
  priceCents: number
  depositCents: number
  paidCents: number
  /** Went back, also by lost disputes. */
  refundedCents: number
  /** Of refunds that the provider could not make: not returned, and not refundable again. */
  failedCents: number
  isOver: boolean
  /** Of `refundedCents`, what went back after the visit was completed; null before. */
  backSinceVisitCents: number | null
}

export const newOracle = (): Oracle => ({
  priceCents: PRICE_CENTS,
  depositCents: DEPOSIT_CENTS,
  paidCents: DEPOSIT_CENTS,
  refundedCents: 0,
  failedCents: 0,
  isOver: false,
  backSinceVisitCents: null,
})

/** Counts what went back. */
export function giveBack(oracle: Oracle, cents: number): void {
  oracle.refundedCents += cents
  if (oracle.backSinceVisitCents !== null) oracle.backSinceVisitCents += cents
}

/** What a refund can return. */
export const leftOf = ({ paidCents, refundedCents, failedCents }: Oracle) => paidCents - refundedCents - failedCents

/** The sums in the API. */
export function balanceOf(oracle: Oracle): Balance {
  const { priceCents, depositCents, paidCents, refundedCents, isOver } = oracle
  return {
    currency: 'USD',
    agreed: priceCents / 100,
    paid: paidCents / 100,
    refunded: refundedCents / 100,
    refunding: 0,
    netPaid: (paidCents - refundedCents) / 100,
    refundable: leftOf(oracle) / 100,
    dueNow: 0,
    dueAtVisit: isOver ? 0 : (priceCents - Math.max(0, depositCents - refundedCents)) / 100,
  }
}

/**
 * In dollars. The deposit of a quote is revenue once its work is over: as a part of the job's amount, or kept. Of a completed visit
 * the whole price is: what went back of the deposit before was due at the visit.
 */
export function revenueOf(kind: 'booking' | 'quote', oracle: Oracle): number {
  const { priceCents, paidCents, refundedCents, isOver, backSinceVisitCents } = oracle
  if (kind === 'quote' && !isOver) return 0
  return (backSinceVisitCents === null ? paidCents - refundedCents : priceCents - backSinceVisitCents) / 100
}
