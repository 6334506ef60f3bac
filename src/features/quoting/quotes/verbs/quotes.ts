// Quotes of a pro: sent, listed, read and expired.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { transition } from '../../../../transition.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { closePayment } from '../../../../payments/verbs/refunds.ts'
import { emit } from '../../../../platform/queue/outbox.ts'
import { toCents } from '../../../../platform/schema/money.ts'
import { pageMeta } from '../../../../platform/schema/paging.ts'
import { currentTraceparent } from '../../../../platform/telemetry/trace-context.ts'
import { getDefaults } from '../../../upkeep/marketplace/verbs.ts'
import { getRfqForUpdate, markResponded } from '../../rfqs/verbs/respond.ts'
import type { ActingPro } from '../../rfqs/verbs/rfqs.ts'
import {
  findQuote,
  insertSentQuote,
  listQuotes as selectQuotes,
  markExpired,
  saveQuoteState,
  selectLastQuote,
} from '../queries/quotes.ts'
import { selectOpenQuotes } from '../queries/quotes.sql.ts'
import type { NewQuote, Quote, QuoteList, QuoteSent, QuotesQuery } from '../schemas.ts'
import { validUntilFrom } from '../rules/validity.ts'
import { QUOTE } from '../states.ts'
import { checkMoney, requireLimits } from './check-money.ts'
import { customerUrl } from './link-tokens.ts'

/**
 * Sends a quote for a request made to the pro and supersedes an open earlier one. Throws validation_failed for amounts
 * that do not add up and a deposit outside the marketplace's limits, rfq_not_found, and invalid_transition when the request is archived or one of its quotes is accepted.
 */
export async function sendQuote(ctx: Ctx<ActingPro>, input: NewQuote): Promise<QuoteSent> {
  checkMoney(input)
  const defaults = await getDefaults(ctx)
  const operation = { accountId: ctx.actor.accountId, operation: 'sendQuote', request: input }
  return await runIdempotently(ctx, operation, async (ctx) => {
    requireLimits(input, defaults)
    const rfq = await getRfqForUpdate(ctx, { id: input.rfqId })
    await markResponded(ctx, rfq)
    await closeOpenQuotes(ctx, { rfqId: rfq.id })
    const now = ctx.clock.now()
    const id = ctx.ids.uuid()
    const validUntil = validUntilFrom(now, input.validForDays)
    await insertSentQuote(ctx, {
      id,
      rfqId: rfq.id,
      professionalId: rfq.professionalId,
      serviceId: rfq.serviceId,
      amountCents: toCents(input.amount),
      lineItems: input.lineItems ?? [],
      estimatedDays: input.estimatedDays ?? null,
      depositRequired: input.depositRequired ?? false,
      depositPercentage: input.depositPercentage ?? null,
      paymentTerms: input.paymentTerms ?? null,
      message: input.message ?? null,
      validUntil,
      freeCancellationHours: defaults.freeCancellationHours,
      now,
    })
    return await announceSent(ctx, { id, validUntil })
  })
}

/** Emits quote.sent for a stored quote and returns the pro's response. The pro does not get the customer's link. */
export async function announceSent(
  ctx: TxCtx,
  { id, validUntil }: { id: string; validUntil: Date },
): Promise<QuoteSent> {
  const quote = await getStored(ctx, { id, now: ctx.clock.now() })
  const object = { ...quote, customerUrl: customerUrl(ctx, { quoteId: id, validUntil }) }
  await emitQuote(ctx, { type: 'quote.sent', sequence: 1, object })
  return {
    success: true,
    quote,
    nextSteps: [
      'The customer gets the link to accept or decline the quote by e-mail.',
      `The quote is valid until ${validUntil.toISOString()}.`,
    ],
  }
}

/** Supersedes or expires the open quote of a request with its unpaid deposit. Throws invalid_transition if the customer has accepted one. */
export async function closeOpenQuotes(ctx: TxCtx, { rfqId }: { rfqId: string }): Promise<void> {
  const now = ctx.clock.now()
  for (const { id, status, isExpired } of await selectOpenQuotes(ctx, { rfqId, now })) {
    if (status === 'accepted')
      throw new AppError('invalid_transition', 'The customer has already accepted a quote for this request.', {
        extensions: { state: status, action: 'send' },
      })
    const next = transition(QUOTE, 'quote', status, isExpired ? 'expire' : 'supersede')
    const sequence = await saveQuoteState(ctx, { id, status: next, now })
    await closePayment(ctx, { reason: 'cancelled', purpose: { quoteId: id } })
    if (isExpired) await emitQuote(ctx, { type: 'quote.expired', sequence, object: await getStored(ctx, { id, now }) })
  }
}

/** The pro's quotes, drafts included. */
export async function listQuotes(ctx: Ctx<ActingPro>, query: QuotesQuery): Promise<QuoteList> {
  const { total, items } = await selectQuotes(ctx, {
    ...query,
    professionalId: ctx.actor.professionalId,
    now: ctx.clock.now(),
  })
  return { quotes: items, meta: pageMeta(total, query) }
}

/** One of the pro's quotes. Throws quote_not_found. */
export async function getQuote(ctx: Ctx<ActingPro>, { id }: { id: string }): Promise<Quote> {
  const quote = await findQuote(ctx, { id, professionalId: ctx.actor.professionalId, now: ctx.clock.now() })
  if (!quote) throw new AppError('quote_not_found', 'You have no quote with this id.')
  return quote
}

/** The pro's last quote for a service, drafts and the quotes of one request excepted: a new one may start from it. */
export const findLastQuote = (
  ctx: Ctx<ActingPro>,
  of: { serviceId: string; exceptRfqId: string },
): Promise<Quote | undefined> =>
  selectLastQuote(ctx, { professionalId: ctx.actor.professionalId, ...of, now: ctx.clock.now() })

/** Marks up to `limit` expired quotes and emits their events. Returns how many. Reads show them as expired before that. */
export async function expireQuotes(ctx: Ctx, { limit }: { limit: number }): Promise<number> {
  const eventIds = Array.from({ length: limit }, () => ctx.ids.uuid())
  return await markExpired(ctx, { eventIds, traceparent: currentTraceparent() ?? null, now: ctx.clock.now() })
}

/** A quote by its id, such as one that the transaction has locked or inserted. */
export async function getStored(ctx: Ctx, { id, now }: { id: string; now: Date }): Promise<Quote> {
  const quote = await findQuote(ctx, { id, now })
  if (!quote) throw new AppError('quote_not_found', 'No quote has this id.')
  return quote
}

interface QuoteEvent {
  type: `quote.${string}`
  sequence: number
  /** The customer's link in quote.sent reaches only the account that created the request; see `plan_deliveries`. */
  object: Quote & { customerUrl?: string }
}

/** Emits an event of a quote. */
export const emitQuote = (ctx: TxCtx, { type, sequence, object }: QuoteEvent): Promise<void> =>
  emit(ctx.tx, {
    id: ctx.ids.uuid(),
    type,
    professionalId: object.professional.id,
    aggregateType: 'quote',
    aggregateId: object.id,
    sequence,
    object,
    createdAt: ctx.clock.now(),
  })
