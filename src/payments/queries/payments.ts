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

const COLUMNS =
  `id booking_id quote_id professional_id status amount_cents currency provider intent_id client_secret expires_at
  captured_cents captured_currency captured_at`.split(/\s+/)

export async function findPayment(ctx: Ctx, by: { id: string } | { clientSecret: string }) {
  const rows = await ctx.write.run<Payment>(
    'findPayment',
    (sql) => sql`
      select ${sql(COLUMNS)} from payments
      where ${'id' in by ? sql`id = ${by.id}` : sql`client_secret = ${by.clientSecret}`}`,
  )
  return rows[0]
}

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
export async function findCaptured(ctx: Ctx, purpose: Purpose): Promise<Payment | undefined> {
  const rows = await ctx.write.run<Payment>(
    'findCaptured',
    (sql) => sql`
      select ${sql(COLUMNS)} from payments
      where ${
        'bookingId' in purpose
          ? sql`(booking_id = ${purpose.bookingId} or quote_id = (
              select j.quote_id from bookings b join jobs j on j.professional_id = b.professional_id and j.id = b.job_id
              where b.id = ${purpose.bookingId}))`
          : sql`quote_id = ${purpose.quoteId}`
      }
        and captured_at is not null
      order by created_at desc limit 1`,
  )
  return rows[0]
}

/** What is paid for. */
export type Purpose = { bookingId: string } | { quoteId: string }

/**
 * A payment, locked: by its id, or the one of a booking, or a quote's that is due or paid. Always lock the booking or quote
 * first.
 */
export async function lockPaymentOf(ctx: TxCtx, of: { id: string } | Purpose): Promise<Payment | undefined> {
  const rows = await ctx.tx.run<Payment>(
    'lockPaymentOf',
    (sql) => sql`
      select ${sql(COLUMNS)} from payments
      where ${
        'id' in of
          ? sql`id = ${of.id}`
          : 'bookingId' in of
            ? sql`booking_id = ${of.bookingId}`
            : sql`quote_id = ${of.quoteId} and status in ('requires_payment', 'failed', 'succeeded')`
      }
      for update`,
  )
  return rows[0]
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
  await ctx.tx.run(
    'savePayment',
    (sql) => sql`
      update payments set status = ${status}, retained = retained and ${status} = 'succeeded'
        ${
          capture
            ? sql`, captured_cents = ${capture.amountCents}, captured_currency = ${capture.currency},
                captured_at = ${capture.at.toISOString()}, intent_id = ${capture.intentId}`
            : sql``
        }
      where id = ${id}`,
  )
}
