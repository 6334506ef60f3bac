// Quotes: sent, listed and read by the pro. What the customer does with them is in customer-service.ts.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { emit } from '../../../platform/queue/outbox.ts'
import { currentTraceparent } from '../../../platform/telemetry/trace-context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { pageMeta } from '../../../platform/schema/paging.ts'
import { transition } from '../../../errors/transition.ts'
import { customerUrl } from '../link.ts'
import type { NewQuote, Quote, QuoteList, QuoteSent, QuotesQuery } from '../schemas.ts'
import { checkMoney, toCents } from '../money.ts'
import {
  findQuote,
  insertSentQuote,
  listQuotes as selectQuotes,
  listStanding,
  markExpired,
  saveQuoteState,
} from '../queries/quotes.ts'
import { type LockedRfq, lockRfq, saveRfqStatus } from '../../rfqs/verbs/lead-state.ts'
import { type ActingPro, noSuchRfq } from '../../rfqs/verbs/rfqs.ts'
import { QUOTE, RFQ } from '../states.ts'

const DAY_MS = 86_400_000

/**
 * Sends a quote for a request made to the pro. An unanswered earlier one is superseded. Throws validation_failed for
 * money that does not add up, rfq_not_found, and invalid_transition when the request is archived or a quote for it was
 * accepted.
 */
export function sendQuote(
  deps: Deps,
  pro: ActingPro,
  wish: NewQuote,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<QuoteSent>> {
  checkMoney(wish)
  return runIdempotently(
    deps,
    idempotency,
    { accountId: pro.accountId, operation: 'sendQuote', request: wish },
    async (tx) => {
      const rfq = await lockRfq(tx, pro.professionalId, wish.rfqId)
      if (!rfq) throw noSuchRfq()
      const status = transition(RFQ, 'request for a quote', rfq.status, 'respond')
      await clearTheTable(deps, tx, rfq.id)
      if (status !== rfq.status) await saveRfqStatus(tx, rfq.id, status)
      const { id, validUntil } = await putQuote(deps, tx, rfq, wish)
      return await tellSent(deps, tx, id, validUntil)
    },
  )
}

/** Tells of a quote that has just been sent, and gives its customer's link. */
export async function tellSent(deps: Deps, tx: Transaction, id: string, validUntil: Date): Promise<QuoteSent> {
  const quote = await getStored(tx, id, deps.clock.now())
  const url = customerUrl(deps, id, validUntil)
  await emitQuote(deps, tx, { type: 'quote.sent', sequence: 1, object: { ...quote, customerUrl: url } })
  return {
    success: true,
    quote,
    customerUrl: url,
    nextSteps: [
      'Give `customerUrl` to the customer and to nobody else: whoever has it can accept the quote.',
      `The quote is good until ${validUntil.toISOString()}.`,
    ],
  }
}

/** Ends the offer that is on the table, if there is one. Throws invalid_transition when the customer has taken it. */
export async function clearTheTable(deps: Deps, tx: Transaction, rfqId: string): Promise<void> {
  const now = deps.clock.now()
  for (const { id, status, isDue } of await listStanding(tx, rfqId, now)) {
    if (status === 'accepted')
      throw new AppError('invalid_transition', 'The customer has accepted a quote for this request already.', {
        extensions: { state: status, action: 'send' },
      })
    const moved = transition(QUOTE, 'quote', status, isDue ? 'expire' : 'supersede')
    const sequence = await saveQuoteState(tx, { id, status: moved, now })
    if (isDue) await emitQuote(deps, tx, { type: 'quote.expired', sequence, object: await getStored(tx, id, now) })
  }
}

/** How long a quote is good when nobody says. */
const VALID_FOR_DAYS = 30

/** When a quote that is sent now ends. */
export const endOf = (now: Date, validForDays: number | null | undefined): Date =>
  new Date(now.getTime() + (validForDays ?? VALID_FOR_DAYS) * DAY_MS)

async function putQuote(deps: Deps, tx: Transaction, rfq: LockedRfq, wish: NewQuote) {
  const now = deps.clock.now()
  const id = deps.ids.uuid()
  const validUntil = endOf(now, wish.validForDays)
  await insertSentQuote(tx, {
    id,
    rfqId: rfq.id,
    professionalId: rfq.professionalId,
    serviceId: rfq.serviceId,
    amountCents: toCents(wish.amount),
    lineItems: wish.lineItems ?? [],
    estimatedDays: wish.estimatedDays ?? null,
    depositRequired: wish.depositRequired ?? false,
    depositPercentage: wish.depositPercentage ?? null,
    paymentTerms: wish.paymentTerms ?? null,
    message: wish.message ?? null,
    validUntil,
    now,
  })
  return { id, validUntil }
}

/** The pro's quotes, drafts included. */
export async function listQuotes({ read, clock }: Deps, pro: ActingPro, query: QuotesQuery): Promise<QuoteList> {
  const { total, items } = await selectQuotes(read, pro.professionalId, query, clock.now())
  return { quotes: items, meta: pageMeta(total, query) }
}

/** One of the pro's quotes. Throws quote_not_found. */
export async function getQuote({ read, clock }: Deps, pro: ActingPro, id: string): Promise<Quote> {
  const quote = await findQuote(read, { id, professionalId: pro.professionalId, now: clock.now() })
  if (!quote) throw new AppError('quote_not_found', 'None of your quotes has this id.')
  return quote
}

/**
 * Marks up to `limit` quotes that are past their time and tells of each; gives how many. Reads show them as expired
 * before that, so nobody waits for it.
 */
export async function expireQuotes({ write, clock, ids }: Deps, limit: number): Promise<number> {
  const eventIds = Array.from({ length: limit }, () => ids.uuid())
  return await markExpired(write, { eventIds, traceparent: currentTraceparent() ?? null, now: clock.now() })
}

/** A quote that this transaction knows is there. */
export async function getStored(tx: Transaction, id: string, now: Date): Promise<Quote> {
  const quote = await findQuote(tx, { id, now })
  if (!quote) throw new AppError('quote_not_found', 'No quote has this id.')
  return quote
}

interface QuoteEvent {
  type: `quote.${string}`
  sequence: number
  /** quote.sent brings the customer's link besides: whoever is told passes it on to the customer. */
  object: Quote & { customerUrl?: string }
}

/** Tells of what happened to a quote. */
export const emitQuote = (
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  tx: Transaction,
  { type, sequence, object }: QuoteEvent,
): Promise<void> =>
  emit(tx, {
    id: ids.uuid(),
    type,
    professionalId: object.professional.id,
    aggregateType: 'quote',
    aggregateId: object.id,
    sequence,
    object,
    createdAt: clock.now(),
  })
