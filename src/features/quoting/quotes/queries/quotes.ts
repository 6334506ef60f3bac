// SQL of quotes.
import type { Clock } from '../../../../platform/clock/clock.ts'
import { pageOf } from '../../../../platform/schema/paging.ts'
import type { LineItem, Quote, QuotesQuery } from '../schemas.ts'
import type { QuoteState } from '../states.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'

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
  now: Date
}

/** Inserts a sent quote. */
export async function insertSentQuote(ctx: TxCtx, quote: QuoteRow): Promise<void> {
  const items = JSON.stringify(quote.lineItems)
  await ctx.tx.run(
    'insertSentQuote',
    (sql) => sql`
      with work as (select * from quoted_units(${quote.serviceId}, ${quote.professionalId}, ${items}::text::jsonb))
      insert into quotes (id, rfq_id, professional_id, status, amount_cents, units, units_cents, line_items,
        estimated_days, deposit_required, deposit_percentage, payment_terms, message, valid_until, event_sequence,
        created_at, sent_at)
      values (${quote.id}, ${quote.rfqId}, ${quote.professionalId}, 'sent', ${quote.amountCents},
        (select units from work), (select units_cents from work), ${items}::text::jsonb, ${quote.estimatedDays},
        ${quote.depositRequired}, ${quote.depositPercentage}, ${quote.paymentTerms},
        ${quote.message}, ${quote.validUntil.toISOString()}, 1, ${quote.now.toISOString()}, ${quote.now.toISOString()})`,
  )
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
  validUntil: string
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
  await ctx.tx.run(
    'lockRequestOfQuote',
    (sql) => sql`select from rfqs where id = (select rfq_id from quotes where id = ${id}) for no key update`,
  )
  const now = clock.now()
  const rows = await ctx.tx.run<Omit<LockedQuote, 'now'>>(
    'lockQuote',
    (sql) => sql`
      select q.id, quote_status(q, ${now.toISOString()}) as status, q.rfq_id, q.professional_id, r.service_id,
        q.amount_cents, q.units, quote_deposit_cents(q) as deposit_cents, q.valid_until
      from quotes q join rfqs r on r.id = q.rfq_id where q.id = ${id} for update of q`,
  )
  return rows[0] && { ...rows[0], now }
}

/** The quotes of a request that are sent, viewed or accepted. */
export async function selectOpenQuotes(
  ctx: TxCtx,
  { rfqId, now }: { rfqId: string; now: Date },
): Promise<{ id: string; status: QuoteState; isExpired: boolean }[]> {
  return await ctx.tx.run(
    'selectOpenQuotes',
    (sql) => sql`
      select q.id, q.status, quote_status(q, ${now.toISOString()}) = 'expired' as is_expired
      from quotes q where q.rfq_id = ${rfqId} and q.status in ('sent', 'viewed', 'accepted')`,
  )
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
  const [row] = await ctx.tx.run<{ eventSequence: number }>(
    'saveQuoteState',
    (sql) => sql`
      update quotes set status = ${status}, decline_reason = ${declineReason ?? null},
        viewed_at = case when ${status} = 'viewed' then ${at}::timestamptz else viewed_at end,
        accepted_at = case when ${status} = 'accepted' then ${at}::timestamptz end,
        declined_at = case when ${status} = 'declined' then ${at}::timestamptz end,
        expired_at = case when ${status} = 'expired' then ${at}::timestamptz end,
        superseded_at = case when ${status} = 'superseded' then ${at}::timestamptz end,
        -- Superseding emits no event of its own; the newer quote's event implies it.
        event_sequence = event_sequence + (${status} <> 'superseded')::integer
      where id = ${id} returning event_sequence`,
  )
  if (!row) throw new Error('A locked quote is missing.')
  return row.eventSequence
}

/** A quote in its current state; with a pro, only one of theirs. */
export async function findQuote(
  ctx: Ctx,
  { id, professionalId = null, now }: { id: string; professionalId?: string | null; now: Date },
): Promise<Quote | undefined> {
  const rows = await ctx.read.run<{ quote: Quote }>(
    'findQuote',
    (sql) => sql`
      select quote_object(q, ${now.toISOString()}) as quote from quotes q
      where q.id = ${id} and (${professionalId}::uuid is null or q.professional_id = ${professionalId})`,
  )
  return rows[0]?.quote
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
  const rows = await ctx.read.run<{ quote: Quote }>(
    'selectLastQuote',
    (sql) => sql`
      select quote_object(q, ${now.toISOString()}) as quote
      from (
        select * from quotes where professional_id = ${professionalId}
        order by created_at desc, id desc limit ${SEARCHED_QUOTES}
      ) q
      join rfqs r on r.id = q.rfq_id and r.professional_id = q.professional_id
      where r.service_id = ${serviceId} and q.rfq_id <> ${exceptRfqId} and q.status <> 'draft'
      order by q.created_at desc, q.id desc limit 1`,
  )
  return rows[0]?.quote
}

/** The pro's quotes, newest first. */
export async function listQuotes(
  ctx: Ctx,
  { professionalId, status, rfqId, now, ...page }: { professionalId: string; now: Date } & QuotesQuery,
): Promise<{ total: number; items: Quote[] }> {
  const at = now.toISOString()
  const { limit, offset } = pageOf(page)
  const [row] = await ctx.read.run<{ total: number; items: Quote[] }>(
    'listQuotes',
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
  const [row] = await ctx.write.run<{ expired: number }>(
    'expire_quotes',
    (sql) => sql`
      select expire_quotes(${now.toISOString()}, ${`{${eventIds.join(',')}}`}::text::uuid[], ${traceparent}) as expired`,
  )
  return row?.expired ?? 0
}
