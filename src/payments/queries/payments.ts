// SQL of payments.
import type { ProviderName } from '../provider.ts'
import type { PaymentState } from '../states.ts'
import type { Ctx, TxCtx } from '../../ctx.ts'
import * as statements from './payments.sql.ts'

export interface Payment {
  id: string
  /** A payment is for a booking or for a quote's deposit. */
  bookingId: string | null
  quoteId: string | null
  professionalId: string
  status: PaymentState
  amountCents: number
  currency: string
  provider: ProviderName
  intentId: string | null
  clientSecret: string | null
  expiresAt: string
  capturedCents: number | null
  capturedCurrency: string | null
  capturedAt: string | null
}

export const findPayment = (ctx: Ctx, by: { id: string } | { clientSecret: string }): Promise<Payment | undefined> =>
  'id' in by ? statements.findPayment(ctx, by) : statements.findPaymentByClientSecret(ctx, by)

/** Numbers a reading of the payment at its provider. */
export async function startReading(ctx: Ctx, { id }: { id: string }): Promise<number> {
  const row = await statements.startReading(ctx, { id })
  if (!row) throw new Error('The payment to read is missing.')
  return row.readings
}

export async function isTestPro(ctx: Ctx, { professionalId }: { professionalId: string }): Promise<boolean> {
  const row = await statements.isTestPro(ctx, { professionalId })
  return row?.isTest ?? false
}

/**
 * The number of payments that can still be paid and of refunds that are not made yet, of other providers than these. None
 * in a restored copy, which sends nothing.
 */
export async function countUnhandled(ctx: Ctx, { providers, now }: { providers: readonly ProviderName[]; now: Date }) {
  const row = await statements.countUnhandled(ctx, { now, providers })
  return row ?? { payments: 0, refunds: 0 }
}

/** The captured payment of a booking or of a quote's deposit, which is also that of the quote's visit. */
export const findCaptured = (ctx: Ctx, purpose: Purpose): Promise<Payment | undefined> =>
  'bookingId' in purpose ? statements.findCapturedOfBooking(ctx, purpose) : statements.findCapturedOfQuote(ctx, purpose)

/** What is paid for. */
export type Purpose = { bookingId: string } | { quoteId: string }

/**
 * A payment, locked: by its id, or the one of a booking, or a quote's that is due or paid. Always lock the booking or quote
 * first.
 */
export function lockPaymentOf(ctx: TxCtx, of: { id: string } | Purpose): Promise<Payment | undefined> {
  if ('id' in of) return statements.lockPayment(ctx, of)
  return 'bookingId' in of ? statements.lockPaymentOfBooking(ctx, of) : statements.lockPaymentOfQuote(ctx, of)
}

/** Inserts a notification id; false if it exists. Concurrent inserts of one id wait for the first transaction. */
export async function insertNotification(
  ctx: TxCtx,
  { provider, id, now }: { provider: ProviderName; id: string; now: Date },
): Promise<boolean> {
  const rows = await statements.insertNotification(ctx, { provider, id, now })
  return rows.length === 1
}

export interface Capture {
  intentId: string
  amountCents: number
  currency: string
  at: Date
}

/** Saves a payment's state and, if given, its capture. The capture's intent may not be stored yet. */
export async function savePayment(
  ctx: TxCtx,
  { id, status, capture }: { id: string; status: PaymentState; capture?: Capture },
): Promise<void> {
  await statements.savePayment(ctx, { id, status, ...capture })
}
