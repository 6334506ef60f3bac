// What a customer does through the link to a quote: view, accept, decline. The link is the authorization; no key is used.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { transition } from '../../../errors/transition.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { createJob } from '../../jobs/verbs.ts'
import { type LockedQuote, findQuote, lockQuote, saveQuoteState } from '../queries/quotes.ts'
import type { Quote } from '../schemas.ts'
import { QUOTE, type QuoteAction } from '../states.ts'
import { readQuoteToken } from './link-tokens.ts'
import { emitQuote, getStored } from './quotes.ts'

/**
 * The quote of a link. The first view of an open quote marks it viewed (quote.viewed), unless `isPreview`: a browser
 * prefetched the page. Throws quote_not_found.
 */
export async function viewQuote(deps: Deps, token: string, { isPreview = false } = {}): Promise<Quote> {
  const id = quoteIdOf(deps, token)
  // From the primary: the customer may have answered a moment ago.
  const quote = await findQuote(deps.write, { id, now: deps.clock.now() })
  if (!quote) throw quoteNotFound()
  if (quote.status !== 'sent' || isPreview) return quote
  return await deps.write.begin('viewQuote', async (tx) => {
    const locked = await lock(deps, tx, id)
    // A concurrent request may have viewed or answered it.
    if (locked.status !== 'sent') return await getStored(tx, id, deps.clock.now())
    return await move(deps, tx, locked, 'view')
  })
}

/**
 * Accepts the quote of a link, which creates a job. Throws quote_not_found, and invalid_transition for a quote that was
 * answered or superseded or has expired.
 */
export async function acceptQuote(deps: Deps, token: string): Promise<Quote> {
  const id = quoteIdOf(deps, token)
  return await deps.write.begin('acceptQuote', async (tx) => {
    const quote = await lock(deps, tx, id)
    return await move(deps, tx, quote, 'accept', () => createJob(deps, tx, { ...quote, quoteId: quote.id }))
  })
}

/** Declines the quote of a link. Throws like {@link acceptQuote}. */
export function declineQuote(deps: Deps, token: string, reason?: string): Promise<Quote> {
  const id = quoteIdOf(deps, token)
  return deps.write.begin('declineQuote', async (tx) =>
    move(deps, tx, { ...(await lock(deps, tx, id)), declineReason: reason }, 'decline'),
  )
}

const EVENTS = { view: 'quote.viewed', accept: 'quote.accepted', decline: 'quote.declined' } as const

/** Saves the state that the action leads to, runs `sideEffect`, and emits the event. */
async function move(
  deps: Deps,
  tx: Transaction,
  quote: LockedQuote & { declineReason?: string | undefined },
  action: QuoteAction & keyof typeof EVENTS,
  sideEffect?: () => Promise<void>,
): Promise<Quote> {
  const status = transition(QUOTE, 'quote', quote.status, action)
  const { id, now, declineReason } = quote
  const sequence = await saveQuoteState(tx, { id, status, now, declineReason })
  await sideEffect?.()
  const object = await getStored(tx, id, now)
  await emitQuote(deps, tx, { type: EVENTS[action], sequence, object })
  return object
}

async function lock(deps: Deps, tx: Transaction, id: string): Promise<LockedQuote> {
  const quote = await lockQuote(tx, id, deps.clock)
  if (!quote) throw quoteNotFound()
  return quote
}

function quoteIdOf(deps: Deps, token: string): string {
  const id = readQuoteToken(deps, token)
  if (id === undefined) throw quoteNotFound()
  return id
}

const quoteNotFound = () =>
  new AppError('quote_not_found', 'No quote has this link. It may be incomplete or too old. Ask the pro for a new one.')
