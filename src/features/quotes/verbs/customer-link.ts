// What a customer does with a quote, through the sealed link: look, accept, decline. Keys play no part: whoever has the
// link is taken to be the person it was given to.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { createJob } from '../../jobs/verbs.ts'
import { transition } from '../../../errors/transition.ts'
import { readToken } from '../link.ts'
import type { Quote } from '../schemas.ts'
import { type LockedQuote, findQuote, lockQuote, saveQuoteState } from '../queries/quotes.ts'
import { emitQuote, getStored } from './quotes.ts'
import { QUOTE, type QuoteAction } from '../states.ts'

/**
 * The quote of a link. The first look at one that can still be accepted marks it viewed (quote.viewed), unless
 * `isPreview`: a browser that loads ahead has shown it to nobody. Throws quote_not_found.
 */
export async function viewQuote(deps: Deps, token: string, { isPreview = false } = {}): Promise<Quote> {
  const id = idOf(deps, token)
  // From the primary: whoever has just accepted must not see an older state.
  const quote = await findQuote(deps.write, { id, now: deps.clock.now() })
  if (!quote) throw noSuchQuote()
  if (quote.status !== 'sent' || isPreview) return quote
  return await deps.write.begin('viewQuote', async (tx) => {
    const locked = await lock(deps, tx, id)
    // Somebody else looked, or answered, while this one waited.
    if (locked.status !== 'sent') return await getStored(tx, id, deps.clock.now())
    return await move(deps, tx, locked, 'view')
  })
}

/**
 * Accepts the quote of a link: it becomes a job. Throws quote_not_found, and invalid_transition for a quote that has
 * expired or was answered or superseded.
 */
export async function acceptQuote(deps: Deps, token: string): Promise<Quote> {
  const id = idOf(deps, token)
  return await deps.write.begin('acceptQuote', async (tx) => {
    const quote = await lock(deps, tx, id)
    return await move(deps, tx, quote, 'accept', () => createJob(deps, tx, { ...quote, quoteId: quote.id }))
  })
}

/** Declines the quote of a link. Throws like {@link acceptQuote}. */
export function declineQuote(deps: Deps, token: string, reason?: string): Promise<Quote> {
  const id = idOf(deps, token)
  return deps.write.begin('declineQuote', async (tx) =>
    move(deps, tx, { ...(await lock(deps, tx, id)), declineReason: reason }, 'decline'),
  )
}

const EVENTS = { view: 'quote.viewed', accept: 'quote.accepted', decline: 'quote.declined' } as const

/** Takes the action, does what goes with it, and tells of it. */
async function move(
  deps: Deps,
  tx: Transaction,
  quote: LockedQuote & { declineReason?: string | undefined },
  action: QuoteAction & keyof typeof EVENTS,
  alongside?: () => Promise<void>,
): Promise<Quote> {
  const status = transition(QUOTE, 'quote', quote.status, action)
  const { id, now, declineReason } = quote
  const sequence = await saveQuoteState(tx, { id, status, now, declineReason })
  await alongside?.()
  const object = await getStored(tx, id, now)
  await emitQuote(deps, tx, { type: EVENTS[action], sequence, object })
  return object
}

async function lock(deps: Deps, tx: Transaction, id: string): Promise<LockedQuote> {
  const quote = await lockQuote(tx, id, deps.clock)
  if (!quote) throw noSuchQuote()
  return quote
}

function idOf(deps: Deps, token: string): string {
  const id = readToken(deps, token)
  if (id === undefined) throw noSuchQuote()
  return id
}

const noSuchQuote = () =>
  new AppError('quote_not_found', 'This link leads to no quote. It may be incomplete, or too old.')
