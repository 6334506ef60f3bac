// SQL of quotes.
import type { Clock } from '../../../../platform/clock/clock.ts'
import { pageOf } from '../../../../platform/schema/paging.ts'
import type { LineItem, Quote, QuotesQuery } from '../schemas.ts'
import type { QuoteState } from '../states.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { composed, json, number } from '../../../../platform/postgres/composed.ts'
import * as statements from './quotes.sql.ts'

interface QuoteRow {
  id: string
  rfqId: string
  professionalId: string
  serviceId: string | null
  amountCents: number
  lineItems: readonly LineItem[]
  estimatedDays: number | null
  depositRequired: boolean
  depositPercentage: number | null
  paymentTerms: string | null
  message: string | null
  validUntil: Date
  freeCancellationHours: number
  now: Date
}

/** Inserts a sent quote. */
export async function insertSentQuote(ctx: TxCtx, quote: QuoteRow): Promise<void> {
  const items = JSON.stringify(quote.lineItems)
  await statements.insertSentQuote(ctx, {
    serviceId: quote.serviceId,
    professionalId: quote.professionalId,
    items,
    id: quote.id,
    rfqId: quote.rfqId,
    amountCents: quote.amountCents,
    estimatedDays: quote.estimatedDays,
    depositRequired: quote.depositRequired,
    depositPercentage: quote.depositPercentage,
    paymentTerms: quote.paymentTerms,
    message: quote.message,
    validUntil: quote.validUntil,
    freeCancellationHours: quote.freeCancellationHours,
    now: quote.now,
  })
}

export interface LockedQuote {
  id: string
  status: QuoteState
  rfqId: string
  professionalId: string
  serviceId: string | null
  amountCents: number
  units: number | null
  /** Paid on acceptance; 0 for none. */
  depositCents: number
  /** Drafts have none; see the CHECK quotes_state. */
  validUntil: string | null
  /** Its customer, by operators. */
  isBlocked: boolean
  /** The time of `status`. Changes use the same time, because the quote may expire a moment later. */
  now: Date
}

/**
 * The quote in its current state, locked with its request until the transaction ends. Two statements: the second one runs
 * after the wait and sees changes made during it.
 */
export async function lockQuote(
  ctx: TxCtx,
  { id, clock }: { id: string; clock: Clock },
): Promise<LockedQuote | undefined> {
  await statements.lockRequestOfQuote(ctx, { id })
  const now = clock.now()
  const row = await statements.lockQuote(ctx, { now, id })
  return row && { ...row, now }
}

interface Move {
  id: string
  status: QuoteState
  now: Date
  declineReason?: string | undefined
}

/** Saves a state with its time. Returns the sequence of the event to emit. */
export async function saveQuoteState(ctx: TxCtx, { id, status, now, declineReason }: Move): Promise<number> {
  const at = now.toISOString()
  const row = await statements.saveQuoteState(ctx, { status, declineReason, at, id })
  if (!row) throw new Error('A locked quote is missing.')
  return row.eventSequence
}

/** A quote in its current state; with a pro, only one of theirs. */
export async function findQuote(
  ctx: Ctx,
  { id, professionalId = null, now }: { id: string; professionalId?: string | null; now: Date },
): Promise<Quote | undefined> {
  const row = await statements.findQuote<{ quote: Quote }>(ctx, { now, id, professionalId })
  return row?.quote
}

/** How many of a pro's newest quotes are searched for one of a service. */
const SEARCHED_QUOTES = 200

/** The newest sent quote for a service among the pro's last ones, except those of one request. */
export async function selectLastQuote(
  ctx: Ctx,
  {
    professionalId,
    serviceId,
    exceptRfqId,
    now,
  }: {
    professionalId: string
    serviceId: string
    exceptRfqId: string
    now: Date
  },
): Promise<Quote | undefined> {
  const row = await statements.selectLastQuote<{ quote: Quote }>(ctx, {
    now,
    professionalId,
    searchedQuotes: SEARCHED_QUOTES,
    serviceId,
    exceptRfqId,
  })
  return row?.quote
}

/** The pro's quotes, newest first. */
export async function listQuotes(
  ctx: Ctx,
  { professionalId, status, rfqId, now, ...page }: { professionalId: string; now: Date } & QuotesQuery,
): Promise<{ total: number; items: Quote[] }> {
  const at = now.toISOString()
  const { limit, offset } = pageOf(page)
  const [row] = await composed(
    ctx.read,
    'listQuotes',
    { total: number, items: json<Quote[]>() },
    (sql) => sql`
      with matching as (
        select q.id, q.created_at from quotes q
        where q.professional_id = ${professionalId} and ${rfqId ? sql`q.rfq_id = ${rfqId}` : sql`true`}
          and ${status ? sql`q.status = ${status} and quote_status(q, ${at}) = ${status}` : sql`true`}),
      -- Those that are too late to accept are expired before the sweep has marked them.
      late as (
        select q.id, q.created_at from quotes q
        where ${status ?? null} = 'expired' and q.professional_id = ${professionalId}
          and ${rfqId ? sql`q.rfq_id = ${rfqId}` : sql`true`}
          and q.status in ('sent', 'viewed') and q.valid_until <= ${at}),
      page as (
        select q.* from (
          select id from (
            (select * from matching order by created_at desc, id desc limit ${limit + offset})
            union all
            select * from late
          ) latest
          order by created_at desc, id desc limit ${limit} offset ${offset}
        ) first
        join quotes q on q.id = first.id)
      select ${
        rfqId
          ? sql`((select count(*) from matching) + (select count(*) from late))::int`
          : sql`count_quotes(${professionalId}, ${status ?? null}, ${at})::int`
      } as total,
        (select coalesce(json_agg(quote_object(page::quotes, ${at}) order by created_at desc, id desc), '[]')
         from page) as items`,
  )
  return row ?? { total: 0, items: [] }
}

/** Marks up to `eventIds.length` expired quotes; see `sql/functions/expire_quotes.sql`. */
export async function markExpired(
  ctx: Ctx,
  { eventIds, traceparent, now }: { eventIds: readonly string[]; traceparent: string | null; now: Date },
): Promise<number> {
  const row = await statements.expireQuotes(ctx, { now, eventIds: `{${eventIds.join(',')}}`, traceparent })
  return row?.expired ?? 0
}
